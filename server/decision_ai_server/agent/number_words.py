"""Numbers in English words: "two hundred and four", "half a million", "twenty-five percent", "one third".

"One" by itself is a figure where it is measured ("is one", "at most one") and a pronoun elsewhere. Ordinals
are places in a row, not figures, unless they are parts of a whole ("two thirds", "a third"). Words without a
definite value (a few, several, a couple) and Roman numerals in Latin letters are no figures.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

FRACTION_SLACK = 0.005
"""How far a result may be from a fraction such as 1/3: it reads as two decimals."""
_TIMES_SLACK = 0.05
_UNITS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_TENS = {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 2
    )
} | {"fourty": 40}
_SCALES = {"thousand": 1e3, "lakh": 1e5, "million": 1e6, "crore": 1e7, "billion": 1e9, "trillion": 1e12}
_SMALL_SCALES = {"hundred": 100.0, "dozen": 12.0}
_PART_NAMES = {
    "half": 2,
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
    "hundredth": 100,
    "thousandth": 1000,
}
_PARTS = {
    **_PART_NAMES,
    **{f"{part}s": whole for part, whole in _PART_NAMES.items() if part != "half"},
    "halves": 2,
}
PARTS = "|".join(sorted(_PARTS, key=len, reverse=True))
"""Alternatives of a regular expression: the names of parts of a whole."""
_TIMES = {
    **dict.fromkeys(["halved", "halve", "halves", "halving"], 0.5),
    **dict.fromkeys(["double", "doubled", "doubles", "doubling", "twice", "twofold"], 2.0),
    **dict.fromkeys(
        ["triple", "tripled", "triples", "tripling", "treble", "trebled", "thrice", "threefold"], 3.0
    ),
    **dict.fromkeys(["quadruple", "quadrupled", "quadruples", "quadrupling", "fourfold"], 4.0),
    **dict.fromkeys(["quintuple", "quintupled", "fivefold"], 5.0),
    **{f"{word}fold": float(_UNITS[word]) for word in ["six", "seven", "eight", "nine", "ten"]},
    "hundredfold": 100.0,
}
_PLURALS = {f"{word}s": word for word in (*_SCALES, *_SMALL_SCALES, *_UNITS) if word != "one"}
_PLURALS |= {f"{word[:-1]}ies": word for word in _TENS} | {"sixes": "six"}
_PERCENT = frozenset({"percent", "pct", "percentage"})
_MEASURED = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "be",
        "equals",
        "equal",
        "becomes",
        "exactly",
        "least",
        "most",
        "by",
        "from",
        "than",
        "about",
        "under",
        "over",
        "just",
        "precisely",
        "nearly",
        "almost",
    ]
)
_POINTING = frozenset(
    ["of", "another", "that", "which", "who", "whose", "where", "or", "more", "side", "thing", "way"]
)
_CHECKED = frozenset(["check", "checks", "checked", "checking", "click", "clicks"])
VOCABULARY = frozenset(
    {*_UNITS, *_TENS, *_SCALES, *_SMALL_SCALES, *_PARTS, *_TIMES, *_PLURALS, *_PERCENT, "minus", "negative"}
)
"""Every word that may belong to a number."""


@dataclass(frozen=True)
class SpelledNumber:
    """A number in words: where it stands, its value, how far off a result may be, and what kind it is."""

    start: int
    end: int
    value: float
    slack: float
    kind: Literal["number", "percent", "fraction"] = "number"


@dataclass(frozen=True)
class _Word:
    text: str
    start: int
    end: int
    joined: bool
    """Whether only blanks or a hyphen are between it and the word before."""


@dataclass
class _Sum:
    """A cardinal number while it is read."""

    total: float = 0.0
    current: float | None = None
    unit: float = 1.0
    """What its last word counts in: 2.4 million are "two million"."""
    last: str = ""

    @property
    def value(self) -> float:
        return self.total + (self.current or 0.0)

    def take(self, word: str) -> bool:
        """Take in one more word, if it goes on from what is there."""
        word = _PLURALS.get(word, word)
        if word in _UNITS or word in _TENS:
            taken = self._add(float(_UNITS.get(word, _TENS.get(word, 0))))
            self.unit = 1.0 if taken else self.unit
        elif word in _SMALL_SCALES:
            self.current = (1.0 if self.current is None else self.current) * _SMALL_SCALES[word]
            self.unit, taken = 1.0, True
        elif word in _SCALES:
            self.total += (1.0 if self.current is None else self.current) * _SCALES[word]
            self.current, self.unit, taken = None, _SCALES[word], True
        else:
            return False
        self.last = word if taken else self.last
        return taken

    def _add(self, value: float) -> bool:
        if self.current is None:
            self.current = value
        elif (self.current and self.current % 100 == 0) or (self.last in _TENS and value < 10):
            self.current += value
        elif self.last in _UNITS and value < 10:
            self.current = self.current * 10 + value  # spelled digit by digit
        elif value >= 10:
            self.current = self.current * 100 + value  # nineteen ninety
        else:
            return False
        return True


def spelled_numbers(text: str) -> Iterator[SpelledNumber]:
    """Every number in words of a plain text, in order."""
    words = _words(text)
    at = 0
    while at < len(words):
        found = _half(words, at) or _times(words, at) or _cardinal(words, at) or _bare_part(words, at)
        if found is None:
            at += 1
            continue
        number, at = found
        yield number


def part_of(word: str) -> float:
    """How many of a part make a whole: 3 for "thirds"."""
    return _PARTS[word.lower()]


def _words(text: str) -> list[_Word]:
    words: list[_Word] = []
    for match in re.finditer(r"[^\W\d_]+", text):
        joined = bool(words) and re.fullmatch(r"[\s-]{1,3}", text[words[-1].end : match.start()]) is not None
        bound = _bound(text, match)
        words.append(_Word(match[0].lower() if bound else "", match.start(), match.end(), joined))
    return words


def _bound(text: str, match: re.Match[str]) -> bool:
    """Whether a word stands by itself and is no piece of a name such as `two_men`."""
    before, after = text[max(0, match.start() - 1) : match.start()], text[match.end() : match.end() + 1]
    return not (before == "_" or after == "_" or after.isdigit())


def _at(words: Sequence[_Word], at: int) -> str:
    """The word at a place if it follows the one before it directly; else nothing."""
    return words[at].text if at < len(words) and words[at].joined else ""


def _half(words: Sequence[_Word], at: int) -> tuple[SpelledNumber, int] | None:
    """`half`, `half a million`, `half a percent`."""
    if words[at].text != "half":
        return None
    after = at + 1 + (_at(words, at + 1) in {"a", "an"})
    scale = _PLURALS.get(_at(words, after), _at(words, after))
    factor = _SCALES.get(scale) or _SMALL_SCALES.get(scale)
    if factor:
        return _number(words, (at, after + 1), 0.5 * factor, FRACTION_SLACK * factor), after + 1
    if _percent_words(words, after):
        return _closed(words, (at, after), 0.5, FRACTION_SLACK)
    return SpelledNumber(words[at].start, words[at].end, 0.5, FRACTION_SLACK, "fraction"), at + 1


def _times(words: Sequence[_Word], at: int) -> tuple[SpelledNumber, int] | None:
    """`twice`, `doubled`; a double-check is none."""
    word = words[at].text
    if word not in _TIMES or (word == "double" and _at(words, at + 1) in _CHECKED):
        return None
    return SpelledNumber(words[at].start, words[at].end, _TIMES[word], _TIMES_SLACK, "fraction"), at + 1


def _bare_part(words: Sequence[_Word], at: int) -> tuple[SpelledNumber, int] | None:
    """`thirds` by themselves; quarters are of a year."""
    word = words[at].text
    if word not in _PARTS or not word.endswith("s") or word.startswith("quarter"):
        return None
    return SpelledNumber(words[at].start, words[at].end, 1 / _PARTS[word], FRACTION_SLACK, "fraction"), at + 1


def _cardinal(words: Sequence[_Word], at: int) -> tuple[SpelledNumber, int] | None:
    """A number of one or more words, with what follows it: decimals, a half, a part, a percentage."""
    start, reading = at, _Sum()
    if words[at].text in {"a", "an"}:
        at += 1
        if _at(words, at) in _PARTS:
            return _part(words, (start, at), 1.0)
        if _PLURALS.get(_at(words, at), _at(words, at)) not in {*_SCALES, *_SMALL_SCALES}:
            return None
    if not reading.take(words[at].text):
        return None
    at = _more(words, at + 1, reading)
    if _at(words, at) in _PARTS and _at(words, at) != "half":
        return _part(words, (start, at), reading.value)
    value, slack, at = _decimals(words, at, reading)
    if at == start + 1 and words[start].text == "one" and not _is_measured(words, start):
        return None
    return _closed(words, (start, at), value, slack)


def _more(words: Sequence[_Word], at: int, reading: _Sum) -> int:
    while True:
        follows = _at(words, at)
        if follows == "and" and reading.last in {*_SCALES, "hundred"}:
            after = _at(words, at + 1)
            if not (after in _UNITS or after in _TENS) or not reading.take(after):
                return at
            at += 2
        elif follows and reading.take(follows):
            at += 1
        else:
            return at


def _decimals(words: Sequence[_Word], at: int, reading: _Sum) -> tuple[float, float, int]:
    """Value, slack and end of a number with `point five` or `and a half` behind it."""
    value, slack = reading.value, 0.5 * reading.unit
    if _at(words, at) == "point" and _at(words, at + 1) in _UNITS:
        at, digits = at + 1, ""
        while _at(words, at) in _UNITS and _UNITS[_at(words, at)] < 10:
            digits, at = f"{digits}{_UNITS[_at(words, at)]}", at + 1
        value, slack = float(f"{value:.0f}.{digits or '0'}"), 0.5 * 10.0 ** -len(digits)
    elif [_at(words, at + n) for n in range(3)] == ["and", "a", "half"]:
        value, slack, at = value + 0.5 * reading.unit, _TIMES_SLACK * reading.unit, at + 3
    scale = _PLURALS.get(_at(words, at), _at(words, at))
    if scale in _SCALES:
        return value * _SCALES[scale], slack * _SCALES[scale], at + 1
    return value, slack, at


def _part(words: Sequence[_Word], span: tuple[int, int], count: float) -> tuple[SpelledNumber, int]:
    start, at = span
    value = count / _PARTS[words[at].text]
    return SpelledNumber(words[start].start, words[at].end, value, FRACTION_SLACK, "fraction"), at + 1


def _closed(
    words: Sequence[_Word], span: tuple[int, int], value: float, slack: float
) -> tuple[SpelledNumber, int]:
    """A number with the percent words that follow it, if there are some."""
    start, at = span
    more = _percent_words(words, at)
    if not more:
        return _number(words, span, value, slack), at
    end = words[at + more - 1].end
    return SpelledNumber(words[start].start, end, value, slack, "percent"), at + more


def _percent_words(words: Sequence[_Word], at: int) -> int:
    """How many words from there say that a number is a percentage."""
    if _at(words, at) in _PERCENT:
        return 1
    return 2 if (_at(words, at), _at(words, at + 1)) == ("per", "cent") else 0


def _number(words: Sequence[_Word], span: tuple[int, int], value: float, slack: float) -> SpelledNumber:
    return SpelledNumber(words[span[0]].start, words[span[1] - 1].end, value, slack)


def _is_measured(words: Sequence[_Word], at: int) -> bool:
    """Whether a lone "one" counts something."""
    before = words[at - 1].text if at and words[at].joined else ""
    return before in _MEASURED and _at(words, at + 1) not in _POINTING
