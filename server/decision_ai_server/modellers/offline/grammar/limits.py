"""Limits: "at most five items", "the outdoor things must not weigh more than 12 kg"."""

from collections.abc import Iterator
from dataclasses import dataclass

from decision_ai_server.modellers.offline.data_walk import Attribute
from decision_ai_server.modellers.offline.grammar.amounts import Amount, amounts
from decision_ai_server.modellers.offline.grammar.clause import Clause, Fit, places
from decision_ai_server.modellers.offline.grammar.selecting import Chosen, choose, needed, positions
from decision_ai_server.modellers.offline.lexicon import STOP_WORDS, related, unit
from decision_ai_server.modellers.offline.linking import LabelSpan
from decision_ai_server.modellers.offline.meaning import (
    Cardinality,
    DataSet,
    Meaning,
    Reading,
    Relation,
    TotalLimit,
)
from decision_ai_server.modellers.offline.naming import Naming, listed
from decision_ai_server.modellers.offline.vocabulary import FamilyEntry

_GENERIC = frozenset({"thing", "item", "piec", "element", "object", "choice", "one"})
_CLOSE = 0.2


@dataclass(frozen=True)
class _Candidate:
    score: float
    family: FamilyEntry
    weight: Attribute | None
    used: frozenset[int]
    chosen: Chosen


def read_limits(clause: Clause) -> Iterator[Reading]:
    """Limits on a number of members or on a total."""
    found = amounts(clause)
    if not found:
        yield from _without_amount(clause)
        return
    yield from _bounds_in_data(clause, found)
    candidates = sorted(_candidates(clause, found[-1]), key=lambda candidate: -candidate.score)
    if not candidates:
        return
    best = candidates[0]
    rivals = [other for other in candidates[1:] if best.score - other.score < _CLOSE]
    question = None
    if rivals:
        names = " or ".join(_named(candidate) for candidate in [best, *rivals[:3]])
        question = f"What should the limit apply to: {names}?"
    question = question or _combinations(clause, best)
    for rank, candidate in enumerate(candidates[:3]):
        meanings = tuple(_meaning(candidate, amount) for amount in found)
        used = frozenset().union(*(amount.used for amount in found)) | candidate.used
        yield Reading(
            meanings=meanings,
            used=used,
            rank=rank,
            question=question if rank <= len(rivals) else _combinations(clause, candidate),
        )


def _without_amount(clause: Clause) -> Iterator[Reading]:
    """Read 'Limit the kitchen things': how much is still to be said."""
    verbs = [mark for mark in clause.marks("limit_verb") if clause.tokens[mark.start].stem != "keep"]
    things = sorted(clause.label_places | places(clause.nouns))
    if not verbs or verbs[0].start != clause.start or not things or clause.marks("rule", "negation")[1:]:
        return
    used = places(verbs) | frozenset(things)
    words = " ".join(clause.tokens[place].text for place in range(verbs[0].stop, clause.stop))
    question = f"What is the limit on {words}: at most how much, or how many?"
    yield Reading(meanings=(), used=used, question=question)


def _combinations(clause: Clause, candidate: _Candidate) -> str | None:
    """What to ask where members are counted over an index that was not spoken of at all."""
    family, selection = candidate.family, candidate.chosen.selection
    if candidate.weight is not None or not family.binary or clause.marks("together"):
        return None
    free = [
        dimension.collection
        for place, dimension in enumerate(family.dimensions)
        if place not in selection.filters and place not in selection.each
    ]
    if len(free) < 2:
        return None
    name = Naming(clause.vocabulary).collection
    spoken = {noun.collection for noun in clause.nouns}
    other = next((number for number in free if number not in spoken), free[-1])
    combined = listed([name(number) for number in free])
    return f"Is that for each {name(other)}, or for all combinations of {combined} in total?"


def _candidates(clause: Clause, amount: Amount) -> Iterator[_Candidate]:
    attributes = clause.attributes()
    for fit, family in clause.families(needed(clause)):
        plain, used = _plain_score(clause, family, amount)
        chosen = choose(clause, family)
        if plain > 0 and chosen is not None:
            yield _Candidate(plain + fit.score, family, None, used | fit.used | chosen.used, chosen)
        for named, attribute in attributes:
            weighted = choose(clause, family, attribute.path)
            if weighted is None or not attribute.collections:
                continue
            score = _weight_score(clause, named, family, attribute, weighted, amount)
            if score > 0:
                places_used = named.used | fit.used | weighted.used | _unit_place(clause, amount)
                yield _Candidate(score + 0.5 * fit.score, family, attribute, places_used, weighted)


