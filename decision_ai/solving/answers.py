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
from decision_ai.solving.executors.base import JobResult, ModelDescription
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
    def at(cls, built: "BuiltModel", values: Floats) -> "Point":
        """The plan of a built model at a point."""
        activities = built.linear.activities(values)
        return cls.model_construct(
            values=values.tolist(),
            activities=activities.tolist(),
            lower=[bound if bound > -math.inf else None for bound in built.linear.row_lower.tolist()],
            upper=[bound if bound < math.inf else None for bound in built.linear.row_upper.tolist()],
            violations=built.violations(activities).tolist(),
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


class Text(_Answer):
    """The plan in the model's own words."""

    text: str


Answer: TypeAlias = Refused | Built | SolveProgress | Solved | Text


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


def assemble(built: Built, solved: Solved | None, text: Text | None) -> JobResult:
    """The result of a job whose program builds.

    Raises:
        ValueError: if plan and description do not belong together.
    """
    result = JobResult(validation=ValidationSucceeded(), description=built.description)
    if solved is None:
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
