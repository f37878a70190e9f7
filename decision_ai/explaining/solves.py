"""One solve for the sake of an explanation, and what may be concluded from how it ended."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.errors import DecisionAIError
from decision_ai.modeling.program import Program
from decision_ai.modeling.wording import failure_sentence
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan
from decision_ai.solving.parameters import SolveParameters

Run: TypeAlias = Callable[[Job], Awaitable[JobResult]]
"""Runs a job on an executor."""


class NotExplainable(DecisionAIError):
    """The model does not build, so nothing can be found out by solving it."""


@dataclass(frozen=True)
class Model:
    """A program with the data it is to run on."""

    program: Program
    json_data: str


async def solved(model: Model, run: Run, seconds: float, *, start: Plan | None = None) -> JobResult:
    """Solve a model.

    Args:
        model: what to solve.
        run: the executor.
        seconds: time limit of the solve.
        start: a plan to start from.

    Returns:
        A result with an outcome.

    Raises:
        NotExplainable: if the model does not build; says why.
    """
    job = Job(
        task="solve",
        source=model.program.composed(),
        json_data=model.json_data,
        parameters=SolveParameters(time_limit=seconds),
        start=start,
    )
    result = await run(job)
    if not isinstance(result.validation, ValidationSucceeded):
        raise NotExplainable(f"the model does not build: {failure_sentence(result.validation)}")
    assert result.outcome is not None
    return result


def is_feasible(outcome: Outcome) -> bool | None:
    """Whether a model has a plan; None where its solve does not prove it either way."""
    if outcome.kind.has_plan or outcome.kind is OutcomeKind.UNBOUNDED:
        return True
    if outcome.kind is OutcomeKind.INFEASIBLE and outcome.confirmed:
        return False
    return None
