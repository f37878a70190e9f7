"""Force, forbid, "not both", "if … then …"."""

from collections.abc import Iterator

from decision_ai_server.modellers.offline.grammar.amounts import amounts
from decision_ai_server.modellers.offline.grammar.clause import Clause, places
from decision_ai_server.modellers.offline.grammar.rules import rule_words
from decision_ai_server.modellers.offline.grammar.selecting import Chosen, choose, needed
from decision_ai_server.modellers.offline.meaning import (
    Cardinality,
    Filter,
    Forbid,
    Force,
    Implication,
    Meaning,
    PairConflict,
    Reading,
    Selection,
    Together,
)
from decision_ai_server.modellers.offline.vocabulary import FamilyEntry

_CLOSE = 0.2


def read_choices(clause: Clause) -> Iterator[Reading]:
    """What has to happen, must not happen, or must not happen together."""
    conditional = clause.marks("if")
    if conditional:
        yield from _implications(clause)
        return
    if not clause.labels or clause.numbers or amounts(clause):
        return
    if any(clause.tokens[place].word == "yes" for place in clause.places[1:]):
        return  # "camera no, speaker yes" says two things
    if clause.marks("either"):
        return  # one of them exactly, or at least one: unclear
    for rank, (family, question, used) in enumerate(_families(clause)):
        for reading in _readings(clause, family):
            yield reading.model_copy(
                update={"used": reading.used | used, "rank": reading.rank + rank, "question": question}
            )


def _families(clause: Clause) -> list[tuple[FamilyEntry, str | None, frozenset[int]]]:
    """The families a choice may be about, best first, the first with a question if a second is as good."""
    if not needed(clause) or {span.collection for span in clause.labels} - needed(clause):
        return []
    rated = [
        (fit.score + (1.0 if family.binary else 0.0), fit, family)
        for fit, family in clause.families(needed(clause))
    ]
    rated.sort(key=lambda entry: -entry[0])
    rivals = [family for score, _, family in rated[1:] if rated[0][0] - score < _CLOSE]
    question = None
    if rivals:
        names = " or ".join(repr(family.id) for family in [rated[0][2], *rivals[:3]])
        question = f"Which decision is this about: {names}?"
    return [(family, None if rank else question, fit.used) for rank, (_, fit, family) in enumerate(rated[:3])]


def _readings(clause: Clause, family: FamilyEntry) -> Iterator[Reading]:
    negations = clause.marks("negation", "nobody")
    forbidding = _forbidding(clause)
    pair = clause.marks("together", "both", "same")
    chosen = choose(clause, family)
    if chosen is None:
        return
    if negations and pair:
        yield from _pairs(clause, family, chosen, places(negations) | places(pair))
    if forbidding or negations:
        used = chosen.used | forbidding | places(negations)
        yield Reading(meanings=(Forbid(selections=(chosen.selection,)),), used=used, rank=1)
    elif pair and clause.marks("must"):
        yield from _joined(
            family, chosen, places(pair) | places(clause.marks("must", "too")) | _same_nouns(clause)
        )
    elif family.discrete and _forcing(clause, family):
        used = chosen.used | places(clause.marks("must", "include", "may", "everybody"))
        meanings: tuple[Meaning, ...] = (Force(selections=_separate(family, chosen.selection)),)
        if any(clause.tokens[place].word == "or" for place in clause.places):
            meanings = (Cardinality(selection=chosen.selection, relation=">=", amount=1),)
        yield Reading(meanings=meanings, used=used, rank=1)


def _forbidding(clause: Clause) -> frozenset[int]:
    found = places(clause.marks("forbid"))
    for leave in clause.marks("leave"):
        for out in clause.marks("out"):
            if out.start >= leave.stop:
                found |= places([leave, out])
    if not rule_words(clause):
        takes = [place for place in clause.places if clause.tokens[place].stem == "tak"]
        outs = [place for place in clause.places if clause.tokens[place].word in ("out", "away")]
        found |= {place for take in takes for out in outs if out > take for place in (take, out)}
    off = [place for place in clause.places if clause.tokens[place].word == "off"]
    if off and not clause.marks("switch_off"):
        found |= frozenset(off)
    return found


def _forcing(clause: Clause, family: FamilyEntry) -> bool:
    """Whether a clause demands: "must", "include …", or a command that begins with the family's verb."""
    if clause.marks("must", "include"):
        return True
    verbs = [place for place in clause.places if place not in clause.label_places]
    if len({span.collection for span in clause.labels}) < 2:
        # With one thing alone only an order, verb first, is clear enough.
        verbs = [place for place in verbs if place == clause.start]
    return clause.fit(family.words, frozenset(), over=verbs).named


