"""Changes of the data: "the toolbox weighs 9.2 kg", "raise demand by 10 %"."""

from collections.abc import Iterable, Iterator

from decision_ai_server.modellers.offline.data_walk import Attribute
from decision_ai_server.modellers.offline.grammar.clause import Clause, Fit, places
from decision_ai_server.modellers.offline.lexicon import STOP_WORDS, unit
from decision_ai_server.modellers.offline.meaning import DataScale, DataSet, Filter, Reading

_CLOSE = 0.2
_ENOUGH = 1.5
_IN_NAMES = frozenset({"max", "maximum", "min", "minimum"})
_QUANTIFIERS = frozenset({"all", "every", "each", "any", "per", "everywhere", "always"})


def read_data_edits(clause: Clause) -> Iterator[Reading]:
    """New values, and values raised or lowered."""
    bounds = clause.marks("at_most", "at_least")
    # "Max" and "min" may belong to the name of a field; every other comparison makes it a rule.
    compared = [mark for mark in bounds if clause.tokens[mark.start].word not in _IN_NAMES]
    if compared or clause.marks("between", "if"):
        return
    yield from _scales(clause)
    numbers, old = _new_and_old(clause)
    if numbers and not clause.marks("minimize", "maximize"):
        yield from _sets(clause, numbers, old)


def _new_and_old(clause: Clause) -> tuple[list[int], frozenset[int]]:
    """The numbers that are set, and the places of those that were there before ("not 200")."""
    numbers = [place for place in clause.numbers if clause.tokens[place].kind == "number"]
    used: set[int] = set()
    kept: list[int] = []
    for place in numbers:
        before = clause.tokens[place - 1].word if place > clause.start else ""
        marks = [m for m in clause.marks("instead", "negation") if 0 <= place - m.stop <= 1]
        is_start = before == "from" and any(
            clause.tokens[other - 1].word == "to" for other in numbers if other > place
        )
        if (marks or is_start) and len(numbers) > 1:
            used |= {place} | places(marks)
        else:
            kept.append(place)
    return kept, frozenset(used)


def _sets(clause: Clause, numbers: list[int], old: frozenset[int]) -> Iterator[Reading]:
    verbs = clause.marks("set", "raise", "lower")
    before = {clause.tokens[place - 1].word for place in numbers if place > clause.start}
    if not verbs and not before & {"to", "=", "is", "at"}:
        return
    found = [_set(clause, _segment(clause, numbers, index), place) for index, place in enumerate(numbers)]
    readings = [reading for reading in found if reading is not None]
    if len(readings) < len(numbers):
        return
    extra = old | places(clause.marks("set", "raise", "lower"))
    question = next((reading.question for reading in readings if reading.question), None)
    yield Reading(
        meanings=tuple(meaning for reading in readings for meaning in reading.meanings),
        used=extra.union(*(reading.used for reading in readings)),
        rank=2 if clause.marks("must") else 0,
        question=question,
    )


def _segment(clause: Clause, numbers: list[int], index: int) -> list[int]:
    """The words that belong to one of several numbers: those since the last one, and its unit."""
    if len(numbers) == 1:
        return list(clause.places)
    start = numbers[index - 1] + 1 if index else clause.start
    return list(range(start, min(numbers[index] + 2, clause.stop)))


def _set(clause: Clause, words: list[int], place: int) -> Reading | None:
    before = clause.tokens[place - 1].word if place > clause.start else ""
    # "1 kg more" says by how much, "more, to 5" says to what.
    behind = any(place < mark.start <= place + 2 for mark in clause.marks("raise", "lower"))
    by = before == "by" or (behind and before != "to")
    lowered = bool(clause.marks("lower")) and not clause.marks("raise")
    if by and not clause.marks("raise", "lower"):
        return None
    rated = _rated(clause, words, place)
    if not rated:
        return None
    fit, attribute = rated[0]
    if _is_rule(clause, attribute):
        return None
    filters = _segment_filters(clause, words)
    value = clause.tokens[place].value or 0.0
    meaning = DataSet(
        attribute=attribute.path, filters=filters, value=-value if by and lowered else value, by=by
    )
    spoken = clause.label_places if filters == clause.label_filters() else _segment_labels(clause, words)
    used = fit.used | spoken | {place} | _quantifiers(clause) | _unit_after(clause, place)
    used |= places(clause.marks("limit_verb"))
    return Reading(meanings=(meaning,), used=used, question=_question(clause, rated, filters))


def _is_rule(clause: Clause, attribute: Attribute) -> bool:
    """Whether "limit the stock to 100 in each month" is a rule: the field is not the one that is said."""
    said = {clause.tokens[place].stem for place in clause.content}
    limited = bool(clause.marks("limit_verb")) and not set(attribute.words) <= said
    elsewhere = any(
        noun.group is None
        and noun.collection not in attribute.collections
        and noun.start > clause.start
        and clause.tokens[noun.start - 1].word in ("each", "every")
        for noun in clause.nouns
    )
    return limited or elsewhere


