"""Meanings in plain words: docstrings of new rules, and "I read this as …"."""

from decision_ai.solving.outcome import Label
from decision_ai_server.modellers.offline.data_walk import Path
from decision_ai_server.modellers.offline.meaning import (
    Cardinality,
    DataScale,
    DataSet,
    Filter,
    Forbid,
    Force,
    Help,
    Implication,
    Meaning,
    ObjectiveReplace,
    ObjectiveSense,
    PairConflict,
    RemoveRule,
    RightHandSide,
    Selection,
    Show,
    Solve,
    SwitchRule,
    Together,
    TotalLimit,
    Undo,
)
from decision_ai_server.modellers.offline.selecting_code import singular
from decision_ai_server.modellers.offline.vocabulary import Vocabulary
from decision_ai_server.modellers.offline.words import number_text

_RELATIONS = {"<=": "at most", ">=": "at least", "==": "exactly"}
_MOST_LABELS = 8


def sentence(meaning: Meaning, vocabulary: Vocabulary) -> str:
    """One sentence that says what a meaning does."""
    text = _Phrases(vocabulary).say(meaning)
    return text[:1].upper() + text[1:] + "."


def listed(labels: tuple[Label | bool, ...] | list[str], last: str = "and") -> str:
    """Labels as "A, B and C", the long list cut."""
    names = [str(label) for label in labels[:_MOST_LABELS]]
    if len(labels) > _MOST_LABELS:
        return f"{', '.join(names)} and {len(labels) - _MOST_LABELS} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


class _Phrases:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def say(self, meaning: Meaning) -> str:
        match meaning:
            case (
                Cardinality()
                | TotalLimit()
                | Force()
                | Forbid()
                | PairConflict()
                | Together()
                | Implication()
            ):
                return self._rule(meaning)
            case DataSet() | DataScale():
                return self._data(meaning)
            case ObjectiveReplace() | ObjectiveSense():
                return self._objective(meaning)
            case RemoveRule(rule=rule):
                return f"the rule {rule!r} is removed"
            case SwitchRule(rule=rule, enabled=enabled):
                return f"the rule {rule!r} is switched {'on' if enabled else 'off'}"
            case RightHandSide(rule=rule, before=before, after=after):
                return f"in the rule {rule!r}, {number_text(before)} becomes {number_text(after)}"
            case _:
                return self._command(meaning)

    def _command(self, meaning: Meaning) -> str:
        match meaning:
            case Solve(time_limit=limit):
                return "solve the model" + (f" for at most {number_text(limit)} seconds" if limit else "")
            case Show(what="data", path=path):
                return f"show {'.'.join(map(str, path)) or 'the data'}"
            case Show(what=what, rule=rule):
                return f"show the {what}" if rule is None else f"show the rule {rule!r}"
            case Undo(steps=steps):
                return "take back the last change" if steps == 1 else f"take back the last {steps} changes"
            case Help():
                return "say what can be asked for"
            case _:
                raise AssertionError(meaning)

    def _rule(
        self, meaning: Cardinality | TotalLimit | Force | Forbid | PairConflict | Together | Implication
    ) -> str:
        match meaning:
            case Cardinality(selection=selection, relation=relation, amount=amount):
                bound = f"{_RELATIONS[relation]} {number_text(amount)}"
                verb = "may" if relation == "<=" else "has to" if amount == 1 else "have to"
                return f"{bound} of {self._what(selection)} {verb} be chosen{self._each(selection)}"
            case TotalLimit(selection=selection, relation=relation, amount=amount):
                bound = f"{_RELATIONS[relation]} {number_text(amount)}"
                return f"the total {self._what(selection)} is {bound}{self._each(selection)}"
            case Force(selections=selections):
                return self._forced(selections)
            case Forbid(selections=selections):
                return f"{listed([self._what(entry) for entry in selections])} must stay zero"
            case PairConflict(selection=selection):
                return f"at most one of {self._what(selection)} may be chosen{self._each(selection)}"
            case Together(selection=selection):
                return f"{self._what(selection)} are chosen together or not at all{self._each(selection)}"
            case Implication(condition=first, consequence=second, negated=negated):
                verb = "must not be chosen" if negated else "has to be chosen too"
                return f"if {self._what(first)} is chosen, {self._what(second)} {verb}"

    def _forced(self, selections: tuple[Selection, ...]) -> str:
        family = self._vocabulary.family(selections[0].family)
        pinned = [
            position
            for position, found in selections[0].filters.items()
            if position in selections[0].each or (found.labels is not None and len(found.labels) == 1)
        ]
        start = "" if len(pinned) == len(family.dimensions) else "at least one of "
        names = [f"{start}{self._what(entry)}" for entry in selections]
        return f"{listed(names)} has to be chosen{self._each(selections[0])}"

    def _data(self, meaning: DataSet | DataScale) -> str:
        attribute = self._vocabulary.attribute(meaning.attribute)
        where = self._filters(meaning.filters, attribute.collections)
        field = f"{attribute.name!r}{where}"
        if isinstance(meaning, DataScale):
            return f"{field} is multiplied by {number_text(meaning.factor)}"
        if meaning.by:
            way = "raised" if meaning.value >= 0 else "lowered"
            return f"{field} is {way} by {number_text(abs(meaning.value))}"
        return f"{field} becomes {number_text(meaning.value)}"

    def _objective(self, meaning: ObjectiveReplace | ObjectiveSense) -> str:
        match meaning:
            case ObjectiveReplace(sense=sense, selection=selection):
                return f"the objective is now to {sense} the total {self._what(selection)}"
            case ObjectiveSense(sense=sense):
                return f"the objective stays as it is, and is now to {sense} it"

    def _what(self, selection: Selection) -> str:
        family = self._vocabulary.family(selection.family)
        by_collection = [
            self._one(dimension.collection, selection.filters[position])
            for position, dimension in enumerate(family.dimensions)
            if position in selection.filters
        ]
        where = f" for {listed(by_collection)}" if by_collection else ""
        pinned = "".join(f" of {label}" for label in selection.pinned.values())
        weight = f"{self._name(selection.weight)}{pinned} of " if selection.weight is not None else ""
        return f"{weight}{family.id!r}{where}"

    def _one(self, collection: int | None, found: Filter) -> str:
        name = self._collection(collection)
        parts = []
        if found.labels is not None:
            parts.append(f"{name if len(found.labels) == 1 else name + 's'} {listed(found.labels)}")
        parts += [
            f"{'' if parts else name + 's '}where {self._name(s.attribute)} is {listed(s.values, 'or')}"
            for s in found.subsets
        ]
        return " ".join(parts)

    def _filters(self, filters: dict[int, Filter], collections: tuple[int, ...]) -> str:
        parts = [
            self._one(number, filters[number]) if number in filters else f"every {self._collection(number)}"
            for number in collections
        ]
        return f" of {listed(parts)}" if parts else ""

    def _each(self, selection: Selection) -> str:
        family = self._vocabulary.family(selection.family)
        names = [self._collection(family.dimensions[position].collection) for position in selection.each]
        if selection.each_value is not None:
            names.append(self._name(selection.each_value))
        return f", for each {listed(names)}" if names else ""

    def _collection(self, number: int | None) -> str:
        if number is None:
            return "index"
        path = self._vocabulary.collections[number].path
        return singular(next(str(step) for step in reversed(path) if isinstance(step, str))).replace("_", " ")

    def _name(self, path: Path) -> str:
        return next(str(step) for step in reversed(path) if isinstance(step, str)).replace("_", " ")
