"""What differs between two versions of a model: parts, data, and plans where both were solved. Pure."""

from collections.abc import Iterator
from html import escape
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from decision_ai.modeling.data import MISSING, canonical_json, differences, parse_json
from decision_ai.modeling.program import Program
from decision_ai.solving.findings import IncompatiblePart
from decision_ai.solving.outcome import Label, Outcome, Plan, indexed_name

MOST_SHOWN = 200
"""Values of the data, and members of the plan, that a comparison lists; it counts all of them."""
_MOST_PRINTED = 20
_TOLERANCE = 1e-6

ComponentKind: TypeAlias = Literal["input data class", "variable", "constraint", "objective"]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


class ComponentDifference(_Value):
    """A part of the model that only one side has, or that differs."""

    kind: ComponentKind
    id: str
    before: str | None
    """Its code in the first version; None where that does not have it."""
    after: str | None

    @property
    def verb(self) -> str:
        """What happened to it."""
        return _verb(self.before, self.after)


class ValueDifference(_Value):
    """A value of the input data that differs."""

    path: str
    """Such as `items.Tent.weight`."""
    before: str | None
    """The value as JSON text; None where the first version does not have it."""
    after: str | None


class DataChange(_Value):
    """Other input data, without the data themselves: both ids, and the first values that differ."""

    kind: Literal["data_change"] = "data_change"
    before: str | None
    """Id of the data before; None where the whole is new."""
    after: str | None
    values: tuple[ValueDifference, ...]
    """At most 20 values, long ones cut."""
    count: int
    """How many values differ."""


class MemberDifference(_Value):
    """A member of a variable family whose value differs between the plans."""

    variable_id: str
    index: tuple[Label, ...]
    before: float | None
    """None where the first version does not have the member."""
    after: float | None


class ComparedVersion(_Value):
    """One side of a comparison."""

    id: str
    number: int
    sentence: str
    incompatible: list[IncompatiblePart] = []
    """Parts that do not build on its data and are left out."""
    outcome: Outcome | None = None
    """How its solve ended; None where it was not solved."""
    problem: str | None = None
    """Why it could not be solved."""


class Comparison(_Value):
    """Two versions side by side."""

    a: ComparedVersion
    b: ComparedVersion
    components: list[ComponentDifference]
    data: list[ValueDifference]
    """The first of the values that differ."""
    data_count: int
    """How many values of the data differ in all."""
    plan: list[MemberDifference] = []
    """The first of the members that differ; empty where one side has no plan."""
    plan_count: int = 0
    """How many members differ in all."""

    def __str__(self) -> str:
        return "\n".join([self._title(), *(f"- {line}" for line in self._lines())])

    def _repr_html_(self) -> str:
        lines = "".join(f"<li>{escape(line)}</li>" for line in self._lines())
        return f"<p>{escape(self._title())}</p><ul>{lines}</ul>"

    def _title(self) -> str:
        return f"Version {self.a.number} → version {self.b.number}:"

    def _lines(self) -> Iterator[str]:
        if not (self.components or self.data_count):
            yield "model and data are the same"
        for part in self.components[:_MOST_PRINTED]:
            yield f"{part.verb} {part.kind} {part.id}"
        yield from _more(len(self.components))
        for value in self.data[:_MOST_PRINTED]:
            yield f"data {value.path or '(all)'}: {value.before or 'absent'} → {value.after or 'absent'}"
        yield from _more(self.data_count)
        for side in (self.a, self.b):
            yield from _side_lines(side)
        if self.plan_count:
            yield f"the plans differ in {self.plan_count:,} member{'s' if self.plan_count > 1 else ''}"
        for member in self.plan[:_MOST_PRINTED]:
            name = indexed_name(member.variable_id, member.index)
            yield f"{name}: {_number(member.before)} → {_number(member.after)}"
        yield from _more(self.plan_count)


def component_differences(before: Program, after: Program) -> list[ComponentDifference]:
    """The parts that differ, in the order of the programs."""
    old, new = _components(before), _components(after)
    return [
        ComponentDifference(kind=kind, id=id, before=old.get((kind, id)), after=new.get((kind, id)))
        for kind, id in {**old, **new}
        if old.get((kind, id)) != new.get((kind, id))
    ]


def value_differences(before: str, after: str) -> list[ValueDifference]:
    """The values that differ between two data sets given as JSON text."""
    if before == after:
        return []
    return [
        ValueDifference(path=item.path, before=_json(item.before), after=_json(item.after))
        for item in differences(parse_json(before), parse_json(after))
    ]


def plan_differences(before: Plan, after: Plan) -> list[MemberDifference]:
    """The members whose values differ by more than a solver's tolerance, or that one plan does not have."""
    old, new = _members(before), _members(after)
    return [
        MemberDifference(
            variable_id=member[0], index=member[1], before=old.get(member), after=new.get(member)
        )
        for member in {**old, **new}
        if not _same(old.get(member), new.get(member))
    ]


def _components(program: Program) -> dict[tuple[ComponentKind, str], str]:
    found: dict[tuple[ComponentKind, str], str] = {}
    found |= {("input data class", name): part.code for name, part in program.data_classes.items()}
    found |= {("variable", id): part.code for id, part in program.variables.items()}
    found |= {("constraint", id): part.code for id, part in program.constraints.items()}
    if program.objective is not None:
        found["objective", program.objective.id] = program.objective.code
    return found


def _members(plan: Plan) -> dict[tuple[str, tuple[Label, ...]], float]:
    return {(name, index): value for name, pairs in plan.values.items() for index, value in pairs}


def _same(before: float | None, after: float | None) -> bool:
    if before is None or after is None:
        return before is after
    return abs(before - after) <= _TOLERANCE * max(1.0, abs(before), abs(after))


def _json(value: object) -> str | None:
    return None if value is MISSING else canonical_json(value)


def _verb(before: str | None, after: str | None) -> str:
    return "added" if before is None else "removed" if after is None else "changed"


def _more(count: int) -> Iterator[str]:
    if count > _MOST_PRINTED:
        yield f"… and {count - _MOST_PRINTED:,} more"


def _side_lines(side: ComparedVersion) -> Iterator[str]:
    for part in side.incompatible:
        yield f"version {side.number} leaves out the {part.kind} {part.id}: {part.reason}"
    if side.problem is not None:
        yield f"version {side.number} was not solved: {side.problem}"
    if side.outcome is not None:
        word = side.outcome.kind.value.replace("_", " ")
        yield f"version {side.number}: {', '.join([word, *side.outcome.figures])}"


def _number(value: float | None) -> str:
    return "absent" if value is None else f"{value:.10g}"
