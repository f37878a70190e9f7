"""Remarks that ask for nothing, next to an order: "not possible", "that is too strict"."""

from collections.abc import Iterator

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.patterns import pattern, spoken
from decision_ai_server.modellers.offline.meaning import Reading

_REMARK = pattern(
    r"(?:(?:that|this|it)(?: is|'s)? )?(?:(?:not|too|so|very|really|a bit|much) )+"
    r"(?:possible|feasible|good|nice|bad|strict|tight|hard|much|expensive|cheap|enough|workable)"
    r"(?: i (?:guess|think|fear))?"
)


def read_remarks(clause: Clause) -> Iterator[Reading]:
    """A remark has no meaning for the model; its words are not left over."""
    if spoken(clause).match(_REMARK) is not None:
        yield Reading(meanings=(), used=frozenset(clause.places))
