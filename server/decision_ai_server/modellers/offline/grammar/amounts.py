"""Comparisons: which number bounds what from which side."""

from collections.abc import Iterator
from dataclasses import dataclass

from decision_ai_server.modellers.offline.grammar.clause import Clause, places
from decision_ai_server.modellers.offline.linking import Mark
from decision_ai_server.modellers.offline.meaning import Relation

_COMPARISONS = ("at_most", "at_least", "exactly", "above", "below")
_RELATION: dict[str, Relation] = {
    "at_most": "<=",
    "below": "<=",
    "at_least": ">=",
    "above": ">=",
    "exactly": "==",
}
_OPPOSITE = {"above": "at_most", "below": "at_least"}


@dataclass(frozen=True)
class Amount:
    """One side of a comparison.

    Attributes:
        place: position of the number.
        strict: "more than" or "less than" without a negation: a count excludes the number itself.
    """

    relation: Relation
    value: float
    place: int
    used: frozenset[int]
    strict: bool = False


def amounts(clause: Clause) -> tuple[Amount, ...]:
    """The comparison of a clause; two amounts for "between"; none if it compares nothing with a number."""
    numbers = [place for place in clause.numbers if clause.tokens[place].kind == "number"]
    for mark in clause.marks("between"):
        after = [place for place in numbers if place >= mark.stop]
        if len(after) >= 2:
            low, high = sorted(after[:2], key=lambda place: clause.tokens[place].value or 0.0)
            return (_amount(clause, ">=", low, mark), _amount(clause, "<=", high, mark))
    for mark in clause.marks(*_COMPARISONS):
        place = _number_of(mark, numbers)
        if place is not None:
            return (_compared(clause, mark, place),)
    return tuple(_implied(clause, numbers))[:1]


def _number_of(mark: Mark, numbers: list[int]) -> int | None:
    after = [place for place in numbers if place >= mark.stop]
    before = [place for place in numbers if place < mark.start]
    return after[0] if after else before[-1] if before else None


def _compared(clause: Clause, mark: Mark, place: int) -> Amount:
    kind, used = mark.kind, places([mark])
    negations = [found for found in clause.marks("negation", "nobody") if found.stop <= mark.start]
    if kind in _OPPOSITE and negations:
        kind = _OPPOSITE[kind]
        used |= places(negations)
    amount = _amount(clause, _RELATION[kind], place, mark)
    return Amount(amount.relation, amount.value, place, amount.used | used, strict=kind in _OPPOSITE)


def _implied(clause: Clause, numbers: list[int]) -> Iterator[Amount]:
    """Limits without a comparison: "limit the stock to 100", "only one stop"."""
    for mark in clause.marks("only"):
        near = [place for place in numbers if mark.stop <= place <= mark.stop + 1]
        if near:
            yield _amount(clause, "<=", near[0], mark)
    for mark in clause.marks("limit_verb"):
        near = [
            place
            for place in numbers
            if place >= mark.stop
            and (clause.tokens[place - 1].word in ("to", "at") or place == clause.stop - 1)
        ]
        if near:
            yield _amount(clause, "<=", near[0], mark)


def _amount(clause: Clause, relation: Relation, place: int, mark: Mark) -> Amount:
    value = clause.tokens[place].value
    return Amount(relation, 0.0 if value is None else value, place, places([mark]) | {place})
