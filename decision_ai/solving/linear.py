"""A linear model as plain numpy arrays, and the arithmetic with which we check every plan ourselves."""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int32]

FEASIBILITY = 1e-6
"""How far a row or a bound may be missed, relative to 1 + its size."""
INTEGRALITY = 1e-5
"""How far from a whole number an integer column may be before it is rounded."""
_NO_GAP = 1e-12
"""A gap of floating-point noise only."""
_ROUNDING = 1e-11
"""Floating-point noise allowed per unit of the terms a row adds up."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LinearModel:
    """Sense, columns and rows; the matrix is row-wise (`start`, `index`, `value`). Infinite = no bound."""

    sense: Literal["minimize", "maximize"]
    offset: float
    cost: Floats
    lower: Floats
    upper: Floats
    integral: NDArray[np.bool_]
    row_lower: Floats
    row_upper: Floats
    start: Integers
    index: Integers
    value: Floats

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.cost)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.row_lower)

    @property
    def is_integer(self) -> bool:
        """Whether any column is integral."""
        return bool(self.integral.any())

    def objective(self, values: Floats) -> float:
        """The objective at a point."""
        return float(self.cost @ values) + self.offset

    def activities(self, values: Floats) -> Floats:
        """The value of every row's left side at a point."""
        return self._row_sums(self.value * values[self.index])

    def violations(self, activities: Floats) -> Floats:
        """How far every row is missed; what our tolerance allows counts as nothing."""
        return missed(activities, self.row_lower, self.row_upper)

    def noise(self, values: Floats) -> Floats:
        """Floating-point noise of every row at a point."""
        return _ROUNDING * self._row_sums(np.abs(self.value * values[self.index]))

    def feasible(self, values: Floats) -> bool:
        """Whether a point keeps every bound, row and integrality within our tolerances."""
        if len(values) != self.columns or not np.isfinite(values).all():
            return False
        whole = values[self.integral]
        if (np.abs(whole - np.round(whole)) > INTEGRALITY).any():
            return False
        terms = self.value * values[self.index]
        return _within(values, self.lower, self.upper, 0.0) and _within(
            self._row_sums(terms), self.row_lower, self.row_upper, self.noise(values)
        )

    def accepted(self, values: Floats) -> Floats | None:
        """The point with its integers made whole, or None if it is not a plan."""
        whole = np.array(values, dtype=np.float64)
        if len(whole) != self.columns or not np.isfinite(whole).all():
            return None
        if (np.abs(whole - np.round(whole)) > INTEGRALITY)[self.integral].any():
            return None
        whole[self.integral] = np.round(whole[self.integral])
        whole += 0.0  # no negative zeros
        return whole if self.feasible(whole) else None

    def _row_sums(self, terms: Floats) -> Floats:
        # A running sum would lose digits on long matrices; bincount adds each row by itself.
        rows = np.repeat(np.arange(self.rows), np.diff(self.start))
        return np.bincount(rows, weights=terms, minlength=self.rows).astype(np.float64)


def missed(values: Floats, lower: Floats, upper: Floats, noise: Floats | float = 0.0) -> Floats:
    """How far every value is outside its bounds; what our tolerance allows counts as nothing."""
    below = np.where(np.isfinite(lower), lower - values, 0.0)
    above = np.where(np.isfinite(upper), values - upper, 0.0)
    distance = np.maximum(np.maximum(below, above), 0.0)
    size = 1 + np.maximum(_size(lower), _size(upper))
    return np.where(distance <= FEASIBILITY * size + noise, 0.0, distance)


def _within(values: Floats, lower: Floats, upper: Floats, noise: Floats | float) -> bool:
    below = np.where(np.isfinite(lower), lower - values, -np.inf)
    above = np.where(np.isfinite(upper), values - upper, -np.inf)
    allowed_below = FEASIBILITY * (1 + _size(lower)) + noise
    allowed_above = FEASIBILITY * (1 + _size(upper)) + noise
    return bool((below <= allowed_below).all() and (above <= allowed_above).all())


def _size(bounds: Floats) -> Floats:
    return np.abs(np.where(np.isfinite(bounds), bounds, 0.0))


def relative_gap(objective: float | None, bound: float | None) -> float | None:
    """abs(bound - objective) / abs(objective); None where one is missing or the objective is 0."""
    if objective is None or bound is None or objective == 0:
        return None
    gap = abs(bound - objective) / abs(objective)
    if gap <= _NO_GAP:
        return 0.0
    return gap if math.isfinite(gap) else None
