"""What a solve brought, on the published wire; the full outcome is in `decision_ai.solving.outcome`."""

from typing import Annotated, Literal

from pydantic import Field

from decision_ai.client.schemas.base import Schema


class SolveSucceeded(Schema):
    """The solve left a plan."""

    kind: Literal["solve_succeeded"] = "solve_succeeded"
    solution_str: str
    """The plan as text; its first line has outcome, objective, bound and gap."""
    solution_status: str
    """A word of `OutcomeKind`."""


class SolveFailed(Schema):
    """The solve left no plan."""

    kind: Literal["solve_failed"] = "solve_failed"
    status: Literal["infeasible", "error"]
    error: str | None = None


Solving = Annotated[SolveSucceeded | SolveFailed, Field(discriminator="kind")]
