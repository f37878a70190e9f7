"""What a change would do: the model as it is and as it would be, both solved, nothing kept."""

from collections.abc import Sequence
from dataclasses import dataclass

from decision_ai.explaining.solves import Model, Run, solved
from decision_ai.modeling.comparing import MemberDifference, plan_differences
from decision_ai.solving.outcome import Outcome, OutcomeKind, RowState


@dataclass(frozen=True, kw_only=True)
class Missed:
    """By how much the rows of a soft constraint are missed in all, in each of two plans."""

    constraint_id: str
    before: float
    after: float


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
        missed: the soft constraints that one of the two plans violates, which counts before the objective;
            empty where one has no plan.
    """

    before: Outcome
    after: Outcome
    difference: float | None
    members: tuple[MemberDifference, ...]
    missed: tuple[Missed, ...] = ()

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
    members: list[MemberDifference] = []
    missed: tuple[Missed, ...] = ()
    if before.plan is not None and after.plan is not None:
        members = plan_differences(before.plan, after.plan)
        missed = _missed(before.rows, after.rows)
    return WhatIf(
        before=before.outcome,
        after=after.outcome,
        difference=None if old is None or new is None or not same_measure else new - old,
        members=tuple(members),
        missed=missed,
    )


def _missed(before: Sequence[RowState], after: Sequence[RowState]) -> tuple[Missed, ...]:
    violated = dict.fromkeys(row.constraint_id for row in [*before, *after] if row.violation > 0)

    def total(id: str, rows: Sequence[RowState]) -> float:
        return sum(row.violation for row in rows if row.constraint_id == id)

    return tuple(
        Missed(constraint_id=id, before=total(id, before), after=total(id, after)) for id in violated
    )
