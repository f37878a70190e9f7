"""What a job tells while it runs, and how a `JobResult` is put together from it.

A plan travels as bare numbers in the order of the description, which went before it: a hundred thousand
labelled values would cost the second in which a stopped solve has to answer.
"""

import gc
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, TypeAdapter, model_validator

from decision_ai.client.schemas.chat_messages.validation import (
    FormulationValidationFailed,
    InputDataSchemaValidationFailed,
    ValidationSucceeded,
)
from decision_ai.errors import ProgramError
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job, JobResult, ModelDescription
from decision_ai.solving.findings import CheckResult, Findings, IncompatiblePart, PricedPlan
from decision_ai.solving.linear import Floats
from decision_ai.solving.outcome import Outcome, Plan, RowState, SolveProgress

if TYPE_CHECKING:
    from decision_ai.solving.building import BuiltModel


_ROWS = TypeAdapter(list[RowState])


class _Answer(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Refused(_Answer):
    """The program does not build, or the data do not fit it."""

    validation: FormulationValidationFailed | InputDataSchemaValidationFailed


class Built(_Answer):
    """The program builds."""

    description: ModelDescription

    @model_validator(mode="after")
    def _counts_are_true(self) -> Self:
        """What sent this may be a hostile program: nobody else has to count again."""
        told = self.description
        if told.columns != sum(len(family.indices) for family in told.families.values()):
            raise ValueError("the number of columns is not that of the members")
        if told.rows != sum(len(constraint.indices) for constraint in told.constraints.values()):
            raise ValueError("the number of rows is not that of the indices")
        return self


class Point(_Answer):
    """A plan: columns and rows in the order of the description."""

    values: list[float]
    activities: list[float]
    lower: list[float | None]
    upper: list[float | None]
    violations: list[float]

    @classmethod
    def at(cls, built: "BuiltModel", values: Floats, missed: Floats | None = None) -> "Point":
        """The plan of a built model at a point.

        Args:
            built: the model.
            values: of its columns.
            missed: how far every row is missed; None = that of the soft rows.
        """
        activities = built.linear.activities(values)
        violations = built.violations(activities) if missed is None else missed
        return cls.model_construct(
            values=values.tolist(),
            activities=activities.tolist(),
            lower=[bound if bound > -math.inf else None for bound in built.linear.row_lower.tolist()],
            upper=[bound if bound < math.inf else None for bound in built.linear.row_upper.tolist()],
            violations=violations.tolist(),
        )

    def plan(self, description: ModelDescription) -> Plan:
        """The values by family and index."""
        values, first = {}, 0
        for name, family in description.families.items():
            values[name] = list(
                zip(family.indices, self.values[first : first + len(family.indices)], strict=True)
            )
            first += len(family.indices)
        return Plan.model_construct(values=values)

    def rows(self, description: ModelDescription) -> list[RowState]:
        """Every row with its constraint and index."""
        keys = (
            (name, index)
            for name, constraint in description.constraints.items()
            for index in constraint.indices
        )
        columns = zip(keys, self.activities, self.lower, self.upper, self.violations, strict=True)
        return _ROWS.validate_python(
            [
                {
                    "constraint_id": name,
                    "index": index,
                    "activity": activity,
                    "lower": lower,
                    "upper": upper,
                    "violation": violation,
                }
                for (name, index), activity, lower, upper, violation in columns
            ]
        )

    def fits(self, description: ModelDescription) -> bool:
        """Whether there is a number for every column and row."""
        rows = (self.activities, self.lower, self.upper, self.violations)
        return len(self.values) == description.columns and all(len(row) == description.rows for row in rows)


class Solved(_Answer):
    """The solve has ended."""

    outcome: Outcome
    point: Point | None = None


class Found(_Answer):
    """What else the job found."""

    findings: Findings
    """Without the rows of `priced`, which are told by `point`."""
    point: Point | None = None


class Text(_Answer):
    """The plan in the model's own words."""

    text: str


Answer: TypeAlias = Refused | Built | SolveProgress | Solved | Found | Text


@contextmanager
def _collector_off() -> Iterator[None]:
    """The garbage collector would walk the growing list of rows again and again, at three times the cost."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def assemble(
    job: Job,
    *,
    built: Built | None,
    solved: Solved | None = None,
    found: Found | None = None,
    text: Text | None = None,
) -> JobResult:
    """The result of a job whose validation succeeded.

    Raises:
        ValueError: if the answers do not belong together, or not to the job.
    """
    result = JobResult(
        validation=ValidationSucceeded(),
        description=None if built is None else built.description,
        findings=_findings(job, built, solved, found),
    )
    if built is None or solved is None:
        return result
    update: dict[str, object] = {"outcome": solved.outcome}
    if (solved.point is not None) != solved.outcome.kind.has_plan:
        raise ValueError("outcome and plan do not belong together")
    if solved.point is not None:
        if not solved.point.fits(built.description):
            raise ValueError("plan and description do not belong together")
        update["plan"] = solved.point.plan(built.description)
        with _collector_off():
            update["rows"] = solved.point.rows(built.description)
        update["solution_str"] = "" if text is None else text.text
    return result.model_copy(update=update)


def _findings(job: Job, built: Built | None, solved: Solved | None, found: Found | None) -> Findings:
    """What was found, if it is what the job asked for; it may come from a hostile program."""
    if found is None:
        return Findings(checks=[] if solved is None else _untold(job, solved))
    told = found.findings
    if {name for name in Findings.model_fields if getattr(told, name)} - _ASKED[job.task]:
        raise ValueError("findings and task do not belong together")
    if job.task == "compatibility":
        _check_parts(told.incompatible, job.source)
    elif job.task == "export" and told.exported is None:
        raise ValueError("the exported model is missing")
    elif job.task == "price":
        if built is None or told.priced is None or found.point is None:
            raise ValueError("the priced plan is missing")
        priced = _priced(told.priced, found.point, built.description)
        told = Findings(checks=priced.checks, priced=priced)
    if [(check.name, check.sentence) for check in told.checks] != _checks(job):
        raise ValueError("findings and checks do not belong together")
    return told


_ASKED: dict[str, set[str]] = {
    "build": set(),
    "solve": {"checks"},
    "compatibility": {"incompatible"},
    "price": {"priced"},
    "export": {"exported"},
}


def _checks(job: Job) -> list[tuple[str, str]]:
    asked = job.checks if job.task in ("solve", "price") else []
    return [(check.name, check.sentence) for check in asked]


def _untold(job: Job, solved: Solved) -> list[CheckResult]:
    """The checks of a solve that told nothing about them."""
    why = "there is no plan" if solved.point is None else "the solve ended before the check could be run"
    return [
        CheckResult(name=name, sentence=sentence, holds=None, message=why) for name, sentence in _checks(job)
    ]


def _check_parts(parts: list[IncompatiblePart], source: str) -> None:
    if not parts:
        return
    try:
        program = Program.parse(source)
    except ProgramError as error:
        raise ValueError(str(error)) from error
    known = {("variable", part) for part in program.variables}
    known |= {("constraint", part) for part in program.constraints}
    known |= set() if program.objective is None else {("objective", program.objective.id)}
    told = [(part.kind, part.id) for part in parts]
    if len(set(told)) < len(told) or not known.issuperset(told):
        raise ValueError("the incompatible parts are not those of the program")


def _priced(priced: PricedPlan, point: Point, description: ModelDescription) -> PricedPlan:
    if not point.fits(description):
        raise ValueError("plan and description do not belong together")
    if any(name not in description.constraints for name in priced.soft):
        raise ValueError("a soft constraint is none of the model")
    indices = {name: set(family.indices) for name, family in description.families.items()}
    members = {(member.variable_id, member.index) for member in priced.members}
    if len(members) < len(priced.members) or any(
        index not in indices.get(name, ()) for name, index in members
    ):
        raise ValueError("a member of the plan is none of the model, or told twice")
    with _collector_off():
        return priced.model_copy(update={"rows": point.rows(description)})
