"""The input data in brief: sizes, ranges and labels, never the whole."""

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

from decision_ai_server.modellers.llm.data_walk import DataWalk, Place

_SMALL_SET, _FIRST = 16, 5
"""Sets up to this size are listed; of larger ones the first few are."""
_LONGEST_LABEL = 60


def data_summary(source: str, data: Any, *, ranges: bool = True) -> str:
    """One line for every field of the data.

    Args:
        source: the program whose classes the data have.
        data: the parsed input data.
        ranges: whether numbers are told, not only labels and sizes.
    """
    groups: dict[str, list[Place]] = {}
    for place in DataWalk(source).places(data):
        if place.path:
            groups.setdefault(place.path, []).append(place)
    lines = (_line(path, places, ranges=ranges) for path, places in groups.items())
    return "\n".join(line for line in lines if line)


def _line(path: str, places: Sequence[Place], *, ranges: bool) -> str:
    """What stands at a path; "" for what its inner paths tell."""
    values = [place.value for place in places]
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    texts = [value for value in values if isinstance(value, str)]
    flags = [value for value in values if isinstance(value, bool)]
    parts = [
        _maps([place for place in places if place.labels]),
        _lists([value for value in values if isinstance(value, list)]),
        _range(numbers) if ranges else "",
        _set("texts", texts) if texts else "",
        f"{sum(flags)} of {len(flags)} true" if flags else "",
        f"{len([value for value in values if value is None])} without a value" if None in values else "",
    ]
    told = "; ".join(part for part in parts if part)
    return f"{path}: {told}" if told else ""


def _maps(places: Sequence[Place]) -> str:
    if not places:
        return ""
    many = f"{len(places)} maps over " if len(places) > 1 else "map over "
    return many + _set("keys", [label for place in places for label in place.labels])


def _lists(lists: Sequence[list[Any]]) -> str:
    if not lists:
        return ""
    if len(lists) == 1:
        return f"list of {len(lists[0])}"
    sizes = [len(one) for one in lists]
    return f"{len(lists)} lists of {min(sizes)} to {max(sizes)}"


def _range(numbers: Sequence[float]) -> str:
    if not numbers:
        return ""
    if len(numbers) == 1:
        return f"{numbers[0]}"
    spread = f"min {min(numbers)}, median {median(numbers):.6g}, max {max(numbers)}"
    return f"{len(numbers)} numbers, {spread}"


def _set(noun: str, labels: Iterable[str]) -> str:
    distinct = list(dict.fromkeys(labels))
    shown = distinct if len(distinct) <= _SMALL_SET else distinct[:_FIRST]
    more = ", …" if len(shown) < len(distinct) else ""
    return f"{len(distinct)} {noun}: {', '.join(map(_label, shown))}{more}"


def _label(label: str) -> str:
    return repr(label if len(label) <= _LONGEST_LABEL else f"{label[:_LONGEST_LABEL]}…")
