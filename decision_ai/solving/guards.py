"""What PuLP takes in silence, refused while a model file runs; beside `problem` the one file that knows PuLP.

PuLP reads None as 0 and a dict as the sum of its values, finds `x != 1` simply true, and a variable without a
value has none to decide an `if`. PuLP 4 knows no numpy numbers, PuLP 3 does.
"""

import numbers
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pulp  # noqa: TID251 - it changes what `problem` gives out

PULP_4 = not hasattr(pulp, "LpStatus")
_FINE = (pulp.LpAffineExpression, pulp.LpVariable, float, int, pulp.LpConstraint)
_NUMBERS = (numbers.Real, np.bool_, Decimal)
_CONVERTED = (str, np.generic, Decimal, Fraction)
_TWO_SIDED = (
    "__le__",
    "__ge__",
    "__eq__",
    "__add__",
    "__radd__",
    "__iadd__",
    "__sub__",
    "__rsub__",
    "__isub__",
)
_ADD = "_add_in_place" if PULP_4 else "addInPlace"


class SilentlyRead(TypeError):
    """Something PuLP would have read as something else; `error_type` is a word of the reports."""

    def __init__(self, error_type: str, message: str, hint: str) -> None:
        self.error_type, self.hint = error_type, hint
        super().__init__(message)


def operand(other: Any) -> Any:
    """What stands beside a variable in a sum or a comparison, as both generations of PuLP take it.

    Raises:
        SilentlyRead: if it is neither a number nor an expression.
    """
    if isinstance(other, _FINE):
        return other
    if isinstance(other, _NUMBERS):
        return float(other)
    if other is None:
        raise SilentlyRead(
            "missing_value",
            "None stands where a number must be, and would be read as 0",
            "give the value in the data, or skip the row or the term where it is None",
        )
    raise SilentlyRead(
        "not_a_number",
        f"a {type(other).__name__} stands where a number or an expression must be",
        number_hint(type(other).__name__),
    )


def number_hint(kind: str) -> str:
    """What to do about something of a type that is no number."""
    if kind == "str":
        return "write numbers without quotes, and look labels up in the data, as in data.demand[i]"
    if "method" in kind or "function" in kind:
        return "call it with (...)"
    return "take one number out of it, as in data.demand[i], or add it up with lpSum(...)"


@contextmanager
def guarded() -> Iterator[None]:
    """Refuse what PuLP takes in silence while a model file is built.

    Python turns `0 <= x <= 1` into `(0 <= x) and (x <= 1)`, which would drop the first half.
    """

    def row_truth(_row: Any) -> bool:
        raise SilentlyRead(
            "no_value",
            "a comparison with variables is not true or false while the model is built; `if`, `and`, `or`, "
            "`not` and `in` cannot use it",
            "write 0 <= x <= 1 as two constraints, and yield several constraints one by one; 'if' and 'or' "
            "between variables need a binary variable",
        )

    with truth(row_truth, _no_value), no_silent_reading(), _patched(_values_refused() + _strict_zip()):
        yield


@contextmanager
def truth(rows: Callable[[Any], bool], variables: Callable[[Any], bool]) -> Iterator[None]:
    """Let rows and variables be true or false as told."""
    owner = pulp.LpAffineExpression if PULP_4 else pulp.LpConstraint
    before = owner.__bool__

    def told(row: Any) -> bool:
        return bool(before(row)) if row.sense is None else rows(row)

    with _patched([(owner, "__bool__", told), (pulp.LpVariable, "__bool__", variables)]):
        yield


@contextmanager
def no_silent_reading() -> Iterator[None]:
    """Refuse what is neither a number nor an expression, and take every kind of number."""
    expression, variable = pulp.LpAffineExpression, pulp.LpVariable
    patches: list[_Patch] = [(expression, name, _checked(getattr(expression, name))) for name in _SIDES]
    patches.append((expression, _ADD, _checked_in_sums(getattr(expression, _ADD))))
    patches += [(owner, "__ne__", _not_equal_refused(owner.__ne__)) for owner in (expression, variable)]
    with _patched(patches):
        yield


_Patch = tuple[Any, str, Callable[..., Any]]
_SIDES = tuple(name for name in _TWO_SIDED if hasattr(pulp.LpAffineExpression, name))


@contextmanager
def _patched(patches: list[_Patch]) -> Iterator[None]:
    with ExitStack() as undo:
        for owner, name, method in patches:
            if name in vars(owner):
                undo.callback(setattr, owner, name, vars(owner)[name])
            else:
                undo.callback(delattr, owner, name)
            setattr(owner, name, method)
        yield


def _checked(method: Callable[..., Any]) -> Callable[..., Any]:
    def checked(self: Any, other: Any) -> Any:
        return method(self, operand(other))

    return checked


def _checked_in_sums(method: Callable[..., Any]) -> Callable[..., Any]:
    # PuLP adds up a sum with one call for each term, and lists and dicts by their terms: this is its time.
    def checked(self: Any, other: Any, sign: Any = 1) -> Any:
        if not isinstance(other, _FINE) and (other is None or isinstance(other, _CONVERTED)):
            other = operand(other)
        return method(self, other, sign)

    return checked


def _not_equal_refused(method: Callable[..., Any]) -> Callable[..., Any]:
    def different(self: Any, other: Any) -> Any:
        if isinstance(self, pulp.LpVariable) and isinstance(other, pulp.LpVariable):
            return method(self, other)
        raise SilentlyRead(
            "not_equal",
            "a comparison with != is not linear",
            "use <=, >= or ==; 'one of two sides' needs a binary variable that chooses the side",
        )

    return different


def _strict_zip() -> list[_Patch]:
    """`lpDot` would leave out what the longer of two lists has more."""
    return [(sys.modules[pulp.lpDot.__module__], "zip", partial(zip, strict=True))]


def _values_refused() -> list[_Patch]:
    owners = (pulp.LpVariable, pulp.LpAffineExpression, pulp.LpConstraint)
    return [(owner, "value", _no_value) for owner in dict.fromkeys(owners) if "value" in vars(owner)]


def _no_value(_self: Any) -> Any:
    raise SilentlyRead(
        "no_value",
        "a variable has no value while the model is built; it cannot decide an `if`",
        "decide by the data, or with a binary variable; solution_to_str may read x.value()",
    )