def _plain_score(clause: Clause, family: FamilyEntry, amount: Amount) -> tuple[float, frozenset[int]]:
    """How well the number counts members, or the variables' own unit."""
    after = range(amount.place + 1, min(amount.place + 5, clause.stop))
    indices = {dimension.collection for dimension in family.dimensions}
    counted = [
        noun
        for noun in clause.nouns
        if noun.start in after
        and noun.group is None
        and clause.tokens[noun.start - 1].word not in ("each", "every", "per")
    ]
    bare = not _unit_place(clause, amount)
    grouped = _group_after(clause, amount)
    if family.discrete and grouped is not None and grouped.collection in indices:
        return 3.0, places([grouped])
    first = clause.tokens[amount.place + 1].stem if amount.place + 1 < clause.stop else ""
    own = {unit(word) for word in (*family.doc, *family.words)}
    measured = not bare and unit(first) in own and amount.place + 1 not in places(counted)
    if family.discrete and any(noun.collection in indices for noun in counted):
        return 3.0, places(noun for noun in counted if noun.collection in indices)
    if measured and not (family.discrete and counted):
        return 3.0, frozenset({amount.place + 1})
    if not family.discrete and any(noun.collection in indices for noun in counted):
        return 0.0, frozenset()  # counting what is positive needs variables that are not there
    if family.discrete and first in _GENERIC:
        return 2.0, frozenset({amount.place + 1})
    if family.discrete and family.full and not counted and any(related(first, word) for word in family.words):
        return 2.0, frozenset({amount.place + 1})
    spoken = bool(needed(clause)) or clause.fit(family.words, family.doc).named
    return (1.0, frozenset()) if bare and not counted and spoken else (0.0, frozenset())


def _group_after(clause: Clause, amount: Amount) -> LabelSpan | None:
    """The group right behind a number, as in "two seniors": it is what is counted."""
    groups = [span for span in clause.labels if span.subset is not None or len(span.labels) > 1]
    return next((span for span in groups if span.start == amount.place + 1), None)


def _unit_place(clause: Clause, amount: Amount) -> frozenset[int]:
    place = amount.place + 1
    if place >= clause.stop or place in clause.label_places or clause.tokens[place].kind != "word":
        return frozenset()
    return frozenset() if clause.tokens[place].word in STOP_WORDS else frozenset({place})


_NEVER_WEIGHTS = (("upper",), ("lower",))
"""Fields that bound a family: a plan is not weighed by them."""


def _weight_score(
    clause: Clause, named: Fit, family: FamilyEntry, attribute: Attribute, chosen: Chosen, amount: Amount
) -> float:
    """How well a field is the one to sum up: named by the words, or measured in the unit of the number."""
    if attribute.words == family.words or attribute.words in _NEVER_WEIGHTS:
        return 0.0  # the family's own coefficient in a row of an imported model, or its bound
    units = {unit(word) for word in attribute.units}
    after = _unit_place(clause, amount)
    counted = any(noun.start in after and noun.group is None for noun in clause.nouns)
    counted = counted or _group_after(clause, amount) is not None
    in_unit = any(unit(clause.tokens[place].stem) in units for place in after)
    own = {unit(word) for word in family.doc}
    measured = not family.binary and any(unit(clause.tokens[place].stem) in own for place in after)
    if counted or not (named.named or (in_unit and not measured)):
        return 0.0
    score = named.score + (2.0 if in_unit else 0.0)
    if attribute.words[0] in ("max", "min"):
        score -= 2.0
    filters = chosen.selection.filters
    fixed = [
        any(
            (found := filters.get(place)) is not None and found.labels is not None and len(found.labels) == 1
            for place in positions(family, collection)
        )
        for collection in attribute.collections
        if collection not in chosen.selection.pinned
    ]
    # A field of one label is the same for all members: a factor, not something to sum up.
    return 0.0 if all(fixed) and len(family.dimensions) > 1 else score


def _meaning(candidate: _Candidate, amount: Amount) -> Meaning:
    counts = candidate.weight is None and candidate.family.discrete
    value = amount.value
    if counts and amount.strict:
        value += 1 if amount.relation == ">=" else -1
    kind = Cardinality if counts else TotalLimit
    return kind(selection=candidate.chosen.selection, relation=amount.relation, amount=value)


def _named(candidate: _Candidate) -> str:
    if candidate.weight is None:
        return f"the total of {candidate.family.id!r}"
    return f"{candidate.weight.name!r} summed over {candidate.family.id!r}"


_BOUND_WORDS: dict[Relation, frozenset[str]] = {
    ">=": frozenset({"min", "minimum", "least", "low", "lower", "floor"}),
    "<=": frozenset({"max", "maximum", "most", "high", "upper", "ceil", "cap", "capacity", "limit"}),
}


def _bounds_in_data(clause: Clause, found: tuple[Amount, ...]) -> Iterator[Reading]:
    """A bound that the data hold: "protein has to reach 110 g" sets the minimum of protein."""
    spans = clause.labels
    outside = {span.collection for span in spans} - needed(clause)
    if len(spans) != 1 or not outside or len(found) != 1 or len(spans[0].labels) != 1:
        return
    amount = found[0]
    words = _BOUND_WORDS.get(amount.relation, frozenset())
    for attribute in clause.vocabulary.attributes:
        if (
            attribute.kind == "number"
            and attribute.collections == tuple(outside)
            and words & set(attribute.words)
        ):
            meaning = DataSet(attribute=attribute.path, filters=clause.label_filters(), value=amount.value)
            used = amount.used | clause.label_places | _unit_place(clause, amount)
            yield Reading(meanings=(meaning,), used=used, rank=-1)
            return