def _segment_filters(clause: Clause, words: list[int]) -> dict[int, Filter]:
    """The labels of one of several numbers: its own, or those of the whole clause if it has none."""
    own = clause.part(words[0], words[-1] + 1)
    return own.label_filters() or clause.label_filters()


def _segment_labels(clause: Clause, words: list[int]) -> frozenset[int]:
    return clause.part(words[0], words[-1] + 1).label_places


def _rated(clause: Clause, words: Iterable[int], place: int | None) -> list[tuple[Fit, Attribute]]:
    """The numeric fields that the words and labels fit, best first."""
    collections = set(clause.label_filters())
    over = [word for word in words if word in clause.content or clause.tokens[word].word in ("x", "y", "z")]
    rated = []
    for attribute in clause.vocabulary.attributes:
        if attribute.kind != "number" or not collections <= set(attribute.collections):
            continue
        fit = clause.fit(attribute.words, attribute.doc, over=over)
        in_unit = place is not None and any(
            unit(clause.tokens[after].stem) in {unit(word) for word in attribute.doc}
            for after in _unit_after(clause, place)
        )
        score = (
            fit.score
            + (1.5 if in_unit else 0.0)
            + (0.5 if collections == set(attribute.collections) else 0.0)
        )
        if score >= _ENOUGH and fit.used:
            rated.append((Fit(score, fit.used), attribute))
    return sorted(rated, key=lambda pair: -pair[0].score)


def _question(clause: Clause, rated: list[tuple[Fit, Attribute]], filters: dict[int, Filter]) -> str | None:
    rivals = [attribute for fit, attribute in rated[1:] if rated[0][0].score - fit.score < _CLOSE]
    if rivals:
        names = " or ".join(repr(attribute.name) for attribute in [rated[0][1], *rivals[:3]])
        return f"Which value do you mean: {names}?"
    open_ones = [number for number in rated[0][1].collections if number not in filters]
    if open_ones and not _quantifiers(clause):
        collection = clause.vocabulary.collections[open_ones[0]]
        names = ", ".join(map(str, collection.labels[:6]))
        more = ", …" if len(collection.labels) > 6 else ""
        return f"For which do you mean {rated[0][1].name!r}: {names}{more}, or all of them?"
    return None


def _quantifiers(clause: Clause) -> frozenset[int]:
    return frozenset(place for place in clause.places if clause.tokens[place].word in _QUANTIFIERS)


def _unit_after(clause: Clause, place: int) -> frozenset[int]:
    after = place + 1
    usable = after < clause.stop and clause.tokens[after].kind == "word" and after not in clause.label_places
    if usable and clause.tokens[after].word in ("a", "an", "per"):
        after += 1
        usable = after < clause.stop
    return frozenset({after}) if usable and clause.tokens[after].word not in STOP_WORDS else frozenset()


def _scales(clause: Clause) -> Iterator[Reading]:
    factor, used = _factor(clause)
    if factor is None:
        return
    place = next(iter(p for p in clause.numbers), None)
    rated = _rated(clause, clause.content, place)
    if not rated:
        return
    fit, attribute = rated[0]
    rivals = [other for other_fit, other in rated[1:] if fit.score - other_fit.score < _CLOSE]
    names = " or ".join(repr(other.name) for other in [attribute, *rivals[:3]])
    meaning = DataScale(attribute=attribute.path, filters=clause.label_filters(), factor=factor)
    nouns = places(noun for noun in clause.nouns if noun.collection in attribute.collections)
    yield Reading(
        meanings=(meaning,),
        used=used | fit.used | clause.label_places | _quantifiers(clause) | nouns,
        question=f"Which value do you mean: {names}?" if rivals else None,
    )


def _factor(clause: Clause) -> tuple[float | None, frozenset[int]]:
    for kind, factor in (("double", 2.0), ("halve", 0.5)):
        if clause.marks(kind):
            return factor, places(clause.marks(kind))
    percent = [place for place in clause.numbers if clause.tokens[place].kind == "percent"]
    up, down = clause.marks("raise", "above"), clause.marks("lower", "below")
    if len(percent) != 1 or not (up or down):
        return None, frozenset()
    share = (clause.tokens[percent[0]].value or 0.0) / 100
    used = frozenset(percent) | places((*up, *down)) | places(clause.marks("set"))
    if percent[0] > clause.start and clause.tokens[percent[0] - 1].word == "to":
        return share, used
    falls = bool(down) and not any(mark.start < down[0].start for mark in up)
    return round(1 - share if falls else 1 + share, 12), used
