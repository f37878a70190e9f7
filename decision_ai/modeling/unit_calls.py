"""What well-known functions and methods give back, as far as units need it."""

from collections.abc import Callable
from typing import TypeAlias

from decision_ai.modeling.unit_checks import times
from decision_ai.modeling.unit_shapes import (
    NUMBER,
    UNKNOWN,
    Amount,
    Group,
    Many,
    Shape,
    Table,
    item_of,
    joined,
)

Rule: TypeAlias = Callable[[Shape, list[Shape]], Shape]
"""Owner of a method (or nothing), arguments → result."""


def _same(owner: Shape, arguments: list[Shape]) -> Shape:
    """What leaves the unit of a number as it is, and a list a list."""
    return arguments[0] if arguments else owner


def _listed(_owner: Shape, arguments: list[Shape]) -> Shape:
    return Many(item_of(arguments[0])) if arguments else UNKNOWN


def _numbered(_owner: Shape, arguments: list[Shape]) -> Shape:
    return Many(Group((UNKNOWN, item_of(arguments[0])))) if arguments else UNKNOWN


def _zipped(_owner: Shape, arguments: list[Shape]) -> Shape:
    return Many(Group(tuple(item_of(argument) for argument in arguments)))


def _paired(_owner: Shape, arguments: list[Shape]) -> Shape:
    return Many(Group((item_of(arguments[0]),) * 2)) if arguments else UNKNOWN


def _chained(_owner: Shape, arguments: list[Shape]) -> Shape:
    return Many(joined([item_of(argument) for argument in arguments]))


def _dot(_owner: Shape, arguments: list[Shape]) -> Shape:
    factors = [item_of(argument) for argument in arguments]
    if len(factors) != 2 or not isinstance(factors[0], Amount) or not isinstance(factors[1], Amount):
        return UNKNOWN
    return times(factors[0], factors[1])


def _counted(_owner: Shape, _arguments: list[Shape]) -> Shape:
    return NUMBER


def _items(owner: Shape, _arguments: list[Shape]) -> Shape:
    return Many(Group((owner.key, owner.value))) if isinstance(owner, Table) else UNKNOWN


def _values(owner: Shape, _arguments: list[Shape]) -> Shape:
    return Many(owner.value) if isinstance(owner, Table) else UNKNOWN


def _keys(owner: Shape, _arguments: list[Shape]) -> Shape:
    return Many(owner.key) if isinstance(owner, Table) else UNKNOWN


def _looked_up(owner: Shape, arguments: list[Shape]) -> Shape:
    return joined([owner.value, *arguments[1:]]) if isinstance(owner, Table) else UNKNOWN


def _owner(owner: Shape, _arguments: list[Shape]) -> Shape:
    return owner


BY_NAME: dict[str, Rule] = {
    **dict.fromkeys(
        ["abs", "round", "float", "int", "ceil", "floor", "fabs", "trunc", "value", "dict", "copy"], _same
    ),
    **dict.fromkeys(["list", "tuple", "set", "frozenset", "sorted", "reversed", "iter", "fromkeys"], _listed),
    "enumerate": _numbered,
    "zip": _zipped,
    "product": _zipped,
    "pairwise": _paired,
    "chain": _chained,
    "lpDot": _dot,
    "len": _counted,
    "range": lambda _owner, _arguments: Many(UNKNOWN),
}
"""Functions by the last part of their name."""

MEMBERS: dict[str, Rule] = {
    "items": _items,
    "values": _values,
    "keys": _keys,
    **dict.fromkeys(("get", "pop", "setdefault"), _looked_up),
    **dict.fromkeys(("value", "copy"), _owner),
    "count": _counted,
}
"""Methods of dicts, lists and variables."""
