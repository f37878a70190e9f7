"""`LpVariable` as it stands in for PuLP 2, 3 and 4; bounds may be infinite, as in 2."""

import math
from itertools import count
from typing import Any

from decision_ai.modeling.importing.pulp_algebra import LpElement, NotRead, PulpError, number

CONTINUOUS, INTEGER, BINARY = "Continuous", "Integer", "Binary"

_ORDER = count()
_NAMES = str.maketrans("-+[] ->/", "________")


class LpVariable(LpElement):
    """A variable; its constructor is the one of PuLP 2 and 3, `LpProblem.add_variable` the one of 4."""

    def __init__(
        self, name: str, lowBound: Any = None, upBound: Any = None, cat: str = CONTINUOUS, e: Any = None
    ) -> None:
        if e is not None:
            raise NotRead("column-wise modelling (the argument `e` of a variable) is not read")
        self.order = next(_ORDER)
        self.given = str(name)
        self.member: tuple[str, tuple[Any, ...]] | None = None
        """Family and index, as far as the script says them."""
        self.notices: list[str] = []
        self.unknown = False
        """Whether a solve that would have given it a value was left out."""
        self.name = self.given.translate(_NAMES)
        self._value: Any = None
        self.dj = None
        self.bounds(lowBound, upBound)
        self.cat = cat
        self._original = self._lower, self._upper

    @property
    def lowBound(self) -> Any:
        """Lower bound or None."""
        return self._lower

    @lowBound.setter
    def lowBound(self, bound: Any) -> None:
        self._lower = _bound(bound, -math.inf)

    @property
    def upBound(self) -> Any:
        """Upper bound or None."""
        return self._upper

    @upBound.setter
    def upBound(self, bound: Any) -> None:
        self._upper = _bound(bound, math.inf)

    @property
    def cat(self) -> str:
        """Continuous or Integer."""
        return self._category

    @cat.setter
    def cat(self, category: str) -> None:
        if category not in (CONTINUOUS, INTEGER, BINARY):
            raise PulpError(
                f"variable {self.name!r}: cat must be 'Continuous', 'Integer' or 'Binary', not {category!r}"
            )
        if category == BINARY:
            self.bounds(0, 1)
        self._category = INTEGER if category == BINARY else category

    @property
    def varValue(self) -> Any:
        """The value the script gave it; there are no others while it is read."""
        if self._value is None and self.unknown:
            raise NotRead(f"the script uses the value of {self.name!r} after a solve that was left out")
        return self._value

    @varValue.setter
    def varValue(self, value: Any) -> None:
        self._value = value

    def bounds(self, low: Any, up: Any) -> None:
        """Set both bounds; None is none."""
        self.lowBound, self.upBound = low, up

    def positive(self) -> None:
        """Set the bounds to 0 and none."""
        self.bounds(0, None)

    def setInitialValue(self, val: Any, check: bool = True) -> bool:
        """Take a starting value; True if it is within the bounds."""
        low, up = self._lower, self._upper
        within = (low is None or val >= low) and (up is None or val <= up)
        if not within and check:
            raise ValueError(f"In variable {self.name}, initial value {val} is not within its bounds")
        if within:
            self._value = val
        return within

    def fixValue(self) -> None:
        """Set both bounds to the value, if there is one."""
        if self.varValue is not None:
            self.bounds(self.varValue, self.varValue)

    def unfixValue(self) -> None:
        """Bring the bounds back that it was made with."""
        self.bounds(*self._original)

    def value(self) -> Any:
        """The value or None."""
        return self.varValue

    roundedValue = value

    def getLb(self) -> Any:
        """Lower bound or None."""
        return self._lower

    def getUb(self) -> Any:
        """Upper bound or None."""
        return self._upper

    def getName(self) -> str:
        """The name as PuLP has it."""
        return self.name

    def isInteger(self) -> bool:
        """Whether it is an integer."""
        return self._category == INTEGER

    def isBinary(self) -> bool:
        """Whether it is 0 or 1."""
        return self.isInteger() and (self._lower, self._upper) == (0, 1)

    def isFree(self) -> bool:
        """Whether it has no bound."""
        return self._lower is None and self._upper is None

    def isPositive(self) -> bool:
        """Whether its only bound is 0."""
        return bool(self._lower == 0) and self._upper is None

    def isConstant(self) -> bool:
        """Whether its bounds are equal."""
        return self._lower is not None and self._lower == self._upper

    isFixed = isConstant

    def __bool__(self) -> bool:
        return bool(self.varValue)

    def __repr__(self) -> str:
        return self.name


def _bound(bound: Any, none: float) -> Any:
    if bound is None or (hasattr(bound, "__float__") and float(bound) == none):
        return None
    return number(bound, "a bound")
