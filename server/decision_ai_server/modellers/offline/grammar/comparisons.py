"""Two versions side by side: "compare with main", "what changed since version 1"."""

from collections.abc import Iterator

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.patterns import pattern, spoken
from decision_ai_server.modellers.offline.grammar.version_names import (
    HERE,
    version_named,
    versions_there_are,
)
from decision_ai_server.modellers.offline.meaning import Compare, Reading

_RANK = -3
_A, _B = "(?P<a>.+?)", "(?P<b>.+?)"
_WITH = "with|to|against|and|versus|vs|from"
_DIFFERENT = "changed?|different|new|differs?|the differences?|the changes"
_SHOW = r"(?:(?:show|tell|give|list|see|print)(?: me| us)?(?: the| all)*|the) (?:differences?|changes|diff)"
_COMPARE = pattern(
    rf"compare (?:the )?{_A} (?:{_WITH}) {_B}",
    rf"compare (?:{_WITH}) {_B}",
    rf"what (?:(?:has|have|is|are|was|did) )?(?:(?:i|we|you|been) )?(?:{_DIFFERENT})"
    rf"(?: (?:here|in the model))? (?:since|compared with|compared to|{_WITH}) {_B}",
    rf"(?:what (?:(?:is|are|has|have) )?(?:{_DIFFERENT})|{_SHOW}|differences?|diff)"
    rf" between (?:the )?{_A} and {_B}",
    rf"(?:how|where|in what) (?:does|do|is|are|has|have) {_A} (?:differ|different|compare|changed)"
    rf"(?: (?:since|{_WITH}))? {_B}",
    rf"{_SHOW} (?:since|{_WITH}) {_B}",
)
_SO_FAR = pattern(
    r"what (?:has|have|did) (?:i|we|you|been) (?:all )?changed?(?: (?:so far|until now|up to now))?",
    r"what (?:has |have )?(?:all )?changed (?:so far|until now|up to now)",
)


def read_comparisons(clause: Clause) -> Iterator[Reading]:
    """Questions and orders that compare two versions."""
    line, past = spoken(clause), clause.vocabulary.past
    if line.match(_SO_FAR) is not None:
        yield Reading(meanings=(Compare(a="0"),), used=frozenset(clause.places), rank=_RANK)
    found = line.match(_COMPARE)
    if found is None:
        return
    sides = [found.said("a") or HERE, found.said("b") or HERE]
    pair = [version_named(words, past, bare=True) for words in sides]
    if all(words.isdecimal() and int(words) >= len(past.parents) for words in sides if words != HERE):
        return
    others = [version for version in pair if version not in (None, HERE)]
    if None not in pair and others:
        # As said, the older side mostly first; the present version is always the second.
        meaning = Compare(a=others[0] or "0", b=others[1] if len(others) > 1 else None)
        yield Reading(meanings=(meaning,), used=found.used, rank=_RANK)
    elif others or found.said("a") is None:
        question = (
            f"Which version do you mean by {sides[pair.index(None)]!r}? There are {versions_there_are(past)}."
        )
        yield Reading(meanings=(), used=found.used, rank=_RANK, question=question)
