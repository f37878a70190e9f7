"""What strains a solver in the numbers of a model: wide ranges and big M.

A solver computes with sixteen digits and takes 1e-6 for nothing. Numbers of very different size use these
digits up, and with a coefficient of a million a binary of 0.000001, which counts as 0, opens what it is to
keep shut.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from decision_ai.solving.families import BuiltFamily, Index
from decision_ai.solving.linear import Floats, LinearModel
from decision_ai.solving.outcome import indexed_name

WIDEST = 1e7
"""Largest over smallest size that passes without a word."""
BIG_M = 1e4
"""A coefficient of a binary this many times larger than it need be is told."""
BIG_M_ALONE = 1e6
"""A coefficient of a binary of this size is told where nothing says how large it need be."""
_NEARLY = 0.01
_MOST_BIG_M = 5

_Numbers = NDArray[np.int64]


class Places:
    """The names behind columns and rows."""

    def __init__(
        self, families: Mapping[str, BuiltFamily], constraints: Mapping[str, Sequence[Index]]
    ) -> None:
        """Take what was built.

        Args:
            families: in the order of the columns.
            constraints: id → indices of its rows, in the order of the rows.
        """
        self._families = [(name, family.indices) for name, family in families.items()]
        self._constraints = list(constraints.items())
        self._columns = _starts(indices for _, indices in self._families)
        self._rows = _starts(indices for _, indices in self._constraints)

    def family(self, column: int) -> str:
        """The family of a column."""
        return self._families[bisect_right(self._columns, column) - 1][0]

    def constraint(self, row: int) -> str:
        """The constraint of a row."""
        return self._constraints[bisect_right(self._rows, row) - 1][0]

    def member(self, column: int) -> str:
        """A column by name."""
        return _named(column, self._columns, self._families)

    def row(self, row: int) -> str:
        """A row by name."""
        return f"constraint {_named(row, self._rows, self._constraints)}"


def numeric_warnings(linear: LinearModel, places: Places) -> list[str]:
    """A line for everything that strains the solver; at most nine, the same for the same model."""
    of_entry = np.repeat(np.arange(linear.rows), np.diff(linear.start))

    def entry(k: int) -> str:
        return f"{places.member(int(linear.index[k]))} in {places.row(int(of_entry[k]))}"

    sides = np.where(np.isfinite(linear.row_lower), linear.row_lower, linear.row_upper)
    bounds = np.concatenate([linear.lower, linear.upper])
    ranges = [
        _range("the coefficients of the constraints", linear.value, entry),
        _range("the coefficients of the objective", linear.cost, places.member),
        _range("the right sides", sides, places.row),
        _range("the bounds of the variables", bounds, lambda k: places.member(k % max(1, linear.columns))),
    ]
    return [line for line in ranges if line is not None] + _big_m(linear, of_entry, places)


def _range(what: str, numbers: Floats, place: Callable[[int], str]) -> str | None:
    """A sentence if the sizes of numbers are too far apart."""
    counted = np.flatnonzero(np.isfinite(numbers) & (numbers != 0))
    if not len(counted):
        return None
    sizes = np.abs(numbers[counted])
    least, most = int(counted[np.argmin(sizes)]), int(counted[np.argmax(sizes)])
    with np.errstate(over="ignore"):  # a factor beyond all numbers is told as "inf"
        factor = sizes.max() / sizes.min()
    if factor <= WIDEST:
        return None
    return (
        f"{what} range from {numbers[least]:.4g} ({place(least)}) to {numbers[most]:.4g} ({place(most)}), "
        f"a factor of {factor:.0e}: use units in which they are closer together"
    )


@dataclass(frozen=True)
class _BigM:
    entries: _Numbers
    needed: Floats
    """What each coefficient need be; infinite where that is not known."""


def _big_m(linear: LinearModel, of_entry: _Numbers, places: Places) -> list[str]:
    """A line for each constraint and family with a suspect, the worst one named."""
    signs = ((1.0, linear.row_upper), (-1.0, -linear.row_lower))
    found = [_suspects(linear, of_entry, sign, side) for sign, side in signs]
    entries = np.concatenate([one.entries for one in found])
    needed = np.concatenate([one.needed for one in found])
    worst: dict[tuple[str, str], int] = {}
    count: dict[tuple[str, str], int] = {}
    for k in np.argsort(entries, kind="stable").tolist():
        entry = int(entries[k])
        key = places.constraint(int(of_entry[entry])), places.family(int(linear.index[entry]))
        count[key] = count.get(key, 0) + 1
        if key not in worst or needed[k] < needed[worst[key]]:
            worst[key] = k
    return [
        _told(linear, of_entry, places, int(entries[k]), float(needed[k]), count[key])
        for key, k in list(worst.items())[:_MOST_BIG_M]
    ]


def _told(
    linear: LinearModel, of_entry: _Numbers, places: Places, entry: int, needed: float, count: int
) -> str:
    place = f"{places.member(int(linear.index[entry]))} in {places.row(int(of_entry[entry]))}"
    more = f" (and {count - 1:,} more like it)" if count > 1 else ""
    would_do = (
        f"{needed:.6g} would do"
        if np.isfinite(needed)
        else "bound the other variables of the row, so that one knows how large it need be"
    )
    return f"the coefficient {linear.value[entry]:.4g} of {place}{more} looks like a big M: {would_do}"


def _suspects(linear: LinearModel, of_entry: _Numbers, sign: float, side: Floats) -> _BigM:
    """The big M of the rows `sign * terms <= side`, without equations.

    Where the binary switches the row off, the row need allow only what the other terms can reach at most. By
    how much the binary must shift the right side for that is what the coefficient need be.
    """
    value, columns = sign * linear.value, linear.index
    at_most = np.where(value > 0, linear.upper[columns], linear.lower[columns])
    endless = ~np.isfinite(at_most)
    reach = value * np.where(endless, 0.0, at_most)
    total = np.bincount(of_entry, weights=reach, minlength=linear.rows)
    open_ended = np.bincount(of_entry, weights=endless, minlength=linear.rows)
    binary = linear.integral & (linear.lower == 0) & (linear.upper == 1)
    one_sided = np.isfinite(side) & (linear.row_lower != linear.row_upper)
    candidates = np.flatnonzero(binary[columns] & one_sided[of_entry] & (np.abs(value) > 1))
    row, size = of_entry[candidates], np.abs(value[candidates])
    # A negative coefficient switches the row off at 1, a positive one at 0.
    others = total[row] - reach[candidates]
    allowed = np.where(value[candidates] > 0, side[row] - size, side[row])
    known = open_ended[row] == 0
    needed = np.where(known, others - allowed, np.inf)
    large = known & (needed > 0) & (size >= BIG_M * needed)
    # Without a bound only the form tells: b = 0 leaves no room, or as much as the coefficient.
    switch = np.abs(allowed) <= _NEARLY * size
    alone = ~known & switch & (size >= BIG_M_ALONE)
    chosen = np.flatnonzero(large | alone)
    return _BigM(entries=candidates[chosen], needed=needed[chosen])


def _starts(groups: Iterator[Sequence[Index]]) -> list[int]:
    return [0, *accumulate(len(indices) for indices in groups)][:-1]


def _named(number: int, starts: list[int], groups: Sequence[tuple[str, Sequence[Index]]]) -> str:
    group = bisect_right(starts, number) - 1
    name, indices = groups[group]
    index = indices[number - starts[group]]
    return indexed_name(name, index)
