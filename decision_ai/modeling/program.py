"""A model file as text: its parts, and the text after a diff. Nothing here executes a program."""

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, Self, overload

from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ConstraintSnapshot,
    ModelChanges,
    ObjectiveDiff,
    ObjectiveSnapshot,
    OptInputDataDiff,
    OptInputDataSchemaDiff,
    OptInputDataSchemaSnapshot,
    VariableDiff,
    VariableSnapshot,
)
from decision_ai.client.schemas.components import Priority
from decision_ai.modeling.composing import composed_source
from decision_ai.modeling.editing import (
    constraint_splices,
    objective_splices,
    removal_splices,
    schema_splices,
    variable_splices,
)
from decision_ai.modeling.keywords import with_keyword
from decision_ai.modeling.outline import Member, Outline, read_outline
from decision_ai.modeling.parts import ConstraintPart, DataClassPart, ObjectivePart, VariablePart
from decision_ai.modeling.reading import (
    MainClasses,
    is_field,
    method_kind,
    read_constraint,
    read_data_class,
    read_main_classes,
    read_objective,
    read_variable,
)
from decision_ai.modeling.refusals import Component, refusal, unknown
from decision_ai.modeling.snapshots import constraint_snapshot, objective_snapshot, variable_snapshot
from decision_ai.modeling.source import Splice
from decision_ai.solving.findings import IncompatiblePart, PartKind, PartName


