"""What is brought back to what it was at first: "reset the budget rule", "restore the original objective"."""

from collections.abc import Iterator

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.naming_parts import (
    component,
    listed_parts,
    unknown_part,
)
from decision_ai_server.modellers.offline.grammar.patterns import pattern, spoken
from decision_ai_server.modellers.offline.grammar.rules import rule_words
from decision_ai_server.modellers.offline.meaning import DataReset, Reading, Reset
from decision_ai_server.modellers.offline.past import Component

_RANK = -3
# A word of the name itself, not a related one.
_CLEARLY = 4.0
_WHAT = "(?P<what>.+?)"
_AT_FIRST = (
    r"originally|at first|initially|in the original(?: model)?|in the beginning|at the (?:start|beginning)|"
    r"to (?:start|begin) with|when .+"
)
_ORIGINAL = (
    rf"(?:(?:how|what|the way|as|where) (?:it|they) (?:was|were|used to be)(?: (?:{_AT_FIRST}|before))?|"
    r"(?:the|its|their) (?:original|initial|first|old|base)"
    r"(?: (?:state|form|version|one|value|values|wording|formula|definition|model))?|"
    rf"(?:the )?defaults?|{_AT_FIRST})"
)
_RESET = pattern(
    rf"reset {_WHAT}(?: (?:back )?(?:to )?{_ORIGINAL})?",
    rf"(?:put|bring|set|change|turn|get|take) {_WHAT} back (?:to )?{_ORIGINAL}",
    rf"(?:put|bring|change|get) back {_WHAT} (?:to )?{_ORIGINAL}",
    rf"(?:restore|revert|return) {_WHAT} (?:back )?(?:to )?{_ORIGINAL}",
    rf"(?:restore|reinstate|use|bring back|go back to|return to|revert to|put back|back to|switch back to)"
    rf" (?:the|its) (?:original|initial|old) {_WHAT}",
    rf"(?:undo|revert|take back) (?:(?:all|every|the|my|any|changes?|edits?) )+(?:to|of|in) {_WHAT}",
    rf"(?:make|leave|have) {_WHAT} (?:again )?{_ORIGINAL}",
)
# These name a version, not a part of it.
_VERSIONS = frozenset(
    {"model", "version", "state", "one", "everything", "all", "formulation", "branch", "to"}
)


def read_resets(clause: Clause) -> Iterator[Reading]:
    """Orders that bring one part back to what it was when the model was opened."""
    found = spoken(clause).match(_RESET)
    if found is None:
        return
    what = found.part("what")
    words = [what.tokens[place].word for place in what.places]
    if not _VERSIONS.isdisjoint(words):
        return
    parts = listed_parts(what)
    meanings = [_meaning(part) for part in parts]
    known = [meaning for meaning in meanings if meaning is not None]
    if len(known) == len(parts):
        yield Reading(meanings=tuple(known), used=found.used, rank=_RANK)
    elif len(parts) == 1:
        question = component(what, _differs).question or unknown_part(what)
        yield Reading(meanings=(), used=found.used, rank=_RANK, question=question)


def _meaning(what: Clause) -> Reset | DataReset | None:
    """A part that the words name; where that is as it was, or there is none, a field of the data."""
    part = component(what, _differs).part
    fields = [attribute for fit, attribute in what.attributes() if fit.named and fit.score >= _CLEARLY]
    about_data = part is None or not part.differs or bool(what.labels)
    if fields and about_data and what.vocabulary.past.data_changed and not rule_words(what):
        return DataReset(attribute=fields[0].path, filters=what.label_filters())
    return None if part is None else Reset(id=part.id)


def _differs(part: Component) -> bool:
    return part.differs