def _pairs(clause: Clause, family: FamilyEntry, chosen: Chosen, used: frozenset[int]) -> Iterator[Reading]:
    for position, found in chosen.selection.filters.items():
        if found.labels is None or len(found.labels) < 2 or not family.binary or _same_group(clause):
            continue
        spoken = chosen.used | used | _same_nouns(clause)
        selection = _elsewhere_each(family, chosen.selection, position)
        meaning = PairConflict(selection=selection, position=position)
        yield Reading(meanings=(meaning,), used=spoken)


def _joined(family: FamilyEntry, chosen: Chosen, used: frozenset[int]) -> Iterator[Reading]:
    """Read 'A and B must be together': one is chosen just where the other is."""
    for position, found in chosen.selection.filters.items():
        if found.labels is not None and len(found.labels) == 2 and family.binary:
            meaning = Together(
                selection=_elsewhere_each(family, chosen.selection, position), position=position
            )
            yield Reading(meanings=(meaning,), used=chosen.used | used)


def _elsewhere_each(family: FamilyEntry, selection: Selection, position: int) -> Selection:
    """Repeat a rule over all other indices that are not of the same collection."""
    own = family.dimensions[position].collection
    each = tuple(
        place
        for place, dimension in enumerate(family.dimensions)
        if place not in selection.filters and dimension.collection != own
    )
    return selection.model_copy(update={"each": each})


def _same_nouns(clause: Clause) -> frozenset[int]:
    return frozenset(
        noun.start for noun in clause.nouns for mark in clause.marks("same") if noun.start == mark.stop
    )


def _same_group(clause: Clause) -> bool:
    """Whether "the same" is followed by a field, such as a day, that the index itself does not name."""
    starts = {mark.stop for mark in clause.marks("same")}
    return any(noun.group is not None and noun.start in starts for noun in clause.nouns)


def _separate(family: FamilyEntry, selection: Selection) -> tuple[Selection, ...]:
    """One selection for each combination of listed labels: each of them has to happen."""
    selections = [selection]
    for position, found in selection.filters.items():
        if found.labels is not None and len(found.labels) > 1:
            selections = [
                entry.model_copy(update={"filters": {**entry.filters, position: Filter(labels=(label,))}})
                for entry in selections
                for label in found.labels
            ]
    groups = [position for position, found in selection.filters.items() if found.labels is None]
    if groups and (len(family.dimensions) == 1 or len(groups) > 1):
        # "Kitchen items must be taken": all of them, while "on Saturday" is one shift of that day.
        selections = [entry.model_copy(update={"each": (groups[0],)}) for entry in selections]
    return tuple(selections)


def _implications(clause: Clause) -> Iterator[Reading]:
    condition, consequence = _halves(clause)
    if condition is None or consequence is None or clause.numbers:
        return
    families = [
        (fit, family)
        for fit, family in clause.families(needed(condition) | needed(consequence))
        if family.binary
    ]
    for fit, family in families[:1]:
        first = choose(condition, family, repeat=False)
        second = choose(consequence, family, repeat=False)
        if first is None or second is None or not first.used or not second.used:
            return
        negated = places(consequence.marks("negation", "forbid"))
        if condition.marks("negation", "forbid"):
            return
        meaning = Implication(condition=first.selection, consequence=second.selection, negated=bool(negated))
        used = (
            first.used | second.used | fit.used | negated | places(clause.marks("if", "then", "must", "too"))
        )
        yield Reading(meanings=(meaning,), used=used)


def _halves(clause: Clause) -> tuple[Clause | None, Clause | None]:
    """Condition and consequence of "if A, B", "if A then B" and "B if A"."""
    mark = clause.marks("if")[0]
    if mark.start > clause.start and any(span.stop <= mark.start for span in clause.labels):
        return clause.part(mark.stop, clause.stop), clause.part(clause.start, mark.start)
    breaks = [
        place
        for place in range(mark.stop, clause.stop)
        if clause.tokens[place].word in (",", "then") and any(span.stop <= place for span in clause.labels)
    ]
    if not breaks and len(clause.labels) == 2:
        # Without a comma, the second thing begins the second half.
        second = clause.labels[1].start
        return clause.part(mark.stop, second), clause.part(second, clause.stop)
    if not breaks:
        return None, None
    return clause.part(mark.stop, breaks[0]), clause.part(breaks[0] + 1, clause.stop)
