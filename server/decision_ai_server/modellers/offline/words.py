"""Text into tokens: numbers in words, percentages, stems. Knows English, no model."""

import re
from dataclasses import dataclass, replace
from typing import Literal

TokenKind = Literal["word", "number", "percent", "punctuation", "quoted"]

_TOKEN = re.compile(
    r"""
    (?P<quoted> "[^"\n]*" | “[^”\n]*” | «[^»\n]*» | `[^`\n]*` | (?<![\w'])'[^'\n]{3,}'(?!\w) )
  | (?P<number> (?:(?<=\s)-|(?<==)-|^-)?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,15})(?:[.,]\d+)? )
  | (?P<word> [^\W\d]\w*(?:['\u2019][^\W\d]+)? )
  | (?P<percent> % )
  | (?P<punctuation> [^\w\s] )
    """,
    re.VERBOSE,
)
_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_UNITS = {word: value for value, word in enumerate(_SMALL.split())}
_TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 20 + 10 * place for place, word in enumerate(_TENS_WORDS.split())}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
NUMBER_WORDS = frozenset({*_UNITS, *_TENS, *_SCALES, "dozen", "half"})
_IRREGULAR_FORMS = (
    "take taken took, drive driven drove, choose chosen chose, eat eaten, make made, buy bought, send sent, "
    "build built, keep kept, bring brought, sell sold, run ran, grow grown grew, give given gave"
)
_IRREGULAR = {form: group.split()[0] for group in _IRREGULAR_FORMS.split(",") for form in group.split()[1:]}
_PERCENT_WORDS = frozenset({"percent", "pct", "percentage"})
_PRONOUN_BEFORE = frozenset({"the", "no", "any", "each", "every", "which", "this", "that"})


@dataclass(frozen=True)
class Token:
    """One word, number or sign of a sentence.

    Attributes:
        text: as typed.
        word: lower case, without a possessive ending.
        stem: what two forms of the same word share.
        kind: what it is.
        value: the number of a number or percentage.
    """

    text: str
    word: str
    stem: str
    kind: TokenKind
    value: float | None = None


def stem(word: str) -> str:
    """Strip the endings of plural, -ing, -ed and a final e, alike for every form of a word."""
    if len(word) <= 3 or not word.isascii():
        return word
    word = _IRREGULAR.get(word, word)
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "ches", "shes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
                word = word[:-1]
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def stems(text: str) -> list[str]:
    """The stems of the words and numbers of a text or an identifier, in order."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text.replace("_", " "))
    return [token.stem for token in _raw_tokens(spaced) if token.kind in ("word", "number")]


def tokenise(text: str) -> tuple[Token, ...]:
    """The tokens of a sentence, with numbers in words and percentages put together."""
    return tuple(_with_percentages(_with_numbers(_raw_tokens(text))))


def number_text(value: float) -> str:
    """A number as short text that Python reads back as the same number."""
    if isinstance(value, int):
        return str(value)
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


def _raw_tokens(text: str) -> list[Token]:
    return [_token(match) for match in _TOKEN.finditer(text)]


def _token(match: re.Match[str]) -> Token:
    text = match.group()
    kind = match.lastgroup
    if kind == "number":
        return Token(text, text, text, "number", _number(text))
    if kind == "word":
        word = text.lower().replace("\u2019", "'")
        word = word.removesuffix("'s")
        return Token(text, word, stem(word), "word")
    if kind == "quoted":
        inner = text[1:-1].strip()
        return Token(inner, inner.lower(), inner.lower(), "quoted")
    return Token(text, text, text, "punctuation")


def _number(text: str) -> float:
    decimal_comma = re.fullmatch(r"-?\d+,\d{1,2}", text)
    return float(text.replace(",", "." if decimal_comma else ""))


def _with_numbers(tokens: list[Token]) -> list[Token]:
    result: list[Token] = []
    position = 0
    while position < len(tokens):
        length, value = _number_words(tokens, position)
        if length:
            text = " ".join(token.text for token in tokens[position : position + length])
            word = tokens[position].word if length == 1 else text.lower()
            result.append(Token(text, word, stem(word), "number", value))
        else:
            result.append(tokens[position])
        position += max(length, 1)
    return result


def _number_words(tokens: list[Token], start: int) -> tuple[int, float]:
    """How many tokens from `start` spell one number (0 = none), and its value."""
    first = tokens[start].word
    if first == "one" and start and tokens[start - 1].word in _PRONOUN_BEFORE:
        return 0, 0.0
    if first in ("a", "half") and start + 1 < len(tokens):
        return _article_number(tokens, start)
    total, current, position, last = 0, 0, start, start
    while position < len(tokens):
        word = tokens[position].word
        if _joins(tokens, position, start):
            position += 1
            continue
        step = _extended(total, current, word, first=position == start)
        if step is None:
            break
        total, current = step
        position += 1
        last = position
    length = last - start
    value = float(total + current)
    tail = [token.word for token in tokens[last : last + 3]]
    return (length + 3, value + 0.5) if length and tail == ["and", "a", "half"] else (length, value)


def _extended(total: int, current: int, word: str, *, first: bool) -> tuple[int, int] | None:
    """A number in words with one more word; None if the word does not continue it."""
    if word in _UNITS and (first or (current % 10 == 0 and current % 100 != 10)):
        return total, current + _UNITS[word]
    if word in _TENS and (first or current % 100 == 0):
        return total, current + _TENS[word]
    if word == "hundred" and not first and 0 < current < 100:
        return total, current * 100
    if word in ("thousand", "million") and not first and current:
        return total + current * _SCALES[word], 0
    return None


def _joins(tokens: list[Token], position: int, start: int) -> bool:
    """Whether an "and" or a hyphen belongs to a number, as in "three hundred and ninety-two"."""
    if not start < position < len(tokens) - 1:
        return False
    before, after = tokens[position - 1].word, tokens[position + 1].word
    if tokens[position].word == "and":
        return before in _SCALES and (after in _UNITS or after in _TENS)
    return tokens[position].word == "-" and before in _TENS and after in _UNITS


def _article_number(tokens: list[Token], start: int) -> tuple[int, float]:
    first, second = tokens[start].word, tokens[start + 1].word
    if first == "half" and second == "a":
        return 2, 0.5
    if first == "a" and second in ("dozen", "half"):
        return 2, 12.0 if second == "dozen" else 0.5
    if first == "a" and second in _SCALES:
        replaced = [replace(tokens[start], word="one"), *tokens[start + 1 :]]
        return _number_words(replaced, 0)
    return 0, 0.0


def _with_percentages(tokens: list[Token]) -> list[Token]:
    result: list[Token] = []
    for _position, token in enumerate(tokens):
        before = result[-1] if result else None
        percent = token.text == "%" or token.word in _PERCENT_WORDS
        if percent and before is not None and before.kind == "number":
            result[-1] = replace(before, text=f"{before.text} {token.text}", kind="percent")
        elif token.word == "cent" and len(result) > 1 and before is not None and before.word == "per":
            result.pop()
            if result[-1].kind == "number":
                result[-1] = replace(result[-1], text=f"{result[-1].text} per cent", kind="percent")
        else:
            result.append(token)
    return result
