"""Which members of a family a clause speaks of."""

from dataclasses import dataclass

from decision_ai_server.modellers.offline.data_walk import Path
from decision_ai_server.modellers.offline.grammar.clause import Clause, places
from decision_ai_server.modellers.offline.linking import NounSpan
from decision_ai_server.modellers.offline.meaning import Filter, Selection
from decision_ai_server.modellers.offline.vocabulary import FamilyEntry, Vocabulary

_EACH = frozenset({"each", "every", "per", "any", "a", "an", "no", "single"})


@dataclass(frozen=True)
class Chosen:
    """A selection and the words that say it."""

    selection: Selection
    used: frozenset[int]


def indexing(vocabulary: Vocabulary) -> frozenset[int]:
    """The collections that index some family."""
    return frozenset(
        dimension.collection
        for family in vocabulary.families
        for dimension in family.dimensions
        if dimension.collection is not None
    )


def needed(clause: Clause) -> frozenset[int]:
    """The collections a family must run over to fit the labels of a clause."""
    return frozenset(span.collection for span in clause.labels) & indexing(clause.vocabulary)


def positions(family: FamilyEntry, collection: int) -> list[int]:
    """The index positions of a family that run over a collection."""
    return [place for place, dimension in enumerate(family.dimensions) if dimension.collection == collection]


def choose(
    clause: Clause, family: FamilyEntry, weight: Path | None = None, *, repeat: bool = True
) -> Chosen | None:
    """The members that the labels and the "each" of a clause select; None if a label does not fit."""
    weighted = () if weight is None else tuple(step for step in weight if isinstance(step, int))
    filters: dict[int, Filter] = {}
    pinned = {}
    for collection, found in clause.label_filters().items():
        possible = positions(family, collection)
        if possible:
            filters |= _placed(clause, possible, collection, found)
        elif collection in weighted and found.labels is not None and len(found.labels) == 1:
            pinned[collection] = found.labels[0]
        else:
            return None
    indices = {dimension.collection for dimension in family.dimensions}
    if any(step not in indices and step not in pinned for step in weighted):
        return None
    each, group, used = _each(clause, family, filters) if repeat else ((), None, frozenset[int]())
    selection = Selection(
        family=family.id, filters=filters, weight=weight, pinned=pinned, each=each, each_value=group
    )
    return Chosen(selection, used | clause.label_places)


def _placed(clause: Clause, possible: list[int], collection: int, found: Filter) -> dict[int, Filter]:
    """A filter at its index position; of two positions alike, "from" means the first, else the last."""
    if len(possible) == 1:
        return {possible[0]: found}
    spans = [span for span in clause.labels if span.collection == collection]
    starts = [span for span in spans if _word_before(clause, span.start) in ("from", "leaving", "after")]
    if len(starts) == 1 and len(spans) == 2:
        end = next(span for span in spans if span not in starts)
        return {possible[0]: Filter(labels=starts[0].labels), possible[-1]: Filter(labels=end.labels)}
    return {possible[0] if starts else possible[-1]: found}


def _word_before(clause: Clause, place: int) -> str:
    while place > clause.start and clause.tokens[place - 1].word in ("the", "a"):
        place -= 1
    return clause.tokens[place - 1].word if place > clause.start else ""


def _each(
    clause: Clause, family: FamilyEntry, filters: dict[int, Filter]
) -> tuple[tuple[int, ...], Path | None, frozenset[int]]:
    each: list[int] = []
    group: Path | None = None
    used: set[int] = set()
    for noun in clause.nouns:
        before = _quantifier(clause, noun)
        if before is None or not positions(family, noun.collection):
            continue
        used |= {before, noun.start}
        if noun.group is not None:
            group = noun.group
        else:
            each.append(positions(family, noun.collection)[-1 if len(family.dimensions) < 3 else 0])
    alone = _each_variable(clause, family)
    if alone:
        each += [place for place in range(len(family.dimensions)) if place not in filters]
        used |= alone
    people = clause.marks("nobody", "everybody")
    if people:
        spoken = {noun.collection for noun in clause.nouns}
        free = [
            place
            for place, dimension in enumerate(family.dimensions)
            if place not in filters and dimension.collection not in spoken
        ]
        each += free[:1]
        used |= places(people)
    return tuple(dict.fromkeys(each)), group, frozenset(used)


def _each_variable(clause: Clause, family: FamilyEntry) -> frozenset[int]:
    """Read 'every level': where the variables are meant one by one."""
    return frozenset(
        place - 1
        for place in clause.content
        if place > clause.start
        and clause.tokens[place].stem in family.words
        and clause.tokens[place - 1].word in ("each", "every")
    )


def _quantifier(clause: Clause, noun: NounSpan) -> int | None:
    """Position of the "each", "a" or "no" that a noun stands behind, adjectives in between allowed."""
    place = noun.start - 1
    while place >= clause.start and noun.start - place <= 4:
        token = clause.tokens[place]
        spread = token.word == "all" and clause.tokens[place - 1].word in ("in", "for", "on", "at")
        if token.word in _EACH or (spread and place > clause.start):
            return place
        plain = token.kind == "word" and place not in {mark.start for mark in clause.marks("above", "below")}
        if (
            token.word not in ("of", "the")
            and place not in clause.label_places
            and not (plain and place == noun.start - 1)
        ):
            return None
        place -= 1
    return None
