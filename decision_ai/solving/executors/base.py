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
from decision_ai.solving.findings import Findings, PartName, PlanCheck
from decision_ai.solving.outcome import Label, Outcome, Plan, RowState, SolveProgress
from decision_ai.solving.parameters import SolveParameters


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


class Job(_Value):
    """Build a program on data and, for `solve`, solve it; or find something else out about it."""

    task: Literal["build", "solve", "compatibility", "price", "export"]
    """What to do.

    `build` checks the program and describes the model; `solve` does that and solves. The other tasks end
    with `JobResult.findings`: `compatibility` builds each part alone on the data and tells which do not (the
    validation fails only where the data do not fit their classes or the program does not import), `price`
    evaluates `plan` without solving, `export` writes the model in `format`.
    """
    source: str
    """A composed program: one model file."""
    json_data: str
    """The input data as JSON text."""
    parameters: SolveParameters = SolveParameters()
    start: Plan | None = None
    """A plan to start from; members that no longer exist are ignored."""
    plan: Plan | None = None
    """The plan to evaluate, for `price`."""
    checks: list[PlanCheck] = []
    """Checks to evaluate at the plan of a `solve` or `price`; one that fails to run fails nothing else."""
    focus: list[PartName] = []
    """Parts that were just changed: that one of these comes to nothing (an empty index set, a row that is
    always true) is an error; of other parts it is a warning."""
    format: Literal["lp", "mps"] = "lp"
    """The format of an `export`."""
    build_seconds: float = 60.0
    """Wall time allowed for everything but the solve; beyond it the process is killed. Checks and the plan's
    text have as much again, together."""


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
    warnings: list[str] = []
    """What a modeller should look at: parts that come to nothing, coefficients that strain the solver."""


class JobResult(_Value):
    """What a job brought.

    The fields from `outcome` to `solution_str` are set by a `solve` whose validation succeeded.
    """

    validation: Validation
    description: ModelDescription | None = None
    """None where the validation failed, and after `compatibility`: the model as a whole may not build."""
    outcome: Outcome | None = None
    plan: Plan | None = None
    """None without a plan."""
    rows: list[RowState] = []
    """Every row at the plan; empty without a plan."""
    solution_str: str | None = None
    """The plan in the model's own words, without the outcome line; None without a plan."""
    findings: Findings = Findings()
    """What the job was asked to find. After `price` the checks are both here and in `priced`; after a `solve`
    without a plan every check says that there is none."""


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
                plan so far or `interrupted_without_plan`, anything else as a failed validation of type
                `interrupted`.

        Returns:
            The result; never raises for anything the program did.
        """
        ...

    async def aclose(self) -> None:
        """End all processes; running jobs end as interrupted."""
        ...
