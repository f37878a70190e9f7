"""What a PuLP script computes with, as it stands in for PuLP 2, 3 and 4: expressions and rows.

Where the versions differ: a row keeps a copy of its expression, as in 2 and 4; `x == y` is a row, as in 2
and 3.
"""

import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

LE, EQ, GE = -1, 0, 1
SIGNS = {LE: "<=", EQ: "=", GE: ">="}

_HERE = str(Path(__file__).parent)
_ROW_NAMES = str.maketrans("-+[] ", "_____")


class PulpError(Exception):
    """What PuLP itself raises on a wrong call; a script may catch it."""


REFUSED: list["NotRead"] = []
"""What was refused in this process, also where a bare `except:` of the script swallowed it."""


class NotRead(BaseException):
    """A part of PuLP that is not read. Not an Exception: a script that went on would give another model."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        REFUSED.append(self)


def script_frame() -> FrameType:
    """The innermost frame that is not of this folder."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.rpartition(os.sep)[0] == _HERE:
        frame = frame.f_back
    return frame


def script_line(frame: FrameType | None = None) -> str:
    """The line of the script that is running: `line 12`, or `line 3 of helper.py`."""
    frame = frame or script_frame()
    main = frame.f_globals.get("__name__") == "__main__"
    return f"line {frame.f_lineno}" + ("" if main else f" of {Path(frame.f_code.co_filename).name}")


def number(value: Any, what: str) -> float:
    """A finite number out of what a script computes with: Python's, numpy's, Decimal, …."""
    if isinstance(value, str) or not hasattr(value, "__float__"):
        raise TypeError(f"{what} must be a number, not {type(value).__name__}")
    known = value if isinstance(value, int) else float(value)
    if not math.isfinite(known):
        raise PulpError(f"{what} is {known}; it must be a finite number")
    return known


class Linear:
    """The operators that variables, expressions and rows share."""

    __array_priority__ = 20  # numpy leaves `numpy.float64(3) >= x` to us
    __hash__ = object.__hash__

    def _fresh(self) -> "LpAffineExpression":
        raise NotImplementedError

    def __pos__(self) -> Any:
        return self

    def __neg__(self) -> Any:
        return self * -1

    def __add__(self, other: Any) -> Any:
        return self._fresh().addInPlace(other)

    def __radd__(self, other: Any) -> Any:
        return _each(other, lambda one: self + one)

    def __sub__(self, other: Any) -> Any:
        return self._fresh().subInPlace(other)

    def __rsub__(self, other: Any) -> Any:
        return _each(other, lambda one: -self + one)

    def __mul__(self, other: Any) -> Any:
        return _each(other, self._times)

    def __rmul__(self, other: Any) -> Any:
        return _each(other, self._times)

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Linear):
            other = _constant(other, "a division by a variable is not linear")
        divisor, mine = number(other, "a divisor"), self._fresh()
        quotient = LpAffineExpression({key: value / divisor for key, value in mine.items()})
        quotient.constant = mine.constant / divisor
        return quotient

    def __le__(self, other: Any) -> Any:
        return self._compared(other, LE)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, GE)

    def __eq__(self, other: object) -> Any:
        return self._compared(other, EQ)

    def __ne__(self, other: object) -> bool:
        return self is not other

    def _times(self, other: Any) -> "LpAffineExpression":
        mine = self._fresh()
        if isinstance(other, Linear):
            if not mine.isNumericalConstant():
                other = _constant(other, "a product of two variables is not linear")
            else:
                mine, other = other._fresh(), mine.constant
        factor = number(other, "a factor")
        if factor == 0:
            return LpAffineExpression()
        product = LpAffineExpression({key: value * factor for key, value in mine.items()})
        product.constant = mine.constant * factor
        return product

    def _compared(self, other: Any, sense: int) -> Any:
        if isinstance(other, Linear):
            row = LpConstraint(self - other, sense)
            row._same = self is other if sense == EQ and isinstance(other, LpElement) else None
            return row
        if isinstance(other, str) or not hasattr(other, "__float__"):
            return NotImplemented
        return LpConstraint(self._fresh(), sense, rhs=number(other, "a right-hand side"))

    def _not_linear(self, *_other: Any) -> Any:
        raise TypeError("a power, an absolute value or a division by a variable is not linear")

    def _strict(self, _other: Any) -> Any:
        raise TypeError("a linear model has no strict comparison; write <= or >= in place of < or >")

    __pow__ = __rpow__ = __abs__ = __rtruediv__ = _not_linear
    __lt__ = __gt__ = _strict


