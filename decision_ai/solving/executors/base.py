"""The executor port: one job in, one result out, in a process that can be killed.

A job is source text and JSON, never a pickle, so the same job runs in a local child, on another machine or
under another Python. A result is a value whatever the program did: hostile, broken and endless programs end
as a `Validation` that says so.
"""

import asyncio
from collections.abc import Callable
from typing import Literal, Protocol

from pydantic import BaseModel, ConfigDict

from decision_ai.client.schemas.chat_messages.validation import Validation
from decision_ai.solving.outcome import Label, Outcome, Plan, RowState, SolveProgress
from decision_ai.solving.parameters import SolveParameters


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


class Job(_Value):
    """Build a program on data and, for `solve`, solve it."""

    task: Literal["build", "solve"]
    """`build` checks the program and describes the model; `solve` does that and solves."""
    source: str
    """A composed program: one model file."""
    json_data: str
    """The input data as JSON text."""
    parameters: SolveParameters = SolveParameters()
    start: Plan | None = None
    """A plan to start from; members that no longer exist are ignored."""
    build_seconds: float = 60.0
    """Wall time allowed for everything but the solve; beyond it the process is killed."""


class FamilyDescription(_Value):
    """One variable family as built."""

    variable_id: str
    domain: Literal["binary", "integer", "continuous"]
    indices: list[tuple[Label, ...]]
    """Every member's index in the order of the model; [()] for a scalar."""


class ConstraintDescription(_Value):
    """One constraint as built."""

    constraint_id: str
    indices: list[tuple[Label, ...]]
    """Every row's index in the order of the model; [()] for a single row."""


class ModelDescription(_Value):
    """What a program is on its data: families and rows with their labels."""

    families: dict[str, FamilyDescription]
    constraints: dict[str, ConstraintDescription]
    """Enabled constraints only."""
    sense: Literal["minimize", "maximize"]
    columns: int
    rows: int


class JobResult(_Value):
    """What a job brought. The fields after `description` are set by a `solve` whose validation succeeded."""

    validation: Validation
    description: ModelDescription | None = None
    """None where the validation failed."""
    outcome: Outcome | None = None
    plan: Plan | None = None
    """None without a plan."""
    rows: list[RowState] = []
    """Every row at the plan; empty without a plan."""
    solution_str: str | None = None
    """The plan in the model's own words, without the outcome line; None without a plan."""


class Executor(Protocol):
    """Runs jobs. Implementations pass `tests/solving/executors/contract.py`."""

    async def run(
        self,
        job: Job,
        *,
        on_progress: Callable[[SolveProgress], None] | None = None,
        stop: asyncio.Event | None = None,
    ) -> JobResult:
        """Run one job to its end.

        Args:
            job: what to do.
            on_progress: called on the event loop, at most about five times a second.
            stop: when set, the job ends within a second: a solve as `interrupted_with_plan` with the best
                plan so far or `interrupted_without_plan`, a build as a failed validation of type
                `interrupted`.

        Returns:
            The result; never raises for anything the program did.
        """
        ...

    async def aclose(self) -> None:
        """End all processes; running jobs end as interrupted."""
        ...