@dataclass(frozen=True)
class Program:
    """One model file, read; made by `Program.parse`."""

    source: str
    """The whole file as it is."""
    docstring: str
    data_classes: dict[str, DataClassPart]
    """Name → class, in the order of the file."""
    main_data_class: str
    variables_class: str
    model_class: str
    variables: dict[str, VariablePart]
    """Id → family, in the order of the file."""
    constraints: dict[str, ConstraintPart]
    """Id → constraint, in the order of the file."""
    objective: ObjectivePart | None
    _outline: Outline = field(repr=False, compare=False)
    _main: MainClasses = field(repr=False, compare=False)

    @classmethod
    def parse(cls, source: str) -> Self:
        """Read a model file.

        Raises:
            ProgramError: if it is not one, with line and reason.
        """
        outline = read_outline(source)
        main = read_main_classes(outline)
        marked = [member for member in main.model.members if method_kind(member) is not None]
        objectives = [member for member in marked if method_kind(member) == "objective"]
        if len(objectives) > 1:
            raise refusal(
                "two_objectives",
                f"a model has one objective; found {', '.join(str(found.name) for found in objectives)}",
                component="objective",
                component_id=objectives[1].name,
                line=objectives[1].span.first,
            )
        constraints = [
            read_constraint(outline, member) for member in marked if method_kind(member) == "constraint"
        ]
        variables = [
            read_variable(outline, member)
            for site in outline.lineage(main.variables.name)
            for member in site.members
            if is_field(member)
        ]
        return cls(
            source=source,
            docstring=ast.get_docstring(outline.tree) or "",
            data_classes={site.name: read_data_class(outline, site) for site in outline.of_kind("data")},
            main_data_class=main.data.name,
            variables_class=main.variables.name,
            model_class=main.model.name,
            variables={part.id: part for part in variables},
            constraints={part.id: part for part in constraints},
            objective=read_objective(outline, objectives[0]) if objectives else None,
            _outline=outline,
            _main=main,
        )

    def apply(self, change: ModelChanges) -> "Program":
        """The program after one diff; every byte of the other parts is as it was.

        A data diff leaves the program as it is.

        Raises:
            ProgramError: if the diff does not fit: `stale`, `unknown_id`, `id_taken`, `syntax`, ….
        """
        if isinstance(change, OptInputDataDiff):
            return self
        changed = Program.parse(self._outline.source.spliced(self._splices(change)))
        if isinstance(change, OptInputDataSchemaDiff) and change.added is not None:
            expected = len(change.added.input_data_classes)
            if len(changed.data_classes) != expected:
                raise refusal(
                    "not_input_data",
                    "every class of the change must derive from InputData, directly or through another",
                    component="input_data",
                )
        return changed

    def without(self, parts: Collection[PartName | IncompatiblePart]) -> "Program":
        """The program with these parts taken out, so that the rest can be built; every other byte is kept.

        Raises:
            ProgramError: if there is no such part.
        """
        known: dict[PartKind, Mapping[str, object]] = {
            "constraint": self.constraints,
            "variable": self.variables,
            "objective": self._objectives,
        }
        for part in parts:
            if part.id not in known[part.kind]:
                raise unknown(part.kind, part.id, known[part.kind])
        if not parts:
            return self
        families = {part.id for part in parts if part.kind == "variable"}
        methods = {part.id for part in parts if part.kind != "variable"}
        splices = removal_splices(self._outline, self._main, families=families, methods=methods)
        return Program.parse(self._outline.source.spliced(splices))

    def reset(self, id: str, base: "Program") -> list[ModelChanges]:
        """The diffs that bring one component back to the base; none if it is as it was there.

        What changed is changed back, what chat added is removed, what was removed is added again.

        Args:
            id: the component: a constraint, a variable family or the objective, which is also called
                "objective". Of a constraint and a family of one name, the constraint is meant, unless only
                the family differs from the base.
            base: the program to go back to.

        Raises:
            ProgramError: if neither program has such a component; the nearest id is the hint.
        """
        goals = {"objective": None, **self._objectives, **base._objectives}
        known = {**self.constraints, **base.constraints, **self.variables, **base.variables, **goals}
        if id not in known:
            raise unknown("program", id, known, noun="component")
        constraints = [program.constraints.get(id) for program in (self, base)]
        if _differ(*constraints):
            now, was = (part and constraint_snapshot(part) for part in constraints)
            return [ConstraintDiff(removed=now, added=was)]
        families = [program.variables.get(id) for program in (self, base)]
        if _differ(*families):
            family, old = (part and variable_snapshot(part) for part in families)
            return [VariableDiff(removed=family, added=old)]
        if id in goals and _differ(self.objective, base.objective):
            return [ObjectiveDiff(removed=self.objective_snapshot(), added=base.objective_snapshot())]
        return []

    def composed(self) -> str:
        """The program as it runs elsewhere: the three parts and what they use, without the rest."""
        return composed_source(self._outline)

    @overload
    def snapshot(self, kind: Literal["constraint"], id: str) -> ConstraintSnapshot: ...
    @overload
    def snapshot(self, kind: Literal["variable"], id: str) -> VariableSnapshot: ...
    def snapshot(
        self, kind: Literal["constraint", "variable"], id: str
    ) -> ConstraintSnapshot | VariableSnapshot:
        """A constraint or variable family as diffs quote it.

        Raises:
            ProgramError: if there is none of that id.
        """
        if kind == "constraint":
            return constraint_snapshot(self._constraint(id))
        return variable_snapshot(self._variable(id))

    def objective_snapshot(self) -> ObjectiveSnapshot | None:
        """The objective as diffs quote it; None if the model has none."""
        return None if self.objective is None else objective_snapshot(self.objective)

    def data_schema_snapshot(self) -> OptInputDataSchemaSnapshot:
        """The input-data classes as diffs quote them."""
        return OptInputDataSchemaSnapshot(
            input_data_classes=[part.code for part in self.data_classes.values()]
        )

    def switch(
        self, id: str, *, enabled: bool, kind: Literal["constraint", "variable"] | None = None
    ) -> ConstraintDiff | VariableDiff:
        """The diff that switches a constraint or variable family on or off.

        Args:
            id: which one; a constraint is meant where both exist.
            enabled: on or off.
            kind: which of the two, where both exist.

        Raises:
            ProgramError: if there is none of that id.
        """
        if kind == "variable" or (kind is None and id not in self.constraints and id in self.variables):
            family = self.snapshot("variable", id)
            code = with_keyword(family.code, "enabled", enabled, True)
            return VariableDiff(removed=family, added=family.model_copy(update={"code": code}))
        return self._constraint_diff(id, "enabled", enabled, True)

    def prioritise(self, id: str, priority: Priority) -> ConstraintDiff:
        """The diff that makes a constraint hard, or soft with a level.

        Raises:
            ProgramError: if there is no such constraint.
        """
        return self._constraint_diff(id, "priority", priority, "hard")

    def component_at(self, line: int) -> tuple[Component, str | None]:
        """The part that a line of the source belongs to; ("program", None) outside of all."""
        for site in self._outline.classes.values():
            if not site.span.first <= line <= site.span.last:
                continue
            if site.kind == "data":
                return "input_data", site.name
            found = [member for member in site.members if member.span.first <= line <= member.span.last]
            return _component(found[0] if found else None, site.kind)
        return "program", None

    def _constraint_diff(self, id: str, keyword: str, value: object, default: object) -> ConstraintDiff:
        before = self.snapshot("constraint", id)
        code = with_keyword(before.code, keyword, value, default)
        return ConstraintDiff(removed=before, added=before.model_copy(update={"code": code}))

    @property
    def _objectives(self) -> dict[str, ObjectivePart]:
        """The objective by its id, if there is one."""
        return {} if self.objective is None else {self.objective.id: self.objective}

    def _splices(
        self, change: ConstraintDiff | ObjectiveDiff | VariableDiff | OptInputDataSchemaDiff
    ) -> list[Splice]:
        if isinstance(change, ConstraintDiff):
            return constraint_splices(self._outline, self._main, change)
        if isinstance(change, ObjectiveDiff):
            return objective_splices(self._outline, self._main, change)
        if isinstance(change, VariableDiff):
            return variable_splices(self._outline, self._main, change)
        return schema_splices(self._outline, self._main, change)

    def _constraint(self, id: str) -> ConstraintPart:
        if id not in self.constraints:
            raise unknown("constraint", id, self.constraints)
        return self.constraints[id]

    def _variable(self, id: str) -> VariablePart:
        if id not in self.variables:
            raise unknown("variable", id, self.variables)
        return self.variables[id]


def _component(member: Member | None, kind: str) -> tuple[Component, str | None]:
    if member is None or member.name is None:
        return "program", None
    if kind == "variables":
        return "variable", member.name
    if member.name == "solution_to_str":
        return "solution_to_str", None
    return method_kind(member) or "program", member.name


_Part = ConstraintPart | VariablePart | ObjectivePart


def _differ(one: _Part | None, other: _Part | None) -> bool:
    return (None if one is None else one.code) != (None if other is None else other.code)
