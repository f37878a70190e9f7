"""A sentence put right by a few words after it: "not 100, a hundred and twenty-five", "no, five"."""

from collections.abc import Iterator
from dataclasses import dataclass

from decision_ai_server.modellers.offline.lexicon import FUNCTION_WORDS, IMPORTANT
from decision_ai_server.modellers.offline.linking import Linked, link
from decision_ai_server.modellers.offline.vocabulary import Vocabulary
from decision_ai_server.modellers.offline.words import Token

_ARROW = " → "
_AGREEMENT = "yes yeah yep ok okay sure do please right"
_APOLOGY = (
    "no nope sorry oops meant mean said say wrong name number typo mistake mixed mix rather correct "
    "correction corrected one thanks it that them again up"
)
_AGREEING = frozenset(_AGREEMENT.split())
_FILLERS = _AGREEING | frozenset(_APOLOGY.split())
_NEGATIONS = frozenset({"negation", "instead", "only"})


@dataclass(frozen=True)
class _Value:
    """A number or the name of one thing, as said.

    Attributes:
        key: equal for two ways to say the same.
        slot: what it may take the place of: numbers, percentages, or the things of one collection.
    """

    key: object
    slot: object
    start: int
    stop: int


def joined(sentence: str, correction: str) -> str:
    """A sentence and its correction as the one text that is kept."""
    return f"{sentence}{_ARROW}{correction}"


def belongs(said: str, sentence: str) -> bool:
    """Whether a kept text is this sentence, or is about it."""
    return said == sentence or said.startswith(sentence + _ARROW) or said.endswith(_ARROW + sentence)


def folded(said: str, vocabulary: Vocabulary) -> str:
    """A kept text with its corrections carried out; one that corrects nothing stands for itself."""
    sentence, *corrections = said.split(_ARROW)
    for correction in corrections:
        sentence = corrected(sentence, correction, vocabulary) or correction
    return sentence


def corrected(sentence: str, correction: str, vocabulary: Vocabulary) -> str | None:
    """The sentence with the new number or name in place of the old one; None if it is no correction."""
    before, after = link(sentence, vocabulary), link(correction, vocabulary)
    if not _only_corrects(before, after):
        return None
    present, spoken = list(_values(before)), list(_values(after))
    present_keys, spoken_keys = {v.key for v in present}, {v.key for v in spoken}
    new = [value for value in spoken if value.key not in present_keys]
    if not new:
        agreed = bool(spoken) or any(token.word in _AGREEING for token in after.tokens)
        refused = any(mark.kind in _NEGATIONS for mark in after.marks)
        return sentence if agreed and not refused else None
    replaced: dict[int, tuple[_Value, str]] = {}
    for value in new:
        same = [other for other in present if other.slot == value.slot]
        old = [other for other in same if other.key in spoken_keys] or same
        if len(old) != 1 or old[0].start in replaced or _denied(after, value):
            return None
        replaced[old[0].start] = (old[0], _text(after.tokens[value.start : value.stop]))
    return _rewritten(before, replaced)


def _only_corrects(before: Linked, after: Linked) -> bool:
    """Whether the words add nothing but a value: no comparison, no noun that was not there."""
    kinds = {mark.kind for mark in before.marks}
    if any(m.kind in IMPORTANT - _NEGATIONS and m.kind not in kinds for m in after.marks):
        return False
    known = {token.stem for token in before.tokens}
    inside = {place for value in _values(after) for place in range(value.start, value.stop)}
    return all(
        token.word in FUNCTION_WORDS | _FILLERS or token.stem in known
        for place, token in enumerate(after.tokens)
        if token.kind in ("word", "quoted") and place not in inside
    )


def _values(linked: Linked) -> Iterator[_Value]:
    inside: set[int] = set()
    for span in linked.labels:
        inside |= set(range(span.start, span.stop))
        yield _Value((span.collection, span.labels), span.collection, span.start, span.stop)
    for place, token in enumerate(linked.tokens):
        if token.value is not None and place not in inside:
            yield _Value((token.kind, token.value), token.kind, place, place + 1)


def _denied(linked: Linked, value: _Value) -> bool:
    """Whether the new value itself is what is not wanted: "not the tent"."""
    return any(
        mark.kind in _NEGATIONS - {"only"}
        and mark.stop <= value.start
        and all(linked.tokens[place].word in ("the", "a", "an") for place in range(mark.stop, value.start))
        for mark in linked.marks
    )


def _rewritten(before: Linked, replaced: dict[int, tuple[_Value, str]]) -> str:
    words: list[str] = []
    skip = 0
    for place, token in enumerate(before.tokens):
        if place in replaced:
            value, text = replaced[place]
            words.append(text)
            skip = value.stop
        elif place >= skip:
            words.append(_text((token,)))
    return " ".join(words)


def _text(tokens: tuple[Token, ...]) -> str:
    return " ".join(f'"{token.text}"' if token.kind == "quoted" else token.text for token in tokens)
