"""Numbers in data that are out of scale with their siblings: a typing error, or grams among kilograms."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any, TypeAlias

from decision_ai.modeling.data import joined

FAR = 1000.0
"""A number that is so many times the median of its siblings, or the median so many times it, ..."""
ALONE = 100.0
"""... and so many times away from the nearest of them, is told."""
FEWEST_SIBLINGS = 4

Step: TypeAlias = str | int
Path: TypeAlias = tuple[Step, ...]


@dataclass(frozen=True)
class _Number:
    """One number that is not zero."""

    path: Path
    value: float
    groups: tuple[tuple[Step | None, ...], ...]
    """The groups of siblings it belongs to: its path with `None` for the step in which they differ."""


def scale_warnings(data: Any, fields: Collection[str] = ()) -> list[str]:
    """Numbers a thousand times larger or smaller than their siblings, each in a sentence.

    Siblings are the numbers of one list or dict, and the same field of the records in a list or dict. A
    number is told only if it is out of scale in each of its groups that has at least four others. Groups that
    spread widely by nature do not count.

    Args:
        data: a JSON value.
        fields: names of the fields of the data classes; a dict that has only such keys is a record. Without
            them only the outermost dict is known to be one.
    """
    numbers = list(_numbers(data, (), (), frozenset(fields), outermost=True))
    groups: dict[tuple[Step | None, ...], list[float]] = defaultdict(list)
    for number in numbers:
        for group in number.groups:
            groups[group].append(abs(number.value))
    strange = {group: _out_of_scale(sizes) for group, sizes in groups.items() if len(sizes) > FEWEST_SIBLINGS}
    # Numbers that spread widely tell nothing about one of them.
    telling = {
        group for group, found in strange.items() if found or max(groups[group]) < ALONE * min(groups[group])
    }
    warnings = []
    for number in numbers:
        usual = [strange[group].get(abs(number.value)) for group in number.groups if group in telling]
        if usual and usual[0] is not None and None not in usual:
            warnings.append(_sentence(number, usual[0]))
    return warnings


def _sentence(number: _Number, usual: float) -> str:
    size = abs(number.value)
    times = f"{max(size / usual, usual / size):,.0f} times"
    than = "larger" if size > usual else "smaller"
    where = ""
    for step in number.path:
        where = joined(where, step) if isinstance(step, str) else f"{where}[{step}]"
    return f"{where} is {number.value:.10g}: {times} {than} than its siblings (median {usual:.10g})"


def _out_of_scale(sizes: list[float]) -> dict[float, float]:
    """The least and the greatest, where they are out of scale, with the median of the others."""
    ordered = sorted(sizes)
    found = {}
    for lone, others in ((ordered[-1], ordered[:-1]), (ordered[0], ordered[1:])):
        usual = median(others)
        gap = max(lone / others[-1], others[0] / lone)
        # Others that spread as wide as the gap show that it is their nature.
        if max(lone / usual, usual / lone) >= FAR and gap >= max(ALONE, others[-1] / others[0]):
            found[lone] = usual
    return found


def _numbers(
    value: Any, path: Path, labelled: tuple[int, ...], fields: frozenset[str], *, outermost: bool = False
) -> Iterator[_Number]:
    """The numbers in a value.

    Args:
        value: any JSON value.
        path: where it is.
        labelled: positions of the steps on the path that are labels or positions, not names of fields.
        fields: names of the fields of the data classes.
        outermost: whether it is the whole data.
    """
    if isinstance(value, dict):
        record = bool(value) and fields.issuperset(value) if fields else outermost
        own = labelled if record else (*labelled, len(path))
        for key, inner in value.items():
            yield from _numbers(inner, (*path, key), own, fields)
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from _numbers(inner, (*path, position), (*labelled, len(path)), fields)
    elif isinstance(value, int | float) and not isinstance(value, bool) and _usable(value):
        groups = tuple((*path[:place], None, *path[place + 1 :]) for place in labelled)
        yield _Number(path, float(value), groups)


def _usable(value: float) -> bool:
    return value != 0 and abs(value) < 1e300 and math.isfinite(value) and abs(value) > 1e-300
