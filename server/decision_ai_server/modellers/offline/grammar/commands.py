"""What changes nothing: solve, show, look up a value, help; and undo."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from decision_ai_server.modellers.offline.data_walk import Attribute
from decision_ai_server.modellers.offline.grammar.clause import Clause, Fit, places
from decision_ai_server.modellers.offline.grammar.rules import rate_rules
from decision_ai_server.modellers.offline.meaning import Filter, Help, Reading, Show, Solve, Undo
from decision_ai_server.modellers.offline.words import stem

What = Literal["model", "constraints", "variables", "objective", "data", "solution", "history"]

_TOPIC_WORDS: dict[What, str] = {
    "constraints": "constraint rule limit restriction",
    "variables": "variable decision family",
    "objective": "objective goal target",
    "data": "data input parameter figure",
    "solution": "solution plan result answer outcome",
    "history": "history version change log branch",
    "model": "model formulation program code problem",
}
_TOPICS = {what: frozenset(map(stem, words.split())) for what, words in _TOPIC_WORDS.items()}
_SECONDS = {"s": 1, "sec": 1, "second": 1, "min": 60, "minut": 60, "h": 3600, "hour": 3600}
# Questions that only a solve can answer.
_BEYOND = frozenset({"why", "would", "happen", "happens"})
_MAX_UNDO_STEPS = 1000
Figure = Literal["value", "total", "largest", "smallest", "count", "members"]


def read_commands(clause: Clause) -> Iterator[Reading]:
    """Orders that need no label."""
    if clause.marks("show"):
        yield from _members(clause)
    if clause.labels or clause.marks("negation"):
        return
    if clause.marks("help"):
        yield Reading(meanings=(Help(),), used=frozenset(clause.places), rank=3)
    if clause.marks("solve"):
        yield from _solve(clause)
    if _only_undo(clause) or (clause.marks("undo") and not clause.marks("rule")):
        yield from _undo(clause)
    if clause.marks("show") or _only_topic(clause):
        yield from _show(clause)


def read_questions(clause: Clause) -> Iterator[Reading]:
    """Questions about the model and its data."""
    if clause.marks("if") or any(clause.tokens[place].word in _BEYOND for place in clause.places):
        return
    yield from (r for r in read_commands(clause) if not isinstance(r.meanings[0], Solve | Undo))
    yield from _properties(clause)
    yield from _values(clause)
    if not clause.labels:
        yield from _show(clause)


def _only_topic(clause: Clause) -> bool:
    """Whether a clause is one word such as "history"."""
    words = [clause.tokens[place].stem for place in clause.content]
    return len(words) == 1 and any(words[0] in names for names in _TOPICS.values())


def _solve(clause: Clause) -> Iterator[Reading]:
    limit, gap = None, None
    used = places(clause.marks("solve"))
    for place in clause.numbers:
        token = clause.tokens[place]
        after = clause.tokens[place + 1].stem if place + 1 < clause.stop else ""
        if token.kind == "percent":
            gap = (token.value or 0.0) / 100
        elif after in _SECONDS:
            limit = (token.value or 0.0) * _SECONDS[after]
            used |= {place + 1}
        else:
            return
        used |= {place}
    used |= places(clause.marks("at_most", "below", "objective", "show", "minimize", "set"))
    if (limit is None or limit > 0) and (gap is None or gap >= 0):
        yield Reading(meanings=(Solve(time_limit=limit, relative_gap=gap),), used=used)


def _only_undo(clause: Clause) -> bool:
    undo = places(clause.marks("undo"))
    return bool(undo) and not set(clause.content) - undo - places(clause.marks("rule"))


def _undo(clause: Clause) -> Iterator[Reading]:
    numbers = clause.numbers
    if len(numbers) > 1:
        return
    steps = clause.tokens[numbers[0]].value if numbers else 1.0
    if steps is not None and 1 <= steps <= _MAX_UNDO_STEPS and float(steps).is_integer():
        last = frozenset(
            p for p in clause.places if clause.tokens[p].stem in ("last", "chang", "step", "bit")
        )
        used = places(clause.marks("undo", "rule", "remove")) | frozenset(numbers) | last
        yield Reading(meanings=(Undo(steps=int(steps)),), used=used, rank=-1)


def _show(clause: Clause) -> Iterator[Reading]:
    asked = places(clause.marks("show", "question", "set"))
    topics = [
        (what, place)
        for place in clause.places
        for what, names in _TOPICS.items()
        if clause.tokens[place].stem in names
    ]
    rated = [entry for entry in rate_rules(clause, clause.vocabulary.rules) if entry[0] >= 3.0]
    if rated and (len(rated) == 1 or rated[0][0] > rated[1][0]):
        rule, words = rated[0][1], rated[0][2]
        used = words | asked | places(clause.marks("rule", "at_most", "at_least"))
        yield Reading(meanings=(Show(what="constraints", rule=rule.id),), used=used, rank=1)
    if topics:
        what, place = topics[0]
        used = asked | {place} | places(clause.marks("objective", "rule", "solve", "all"))
        yield Reading(meanings=(Show(what=what),), used=used)
    elif clause.marks("show"):
        yield from _values(clause)


def _members(clause: Clause) -> Iterator[Reading]:
    """Read 'list the items' and "how many kitchen items are there"."""
    numbers = {noun.collection for noun in clause.nouns if noun.group is None}
    filters = clause.label_filters()
    known = [number for number in sorted(numbers) if clause.vocabulary.collections[number].words]
    spoken = places(clause.nouns) | clause.label_places
    asking = places(clause.marks("show", "question", "each"))
    figured = _figure(clause)[0] != "value" or any(found.labels for found in filters.values())
    if len(known) != 1 or not set(filters) <= set(known) or set(clause.content) - spoken - asking:
        return
    if figured or clause.numbers:
        return
    number = known[0]
    found = filters.get(number, Filter())
    used = spoken | asking | clause.size_places
    figure: Figure = "count" if _asks_count(clause) else "members"
    path = tuple(str(step) for step in clause.vocabulary.collections[number].path if isinstance(step, str))
    meaning = Show(what="data", path=path, filters={number: found}, figure=figure)
    yield Reading(meanings=(meaning,), used=used, rank=-1)


def _properties(clause: Clause) -> Iterator[Reading]:
    """Read 'is the tent an outdoor item': the field that the second word is a value of."""
    named = [span for span in clause.labels if span.subset is None and len(span.labels) == 1]
    groups = [span for span in clause.labels if span.subset is not None]
    if len(named) != 1 or len(groups) != 1 or named[0].collection != groups[0].collection:
        return
    subset, number = groups[0].subset, named[0].collection
    if subset is None or clause.tokens[clause.start].word not in ("is", "are", "was", "does"):
        return
    filters = {number: Filter(labels=named[0].labels)}
    path = _path(subset.attribute, filters)
    used = clause.label_places | places(clause.nouns) | places(clause.marks("set"))
    meaning = Show(what="data", path=path, attribute=subset.attribute, filters=filters)
    yield Reading(meanings=(meaning,), used=used, rank=-1)


def _values(clause: Clause) -> Iterator[Reading]:
    """A value of the data, or a figure over a field."""
    yield from _members(clause)
    filters = clause.label_filters()
    rated = sorted(_rated(clause, set(filters)), key=lambda pair: -pair[0].score)
    figure, spoken = _figure(clause)
    asked = places(clause.marks("show", "question", "set", "may")) | spoken | clause.label_places
    if rated:
        fit, attribute = rated[0]
        path = _path(attribute.path, filters)
        if not attribute.collections:
            figure = "value"
        if attribute.kind == "labels" and figure == "value" and _asks_count(clause):
            figure = "count"
        meaning = Show(what="data", path=path, attribute=attribute.path, filters=filters, figure=figure)
        used = asked | fit.used | places(clause.nouns) | clause.size_places
        # Words that are left over ask for more than the data, unless the field is named outright.
        if figure != "value" and not fit.named:
            return
        if set(clause.content) <= used or (fit.named and (filters or figure != "value")):
            yield Reading(meanings=(meaning,), used=used)
    elif filters:
        number, found = next(iter(filters.items()))
        path = _path((*clause.vocabulary.collections[number].path, number), filters)
        yield Reading(meanings=(Show(what="data", path=path, filters={number: found}),), used=asked, rank=1)


def _rated(clause: Clause, collections: set[int]) -> Iterator[tuple[Fit, Attribute]]:
    for attribute in clause.vocabulary.attributes:
        if not collections <= set(attribute.collections):
            continue
        fit = clause.fit(attribute.words, attribute.doc)
        complete = 0.5 if collections == set(attribute.collections) else 0.0
        # Two labels of a table, as in "calcium in tofu", name its value by themselves.
        cell = 2.0 if complete and len(collections) > 1 else 0.0
        if fit.score + cell >= 0.8:
            yield Fit(fit.score + complete + cell, fit.used, fit.named or bool(cell)), attribute


def _path(path: tuple[str | int, ...], filters: dict[int, Filter]) -> tuple[str | int, ...]:
    """The path down to the first place where no single label is named."""
    result: list[str | int] = []
    for step in path:
        if isinstance(step, int):
            found = filters.get(step)
            if found is None or found.labels is None or len(found.labels) != 1:
                break
            result.append(str(found.labels[0]))
        else:
            result.append(step)
    return tuple(result)


def _figure(clause: Clause) -> tuple[Figure, frozenset[int]]:
    words: dict[Figure, frozenset[str]] = {
        "largest": frozenset(
            {"highest", "largest", "biggest", "greatest", "most", "heaviest", "longest", "dearest"}
        ),
        "smallest": frozenset({"lowest", "smallest", "least", "lightest", "shortest", "cheapest", "fewest"}),
        "total": frozenset({"total", "sum", "overall", "altogether", "together"}),
    }
    for figure, known in words.items():
        found = frozenset(place for place in clause.places if clause.tokens[place].word in known)
        if found:
            return figure, found | places(clause.marks("together", "each", "minimize", "maximize"))
    return "value", frozenset()


def _asks_count(clause: Clause) -> bool:
    words = [clause.tokens[place].word for place in clause.places]
    return any(pair == ("how", "many") for pair in pairwise(words))
