"""What a change would do: the model as it is and as it would be, both solved, nothing kept."""

from dataclasses import dataclass

from decision_ai.explaining.solves import Model, Run, solved
from decision_ai.modeling.comparing import MemberDifference, plan_differences
from decision_ai.solving.outcome import Outcome, OutcomeKind


@dataclass(frozen=True, kw_only=True)
class WhatIf:
    """Two solves side by side.

    Attributes:
        before: how the solve of the model as it is ended.
        after: how the solve of the changed model ended.
        difference: objective after minus objective before; None where one has no plan, or where the change
            touches the objective's own code, so that the two do not measure the same.
        members: the members of variable families whose values differ; empty where one has no plan. There may
            be other plans just as good that differ less.
    """

    before: Outcome
    after: Outcome
    difference: float | None
    members: tuple[MemberDifference, ...]

    @property
    def proven(self) -> bool:
        """Whether the difference is one of best plans, and not just of those that were found in time."""
        return self.before.kind is self.after.kind is OutcomeKind.OPTIMAL


async def what_if(present: Model, changed: Model, run: Run, seconds: float) -> WhatIf:
    """Solve a model and a changed copy of it.

    Args:
        present: the model as it is.
        changed: the copy; its solve starts from the plan of the first.
        run: the executor.
        seconds: time limit of each of the two solves.

    Raises:
        NotExplainable: if one of the two does not build.
    """
    before = await solved(present, run, seconds)
    after = await solved(changed, run, seconds, start=before.plan)
    assert before.outcome is not None
    assert after.outcome is not None
    old, new = before.outcome.objective, after.outcome.objective
    same_measure = present.program.objective_snapshot() == changed.program.objective_snapshot()
    members = plan_differences(before.plan, after.plan) if before.plan and after.plan else []
    return WhatIf(
        before=before.outcome,
        after=after.outcome,
        difference=None if old is None or new is None or not same_measure else new - old,
        members=tuple(members),
    )