class LpElement(Linear):
    """What an expression has terms of: a variable."""

    name: str
    order: int
    """Its number among all that were made."""
    notices: list[str]
    """What a person should know about how the script uses it."""

    @property
    def varValue(self) -> Any:
        """The value the script gave it."""
        raise NotImplementedError

    def _fresh(self) -> "LpAffineExpression":
        return LpAffineExpression(self)


class LpAffineExpression(Linear, dict):  # type: ignore[type-arg, misc]
    """Variable → coefficient, and a constant."""

    def __init__(self, e: Any = None, constant: Any = 0, name: str | None = None) -> None:
        self.constant: float = number(constant, "a constant")
        self.given: str | None = None
        self.name = name
        if isinstance(e, LpAffineExpression):
            self.constant = e.constant
            super().__init__(e)
        elif isinstance(e, LpElement):
            super().__init__([(e, 1)])
        elif isinstance(e, Mapping | Iterable):
            pairs = e.items() if isinstance(e, Mapping) else e
            super().__init__((key, number(value, "a coefficient")) for key, value in pairs)
        else:
            super().__init__()
            self.constant = self.constant if e is None else number(e, "a constant")

    @classmethod
    def empty(cls, name: str | None = None) -> "LpAffineExpression":
        """PuLP 4: an expression without terms."""
        return LpAffineExpression(name=name)

    @classmethod
    def from_variable(cls, var: LpElement, name: str | None = None) -> "LpAffineExpression":
        """PuLP 4: a variable as an expression."""
        return LpAffineExpression(var, name=name)

    @classmethod
    def from_constant(cls, value: Any, name: str | None = None) -> "LpAffineExpression":
        """PuLP 4: a number as an expression."""
        return LpAffineExpression(value, name=name)

    @classmethod
    def from_dict(cls, d: Any, constant: Any = 0.0, name: str | None = None) -> "LpAffineExpression":
        """PuLP 4: variable → coefficient, or pairs of both, as an expression."""
        return LpAffineExpression(d, constant, name)

    from_list = from_dict

    @property
    def name(self) -> str | None:
        """The name as PuLP has it."""
        return self.given.translate(_ROW_NAMES) if self.given else None

    @name.setter
    def name(self, name: Any) -> None:
        self.given = str(name) if name else None

    def addterm(self, key: LpElement, value: Any) -> None:
        """Add to the coefficient of a variable."""
        self[key] = self.get(key, 0) + number(value, "a coefficient")

    def addInPlace(self, other: Any, sign: int = 1) -> Any:
        """Add a number, a variable, an expression or all in a list or dictionary of them."""
        if other is None:
            return self
        if isinstance(other, LpConstraint):
            raise TypeError("a comparison cannot be a term of a sum; compare the sums instead")
        if isinstance(other, LpElement):
            self.addterm(other, sign)
        elif isinstance(other, LpAffineExpression):
            self.constant += sign * other.constant
            for key, value in list(other.items()):
                self.addterm(key, sign * value)
        elif isinstance(other, Iterable) and not isinstance(other, str | bytes) and not _scalar(other):
            for one in other.values() if isinstance(other, dict) else other:
                self.addInPlace(one, sign)
        else:
            self.constant += sign * number(other, "a term")
        return self

    def subInPlace(self, other: Any) -> Any:
        """Subtract what `addInPlace` adds."""
        return self.addInPlace(other, -1)

    def __iadd__(self, other: Any) -> Any:
        return self.addInPlace(other)

    def __isub__(self, other: Any) -> Any:
        return self.subInPlace(other)

    def copy(self) -> Any:
        """The same terms, without the name."""
        return LpAffineExpression(self)

    def emptyCopy(self) -> "LpAffineExpression":
        """An expression without terms."""
        return LpAffineExpression()

    def isAtomic(self) -> bool:
        """Whether it is one variable and nothing else."""
        return len(self) == 1 and self.constant == 0 and next(iter(self.values())) == 1

    def isNumericalConstant(self) -> bool:
        """Whether it has no variable."""
        return len(self) == 0

    def atom(self) -> LpElement:
        """Its first variable."""
        return next(iter(self))  # type: ignore[no-any-return]

    def sorted_keys(self) -> list[LpElement]:
        """Its variables by name."""
        return sorted(self, key=lambda variable: variable.name)

    def value(self) -> Any:
        """Its value, None if a variable has none."""
        values = [(variable.varValue, factor) for variable, factor in self.items()]
        if any(value is None for value, _factor in values):
            return None
        return self.constant + sum(value * factor for value, factor in values)

    def __bool__(self) -> bool:
        return self.constant != 0 or len(self) > 0

    def __str__(self) -> str:
        terms = [f"{factor}*{variable.name}" for variable, factor in self.items()]
        return " + ".join([*terms, str(self.constant)] if self.constant or not terms else terms)

    __repr__ = __str__

    def _fresh(self) -> Any:
        return self.copy()


