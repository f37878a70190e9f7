"""What changes nothing: solve, show, look up a value, help; and undo."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from decision_ai_server.modellers.offline.data_walk import Attribute
from decision_ai_server.modellers.offline.grammar.clause import Clause, Fit, places
from decision_ai_server.modellers.offline.grammar.rules import rate_rules
from decision_ai_server.modellers.offline.meaning import Filter, Help, Reading, Show, Solve, Undo

What = Literal["model", "constraints", "variables", "objective", "data", "solution", "history"]

_TOPICS: dict[What, frozenset[str]] = {
    "constraints": frozenset({"constraint", "rule", "limit", "restriction"}),
    "variables": frozenset({"variable", "decision", "famil", "family"}),
    "objective": frozenset({"objectiv", "goal", "target"}),
    "data": frozenset({"data", "input", "parameter", "figur"}),
    "solution": frozenset({"solution", "plan", "result", "answer", "outcom"}),
    "history": frozenset({"history", "version", "chang", "log"}),
    "model": frozenset({"model", "formulation", "program", "cod", "problem"}),
}
_SECONDS = {"s": 1, "sec": 1, "second": 1, "min": 60, "minut": 60, "h": 3600, "hour": 3600}
# Questions that only a solve can answer.
_BEYOND = frozenset({"why", "would", "happen", "happens"})
_MAX_UNDO_STEPS = 1000
Figure = Literal["value", "total", "largest", "smallest", "count"]


def read_commands(clause: Clause) -> Iterator[Reading]:
    """Orders that need no label."""
    if clause.labels or clause.marks("negation"):
        return
    if clause.marks("help"):
        yield Reading(meanings=(Help(),), used=frozenset(clause.places), rank=3)
    if clause.marks("solve"):
        yield from _solve(clause)
    if _only_undo(clause) or (clause.marks("undo") and not clause.marks("rule")):
        yield from _undo(clause)
    if clause.marks("show"):
        yield from _show(clause)


def read_questions(clause: Clause) -> Iterator[Reading]:
    """Questions about the model and its data."""
    if clause.marks("if") or any(clause.tokens[place].word in _BEYOND for place in clause.places):
        return
    yield from (r for r in read_commands(clause) if not isinstance(r.meanings[0], Solve | Undo))
    yield from _values(clause)
    if not clause.labels:
        yield from _show(clause)


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
        for what in _TOPICS
        if clause.tokens[place].stem in _TOPICS[what]
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


def _values(clause: Clause) -> Iterator[Reading]:
    """A value of the data, or a figure over a field."""
    filters = clause.label_filters()
    rated = sorted(_rated(clause, set(filters)), key=lambda pair: -pair[0].score)
    figure, spoken = _figure(clause)
    asked = places(clause.marks("show", "question", "set", "may")) | spoken | clause.label_places
    if rated:
        fit, attribute = rated[0]
        path = _path(attribute.path, filters)
        if attribute.kind == "labels" and figure == "value" and _asks_count(clause):
            figure = "count"
        meaning = Show(what="data", path=path, attribute=attribute.path, filters=filters, figure=figure)
        nouns = places(clause.nouns)
        yield Reading(meanings=(meaning,), used=asked | fit.used | nouns | clause.size_places)
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
            yield Fit(fit.score + complete + cell, fit.used), attribute


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
