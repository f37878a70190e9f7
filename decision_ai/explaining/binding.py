"""What a plan uses up: the rows at their bounds, and how far the others are from theirs. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from decision_ai.solving.outcome import Label, RowState


@dataclass(frozen=True)
class RowSlack:
    """One row and what is left of it.

    Attributes:
        constraint_id: its constraint.
        index: its index; empty for a single row.
        slack: distance of its activity from the nearer bound, at least 0.
        binding: whether it is used up, within the tolerance of `RowState.binding`.
    """

    constraint_id: str
    index: tuple[Label, ...]
    slack: float
    binding: bool


@dataclass(frozen=True, kw_only=True)
class ConstraintUse:
    """How much of a constraint a plan uses.

    Attributes:
        id: the constraint.
        rows: how many rows it has.
        equalities: how many of them are equalities, which every plan uses up.
        binding: how many of the others are used up.
        least_slack: the smallest slack of the others; None if there are none.
        violated: how many of its rows are missed; only soft ones can be.
    """

    id: str
    rows: int
    equalities: int
    binding: int
    least_slack: float | None
    violated: int


def slack_of(row: RowState) -> RowSlack:
    """What is left of one row."""
    below = [] if row.lower is None else [row.activity - row.lower]
    above = [] if row.upper is None else [row.upper - row.activity]
    slack = max(0.0, min([*below, *above], default=float("inf")))
    return RowSlack(row.constraint_id, row.index, slack, row.binding)


def uses(rows: Sequence[RowState]) -> list[ConstraintUse]:
    """How much of every constraint a plan uses, in the order of the rows.

    Args:
        rows: every row at the plan, as a `JobResult` has them.
    """
    by_id: dict[str, list[RowState]] = {}
    for row in rows:
        by_id.setdefault(row.constraint_id, []).append(row)
    return [_use(id, group) for id, group in by_id.items()]


def _use(id: str, rows: Sequence[RowState]) -> ConstraintUse:
    others = [slack_of(row) for row in rows if row.lower is None or row.lower != row.upper]
    return ConstraintUse(
        id=id,
        rows=len(rows),
        equalities=len(rows) - len(others),
        binding=sum(row.binding for row in others),
        least_slack=min((row.slack for row in others), default=None),
        violated=sum(row.violation > 0 for row in rows),
    )
