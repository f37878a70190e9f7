"""Why a solve stopped and what it left: our own vocabulary. Pure: part of the floor.

PuLP's and HiGHS' words end in `problem.py` and `highs.py`; nobody else sees them. An objective and values
exist only where a feasible plan does, and a plan is feasible only if HiGHS and our own arithmetic agree.
"""

from enum import StrEnum
from typing import Self

from pydantic import BaseModel, ConfigDict, model_validator

Label = str | int | float
"""One component of an index, in the Python type the model used as key."""


def indexed_name(id: str, index: tuple[Label, ...]) -> str:
    """A member or a row as people call it: `total`, `pack[Tent]`, `window[Ana, Mon]`."""
    return f"{id}[{', '.join(map(str, index))}]" if index else id


class OutcomeKind(StrEnum):
    """The ten ways a solve can end."""

    OPTIMAL = "optimal"
    """Proven best, within the gap tolerances' default."""
    GAP_REACHED = "gap_reached"
    """Stopped at a gap the caller asked for that is wider than the default, or at the objective limit."""
    LIMIT_WITH_PLAN = "limit_with_plan"
    LIMIT_WITHOUT_PLAN = "limit_without_plan"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    INFEASIBLE_OR_UNBOUNDED = "infeasible_or_unbounded"
    INTERRUPTED_WITH_PLAN = "interrupted_with_plan"
    INTERRUPTED_WITHOUT_PLAN = "interrupted_without_plan"
    ERROR = "error"

    @property
    def has_plan(self) -> bool:
        """Whether this ending leaves a plan."""
        return self in _WITH_PLAN


_WITH_PLAN = frozenset(
    {
        OutcomeKind.OPTIMAL,
        OutcomeKind.GAP_REACHED,
        OutcomeKind.LIMIT_WITH_PLAN,
        OutcomeKind.INTERRUPTED_WITH_PLAN,
    }
)


class Outcome(BaseModel):
    """Why a solve stopped, with the figures that belong to it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)

    kind: OutcomeKind
    objective: float | None = None
    """The user's objective at the plan; None without a plan."""
    bound: float | None = None
    """No plan can be better than this; None where the solver gave none."""
    gap: float | None = None
    """abs(bound - objective) / abs(objective); None where the objective or the bound is missing or 0."""
    seconds: float = 0.0
    """Wall time of the solve, without building."""
    nodes: int | None = None
    """Branch-and-bound nodes; None for an LP."""
    confirmed: bool = True
    """False for an "infeasible" that the run with presolve off did not confirm in time."""
    message: str | None = None
    """What else to say, such as which limit stopped the solve."""

    @property
    def figures(self) -> list[str]:
        """Objective, bound and gap in words, as far as there are such."""
        told = [
            f"{name} {value:.10g}"
            for name, value in (("objective", self.objective), ("bound", self.bound))
            if value is not None
        ]
        return told if self.gap is None else [*told, f"gap {self.gap * 100:.4g}%"]

    @model_validator(mode="after")
    def _objective_needs_a_plan(self) -> Self:
        if (self.objective is not None) != self.kind.has_plan:
            raise ValueError(f"outcome {self.kind!r} and objective {self.objective!r} do not go together")
        return self


class Plan(BaseModel):
    """The values of all variables: per family, pairs of index and value in the order of the model."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)

    values: dict[str, list[tuple[tuple[Label, ...], float]]]
    """Family → [(index, value)]; the index of a scalar family is empty."""

    def family(self, variable_id: str) -> dict[Label | tuple[Label, ...], float]:
        """The values of one family by the key the model uses: a label for one index, else a tuple.

        Raises:
            KeyError: if there is no such family.
        """
        return {index[0] if len(index) == 1 else index: value for index, value in self.values[variable_id]}


class RowState(BaseModel):
    """One row of a constraint at a plan."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)

    constraint_id: str
    index: tuple[Label, ...] = ()
    activity: float
    """Value of the row's left side, variables only."""
    lower: float | None = None
    upper: float | None = None
    violation: float = 0.0
    """How far a soft row is missed; 0 for a hard row."""

    @property
    def binding(self) -> bool:
        """Whether the plan uses the row up: activity at a bound, within 1e-6 relative to its size."""
        return any(
            abs(self.activity - bound) <= 1e-6 * max(1.0, abs(bound))
            for bound in (self.lower, self.upper)
            if bound is not None
        )


class SolveProgress(BaseModel):
    """How far a running solve is."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)

    seconds: float
    objective: float | None = None
    """Best plan so far."""
    bound: float | None = None
    gap: float | None = None
    nodes: int | None = None
