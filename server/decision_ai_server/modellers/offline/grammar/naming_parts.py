"""Which part of the model a few words name: among those that are there, and those that were."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.grammar.rules import rate_rules, rule_words
from decision_ai_server.modellers.offline.naming import listed
from decision_ai_server.modellers.offline.past import Component, Kind, Named

_ENOUGH = 0.7
_CLEAR = 1.15
_MOST_LISTED = 12
_KINDS: dict[str, Kind] = {
    "variable": "variable", "variables": "variable", "family": "variable", "families": "variable",
    "decision": "variable", "decisions": "variable", "objective": "objective", "goal": "objective",
    "target": "objective", "aim": "objective",
}  # fmt: skip
_JOINS = frozenset({"and", ",", "&"})
N = TypeVar("N", bound=Named)


@dataclass(frozen=True)
class Chosen:
    """The part that is meant, or what to ask instead; neither where the words name nothing."""

    part: Component | None = None
    question: str | None = None


def named(clause: Clause, things: Sequence[N]) -> list[N]:
    """The things that the words name about equally well; one if it is clear, none if nothing fits."""
    said = {clause.tokens[place].word for place in clause.places}
    exact = [thing for thing in things if thing.id.lower() in said]
    if len({thing.id for thing in exact}) == 1:
        return exact[:1]
    rated = [entry for entry in rate_rules(clause, things) if entry[0] >= _ENOUGH]
    return [thing for score, thing, _ in rated if rated[0][0] < score * _CLEAR]


def component(clause: Clause, preferred: Callable[[Component], bool]) -> Chosen:
    """The part that the words name; of several that fit alike, the preferred one."""
    every = _of_kind(clause, clause.vocabulary.past.components)
    found = named(clause, every) or (every if len(every) == 1 else [])
    if len(found) > 1:
        found = [part for part in found if preferred(part)] or found
    if len(found) == 1:
        return Chosen(part=found[0])
    return Chosen(question=f"Which do you mean: {either(found)}?") if found else Chosen()


def listed_parts(clause: Clause) -> list[Clause]:
    """The things of a list such as "the capacity and the budget rule"."""
    parts: list[Clause] = []
    start = clause.start
    for place in clause.places:
        if clause.tokens[place].word in _JOINS:
            parts.append(clause.part(start, place))
            start = place + 1
    return [part for part in [*parts, clause.part(start, clause.stop)] if part.start < part.stop]


def either(things: Iterable[Named]) -> str:
    """Ids to choose from."""
    return " or ".join(repr(id) for id in list(dict.fromkeys(thing.id for thing in things))[:5])


def unknown_part(clause: Clause) -> str:
    """What to ask where the words name no part: it says what there is."""
    words = " ".join(clause.tokens[place].text for place in clause.places)
    ids = listed([part.id for part in clause.vocabulary.past.components], most=_MOST_LISTED)
    return f"I do not know which part of the model {words!r} is. There are {ids}. Which do you mean?"


def _of_kind(clause: Clause, parts: Sequence[Component]) -> list[Component]:
    """The parts of the kind that is spoken of, such as "the overtime rule"; all if none is."""
    said = [_KINDS[word] for p in clause.places if (word := clause.tokens[p].word) in _KINDS]
    kind = said[0] if said else "constraint" if rule_words(clause) else None
    return [part for part in parts if kind in (None, part.kind)]
