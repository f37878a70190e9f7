"""From meanings to the edits that are proposed."""

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from decision_ai.modeling.program import Program
from decision_ai.modeling.syntax import parse_module
from decision_ai.solving.findings import PlanCheck
from decision_ai.solving.outcome import Label
from decision_ai_server.agent.edits import (
    ChangeData,
    DataChange,
    Edit,
    RemoveConstraint,
    SetConstraint,
    SetObjective,
    SetPriority,
    Switch,
)
from decision_ai_server.modellers.offline.meaning import (
    DataReset,
    DataScale,
    DataSet,
    KeepCheck,
    Meaning,
    ObjectiveReplace,
    ObjectiveSense,
    Prioritise,
    RemoveRule,
    RightHandSide,
    RuleMeaning,
    SwitchRule,
)
from decision_ai_server.modellers.offline.phrases import sentence
from decision_ai_server.modellers.offline.renumbering import renumbered, with_sense
from decision_ai_server.modellers.offline.rule_code import check_code, objective_code, rule_code
from decision_ai_server.modellers.offline.selecting_code import NotExpressible
from decision_ai_server.modellers.offline.vocabulary import Vocabulary


@dataclass(frozen=True)
class Generator:
    """Writes edits for one version of a model; `first` are the words of the version it began with."""

    program: Program
    data: Any
    vocabulary: Vocabulary
    first: Vocabulary

    def edits(self, meanings: Iterable[Meaning]) -> list[Edit]:
        """The edits of the meanings that change something, in order.

        Raises:
            NotExpressible: if a meaning cannot be written over this model; the text says why.
        """
        taken = self._taken_names()
        edits: list[Edit] = []
        for meaning in meanings:
            edit = self._edit(meaning, taken)
            if edit is not None:
                edits.append(edit)
        return edits

    def check(self, meaning: KeepCheck) -> PlanCheck:
        """The check to keep: the body of its rule as a method.

        Raises:
            NotExpressible: if the rule cannot be written over this model; the text says why.
        """
        taken = self._taken_names() | {check.id for check in self.vocabulary.past.checks}
        name, code = check_code(meaning.rule, self.vocabulary, taken)
        return PlanCheck(name=name, sentence=sentence(meaning.rule, self.vocabulary), code=code)

    def _edit(self, meaning: Meaning, taken: set[str]) -> Edit | None:
        match meaning:
            case DataSet() | DataScale():
                return self._change_data(meaning)
            case DataReset():
                return self._reset_data(meaning)
            case RemoveRule() | SwitchRule() | Prioritise() | RightHandSide():
                return self._about_rule(meaning)
            case ObjectiveReplace() | ObjectiveSense():
                return self._objective(meaning, taken)
            case _ if isinstance(meaning, RuleMeaning):
                name, code = rule_code(meaning, self.vocabulary, taken)
                taken.add(name)
                return SetConstraint(code=code)
            case _:
                return None

    def _about_rule(self, meaning: RemoveRule | SwitchRule | Prioritise | RightHandSide) -> Edit:
        match meaning:
            case RemoveRule(rule=rule):
                return RemoveConstraint(id=rule)
            case SwitchRule(rule=rule, enabled=enabled):
                return Switch(id=rule, enabled=enabled)
            case Prioritise(rule=rule, priority=priority):
                return SetPriority(id=rule, priority=priority)
            case RightHandSide(rule=rule, before=before, after=after):
                return SetConstraint(code=renumbered(self.program.constraints[rule].code, before, after))

    def _taken_names(self) -> set[str]:
        return {
            node.name
            for node in ast.walk(parse_module(self.program.source))
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
        } | {*self.program.constraints, *self.program.variables}

    def _objective(self, meaning: ObjectiveReplace | ObjectiveSense, taken: set[str]) -> Edit:
        if isinstance(meaning, ObjectiveReplace):
            return SetObjective(code=objective_code(meaning, self.vocabulary, taken))
        if self.program.objective is None:
            raise NotExpressible("the model has no objective yet")
        return SetObjective(code=with_sense(self.program.objective.code, meaning.sense))

    def _change_data(self, meaning: DataSet | DataScale) -> ChangeData:
        values = self.vocabulary.matching(meaning.attribute, meaning.filters)
        changes = [
            DataChange(
                path=data_path(meaning.attribute, labels, self.vocabulary), value=_new_value(meaning, value)
            )
            for labels, value in values.items()
        ]
        if not changes:
            name = self.vocabulary.attribute(meaning.attribute).name
            raise NotExpressible(f"no value of {name!r} fits")
        return ChangeData(changes=changes)

    def _reset_data(self, meaning: DataReset) -> ChangeData:
        now = self.vocabulary.matching(meaning.attribute, meaning.filters)
        known = any(attribute.path == meaning.attribute for attribute in self.first.attributes)
        was = self.first.matching(meaning.attribute, {}) if known else {}
        changes = [
            DataChange(path=data_path(meaning.attribute, labels, self.vocabulary), value=was[labels])
            for labels, value in now.items()
            if labels in was and was[labels] != value
        ]
        if not changes:
            name = self.vocabulary.attribute(meaning.attribute).name
            raise NotExpressible(f"{name!r} is as it was when the model was opened")
        return ChangeData(changes=changes)


def data_path(
    path: tuple[str | int, ...], labels: tuple[Label, ...], vocabulary: Vocabulary
) -> list[str | int]:
    """The place of one value in the JSON data."""
    left = list(labels)
    result: list[str | int] = []
    for step in path:
        if isinstance(step, str):
            result.append(step)
            continue
        collection, label = vocabulary.collections[step], left.pop(0)
        records = collection.shape == "records" and tuple(path[: len(collection.path)]) == collection.path
        result.append(collection.labels.index(label) if records else str(label))
    return result


def _new_value(meaning: DataSet | DataScale, present: Any) -> float:
    if isinstance(meaning, DataScale):
        value = round(present * meaning.factor, 9)
    else:
        value = present + meaning.value if meaning.by else meaning.value
    # A whole number is written without a point, as the person wrote it; a float field takes it too.
    return int(value) if float(value).is_integer() else float(value)