class LpConstraint(LpAffineExpression):
    """A row: the expression, constant included, compared with 0."""

    def __init__(self, e: Any = None, sense: int = EQ, name: str | None = None, rhs: Any = None) -> None:
        super().__init__(e, name=name)
        if sense not in SIGNS:
            raise PulpError(f"the sense of a constraint must be -1, 0 or 1, not {sense!r}")
        self.sense = sense
        self.constant -= 0 if rhs is None else number(rhs, "a right-hand side")
        self.line = ""
        """Where it was added to a problem."""
        self.loops: tuple[str | int, ...] = ()
        """What the loops around that line stood at."""
        self.pi = self.slack = None
        self._same: bool | None = None

    def changeRHS(self, RHS: Any) -> None:
        """Set the right-hand side."""
        self.constant = -number(RHS, "a right-hand side")

    def set_coefficient(self, var: LpElement, coefficient: Any) -> None:
        """Set a coefficient; 0 removes the variable."""
        self[var] = number(coefficient, "a coefficient")

    def getLb(self) -> Any:
        """Lower bound or None."""
        return None if self.sense == LE else -self.constant

    def getUb(self) -> Any:
        """Upper bound or None."""
        return None if self.sense == GE else -self.constant

    def copy(self) -> Any:
        """The same row, without the name."""
        row = LpConstraint(self, self.sense)
        row.constant = self.constant
        return row

    def emptyCopy(self) -> "LpConstraint":
        """A row of the same sense without terms."""
        return LpConstraint(sense=self.sense)

    def makeElasticSubProblem(self, *_arguments: Any, **_more: Any) -> None:
        """Not read."""
        raise NotRead("elastic constraints are not read; import the model without and ask for a soft one")

    def __bool__(self) -> bool:
        if self._same is not None:
            return self._same
        notice = (
            f"{script_line()} takes a comparison with variables as true or false; of a chained comparison "
            "such as 0 <= x <= 1 PuLP keeps the last part only"
        )
        for variable in self:
            variable.notices.append(notice)
        return super().__bool__()

    def __str__(self) -> str:
        left = super().__str__() if len(self) or self.constant else "0"
        return f"{left} {SIGNS[self.sense]} 0"

    __repr__ = __str__

    def _times(self, _other: Any) -> Any:
        raise TypeError("a comparison cannot be multiplied; multiply both sides before comparing them")


def lpSum(vector: Any) -> LpAffineExpression:
    """The sum of all in a list, a dictionary's values or an iterator."""
    return LpAffineExpression().addInPlace(vector)  # type: ignore[no-any-return]


def lpDot(v1: Any, v2: Any) -> Any:
    """The sum of products, element by element; a number stands for a list of it."""
    lists = [isinstance(one, Iterable) and not isinstance(one, Linear) for one in (v1, v2)]
    if not any(lists):
        return v1 * v2
    first = v1 if lists[0] else [v1] * len(v2)
    second = v2 if lists[1] else [v2] * len(v1)
    return lpSum(lpDot(one, other) for one, other in zip(first, second, strict=False))


def lpSum_vars_coefs(pairs: Any) -> LpAffineExpression:
    """PuLP 4: the sum of coefficient * variable over pairs of variable and coefficient."""
    return lpSum(variable * factor for variable, factor in pairs)


def _constant(other: Linear, refusal: str) -> float:
    expression = other._fresh()
    if not expression.isNumericalConstant():
        raise TypeError(refusal)
    return expression.constant


def _scalar(value: Any) -> bool:
    """Whether it is a numpy array without a dimension, which is iterable by its type only."""
    return getattr(value, "ndim", None) == 0


def _each(other: Any, operation: Callable[[Any], Any]) -> Any:
    """An operation on each element of a numpy array, or on the one value."""
    if getattr(other, "ndim", 0) and hasattr(other, "dtype"):
        import numpy as np

        return np.frompyfunc(operation, 1, 1)(other)
    return operation(other)
