"""The objective: replaced by a total, or turned round."""

from collections.abc import Iterator

from decision_ai_server.modellers.offline.grammar.clause import Clause, places
from decision_ai_server.modellers.offline.grammar.selecting import Chosen, choose, indexing
from decision_ai_server.modellers.offline.lexicon import related
from decision_ai_server.modellers.offline.meaning import ObjectiveReplace, ObjectiveSense, Reading, Selection
from decision_ai_server.modellers.offline.words import stems

_CLOSE = 0.2
_ENOUGH = 1.5


def read_goals(clause: Clause) -> Iterator[Reading]:
    """What to minimise or maximise from now on."""
    senses = clause.marks("minimize", "maximize")
    dropped = places(clause.marks("negation", "leave", "out", "switch_off"))
    if dropped and not senses and not clause.labels and not clause.numbers:
        yield from _dropped(clause, dropped)
    if not senses or clause.numbers or dropped:
        return
    sense = "minimize" if senses[0].kind == "minimize" else "maximize"
    spoken = places(senses) | places(clause.marks("objective", "instead", "only", "together", "for_now"))
    rated = sorted(_totals(clause), key=lambda entry: -entry[0])
    if not rated:
        about = frozenset(p for p in clause.content if p not in spoken and _of_goal(clause, p))
        ordered = any(clause.tokens[mark.start].stem.startswith(("minimi", "maximi")) for mark in senses)
        if ordered and not clause.labels and not set(clause.content) - spoken - about:
            spoken |= about
            yield Reading(meanings=(ObjectiveSense(sense=sense),), used=spoken)
        return
    best, chosen = rated[0]
    rivals = [other for score, other in rated[1:] if best - score < _CLOSE]
    question = None
    if rivals:
        names = " or ".join(_named(clause, other.selection) for other in [chosen, *rivals[:3]])
        question = f"Which total do you mean: {names}?"
    meaning = ObjectiveReplace(sense=sense, selection=chosen.selection)
    yield Reading(meanings=(meaning,), used=spoken | chosen.used, question=question)


def _of_goal(clause: Clause, place: int) -> bool:
    """Whether a word speaks of the present objective."""
    word = clause.tokens[place].stem
    return any(word == known or related(word, known) for known in stems(clause.vocabulary.objective_doc))


def _dropped(clause: Clause, spoken: frozenset[int]) -> Iterator[Reading]:
    """Read 'Leave the price out of the goal': says nothing by itself, but belongs to a new objective."""
    about = places(clause.marks("objective")) | _words(clause, "look", "car", "mind")
    if about:
        yield Reading(meanings=(), used=spoken | about | places(clause.marks("show", "for_now")), rank=1)


def _totals(clause: Clause) -> Iterator[tuple[float, Chosen]]:
    wanted = {span.collection for span in clause.labels} & indexing(clause.vocabulary)
    counted = any(clause.tokens[place].stem in ("number", "count", "many", "few") for place in clause.places)
    for fit, family in clause.families(wanted):
        plain = choose(clause, family)
        nouns = [n for n in clause.nouns if n.collection in {d.collection for d in family.dimensions}]
        score = fit.score + (3.0 if counted and nouns and family.discrete else 0.0)
        if plain is not None and score >= _ENOUGH:
            used = plain.used | fit.used | places(nouns) | _words(clause, "number", "count")
            yield score, Chosen(plain.selection, used)
        for named, attribute in clause.attributes():
            weighted = choose(clause, family, attribute.path)
            pinned_only = bool(weighted and weighted.selection.pinned)
            score = named.score + 0.3 * fit.score + (2.0 if pinned_only else 0.0)
            if weighted is not None and attribute.collections and score >= _ENOUGH:
                yield score, Chosen(weighted.selection, weighted.used | named.used | fit.used)
        yield from _pinned(clause, family.id)


def _pinned(clause: Clause, family_id: str) -> Iterator[tuple[float, Chosen]]:
    """A label of a collection that indexes no family, such as a nutrient: the table that holds it."""
    family = clause.vocabulary.family(family_id)
    outside = {span.collection for span in clause.labels} - indexing(clause.vocabulary)
    for attribute in clause.vocabulary.attributes:
        if attribute.kind == "number" and outside and outside <= set(attribute.collections):
            weighted = choose(clause, family, attribute.path)
            if weighted is not None and set(attribute.collections) - outside:
                yield 3.0, weighted


def _words(clause: Clause, *words: str) -> frozenset[int]:
    return frozenset(place for place in clause.places if clause.tokens[place].stem in words)


def _named(clause: Clause, selection: Selection) -> str:
    if selection.weight is None:
        return f"the total of {selection.family!r}"
    return f"{clause.vocabulary.attribute(selection.weight).name!r} summed over {selection.family!r}"
