"""The file that knows PuLP, both 3 and 4, beside `guards`.

PuLP is used for what a model file writes, variables and linear expressions, and for nothing else: rows are
read straight into arrays and never given to an `LpProblem`, whose names, copies and solvers differ between
the two.
"""

import math
import numbers
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pulp

from decision_ai.modeling.variables import Domain
from decision_ai.solving.guards import PULP_4, no_silent_reading, operand, truth
from decision_ai.solving.linear import Floats, LinearModel, missed

_EXPRESSIONS = (pulp.LpAffineExpression, pulp.LpConstraint)
EXPRESSIONS = (pulp.LpVariable, *_EXPRESSIONS)
"""What a model file computes with."""
_CATEGORIES = {"binary": "Integer", "integer": "Integer", "continuous": "Continuous"}


class NotLinear(Exception):
    """What a method returned cannot be a row or an objective; `error_type` is a word of the reports."""

    def __init__(
        self, error_type: str, message: str, hint: str | None = None, line: int | None = None
    ) -> None:
        self.error_type, self.hint, self.line = error_type, hint, line
        super().__init__(message)


@dataclass(frozen=True, kw_only=True)
class Terms:
    """A linear expression by column number, with its constant."""

    columns: list[int]
    coefficients: list[float]
    constant: float


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row: lower <= terms <= upper, the constant already moved to the bounds."""

    terms: Terms
    lower: float
    upper: float

    @property
    def constant(self) -> bool | None:
        """None for a row with variables, else whether it holds whatever the plan is."""
        if self.terms.columns:
            return None
        return self.lower <= 1e-9 and self.upper >= -1e-9

    def activity(self, values: Floats) -> float:
        """The value of the terms at a plan."""
        terms = zip(self.terms.columns, self.terms.coefficients, strict=True)
        return float(sum(coefficient * values[column] for column, coefficient in terms))

    def missed(self, values: Floats) -> float:
        """How far a plan misses the row; 0 within our tolerance."""
        return float(
            missed(np.array([self.activity(values)]), np.array([self.lower]), np.array([self.upper]))[0]
        )


class Problem:
    """Collects columns, rows and the objective, and hands them out as arrays."""

    def __init__(self, sense: Literal["minimize", "maximize"]) -> None:
        self.sense: Literal["minimize", "maximize"] = sense
        self._problem = pulp.LpProblem("model", pulp.LpMinimize if sense == "minimize" else pulp.LpMaximize)
        self._variables: list[Any] = []
        self._identity = 0  # PuLP 4
        self._columns: dict[int, int] = {}  # PuLP 3
        self._bounds: list[tuple[float, float]] = []
        self._integral: list[bool] = []
        self._rows: list[Row] = []
        self._objective = Terms(columns=[], coefficients=[], constant=0.0)

    @property
    def columns(self) -> int:
        """Number of columns so far."""
        return len(self._variables)

    @property
    def rows(self) -> int:
        """Number of rows so far."""
        return len(self._rows)

    def add_variable(self, domain: Domain, lower: float, upper: float) -> Any:
        """Make the next column and return the variable a model file computes with."""
        variable = self._problem.add_variable(
            f"c{len(self._variables)}",
            lower if math.isfinite(lower) else None,
            upper if math.isfinite(upper) else None,
            _CATEGORIES[domain],
        )
        if PULP_4:
            variable = LpVariable(variable._var)
            self._identity = variable._var.model_identity()
        else:
            self._columns[id(variable)] = len(self._variables)
        self._variables.append(variable)
        self._bounds.append((lower, upper))
        self._integral.append(domain != "continuous")
        return variable

    def row(self, returned: Any) -> Row | bool:
        """What a constraint method returned, as a row, or as a bool if it was a plain comparison of numbers.

        Raises:
            NotLinear: if it is neither.
        """
        if isinstance(returned, bool | np.bool_):
            return bool(returned)
        if not isinstance(returned, _EXPRESSIONS) or getattr(returned, "sense", None) is None:
            raise NotLinear("not_a_constraint", _not_a_constraint(returned))
        terms = self._terms(returned)
        if not math.isfinite(terms.constant):
            raise NotLinear("not_finite", f"the right side is {-terms.constant}; use a finite number")
        bound = 0.0 - terms.constant
        return Row(
            terms=terms,
            lower=bound if returned.sense >= 0 else -math.inf,
            upper=bound if returned.sense <= 0 else math.inf,
        )

    def add_row(self, row: Row) -> None:
        """Append a row made by `row`."""
        self._rows.append(row)

    def clear_rows(self) -> None:
        """Forget all rows."""
        self._rows.clear()

    def set_objective(self, returned: Any) -> None:
        """Take what the objective method returned: a linear expression, a variable or a number.

        Raises:
            NotLinear: if it is none of these.
        """
        if isinstance(returned, numbers.Real) and not isinstance(returned, bool):
            terms = Terms(columns=[], coefficients=[], constant=float(returned))
        elif isinstance(returned, pulp.LpVariable):
            terms = self._terms(returned + 0)
        elif isinstance(returned, _EXPRESSIONS) and getattr(returned, "sense", None) is None:
            terms = self._terms(returned)
        else:
            raise NotLinear(
                "not_an_expression",
                f"the objective must return a linear expression, not {_kind(returned)}",
                _objective_hint(returned),
            )
        if not math.isfinite(terms.constant):
            raise NotLinear("not_finite", f"the objective's constant is {terms.constant}")
        self._objective = terms

    def redeclared(self) -> int | None:
        """The first column whose bounds the program has changed in its variable, which would be lost."""
        for column, (variable, given) in enumerate(zip(self._variables, self._bounds, strict=True)):
            bounds = (variable.lowBound, variable.upBound)
            if bounds != given and bounds != tuple(one if math.isfinite(one) else None for one in given):
                return column
        return None

    def linear_model(self) -> LinearModel:
        """Everything collected so far, as arrays."""
        cost = np.zeros(len(self._variables))
        cost[self._objective.columns] = self._objective.coefficients
        bounds = np.array(self._bounds, dtype=np.float64).reshape(-1, 2)
        lengths = [len(row.terms.columns) for row in self._rows]
        return LinearModel(
            sense=self.sense,
            offset=self._objective.constant,
            cost=cost,
            lower=bounds[:, 0].copy(),
            upper=bounds[:, 1].copy(),
            integral=np.array(self._integral, dtype=np.bool_),
            row_lower=np.array([row.lower for row in self._rows], dtype=np.float64),
            row_upper=np.array([row.upper for row in self._rows], dtype=np.float64),
            start=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32),
            index=np.array([j for row in self._rows for j in row.terms.columns], dtype=np.int32),
            value=np.array([a for row in self._rows for a in row.terms.coefficients], dtype=np.float64),
        )

    def set_values(self, values: Floats) -> None:
        """Give every variable its value, so that `.value()` works in the user's `solution_to_str`."""
        for variable, value in zip(self._variables, values.tolist(), strict=True):
            variable.varValue = value

    def _terms(self, expression: Any) -> Terms:
        columns: list[int] = []
        coefficients: list[float] = []
        for variable, coefficient in expression.items():
            number = float(coefficient)
            if not math.isfinite(number):
                raise NotLinear("not_finite", f"a coefficient is {number}; use finite numbers")
            if number:
                columns.append(self._column(variable))
                coefficients.append(number)
        return Terms(columns=columns, coefficients=coefficients, constant=float(expression.constant))

    def _column(self, variable: Any) -> int:
        # PuLP 4 makes a new wrapper with every reading of an expression, so the core is asked. It merges
        # variables of different problems by number before we see them; the allow-list refuses a second
        # problem.
        if PULP_4:
            core = variable._var
            column = core.id() if core.model_identity() == self._identity else None
        else:
            column = self._columns.get(id(variable))
        if column is None:
            raise NotLinear(
                "foreign_variable",
                f"the variable {variable.name!r} does not belong to this model; use the families of the "
                "variables class",
            )
        return int(column)


def _kind(returned: Any) -> str:
    if returned is None:
        return "nothing (None)"
    if isinstance(returned, _EXPRESSIONS):
        return (
            "an expression without comparison" if getattr(returned, "sense", None) is None else "a comparison"
        )
    return "a dict" if isinstance(returned, dict) else f"a {type(returned).__name__}"


def _objective_hint(returned: Any) -> str:
    if isinstance(returned, _EXPRESSIONS):
        return "return the expression alone; what it must keep to is a constraint of its own"
    return "add the terms up with pulp.lpSum(...) and return the sum"


def _not_a_constraint(returned: Any) -> str:
    if returned is None:
        return "the constraint returned nothing; return a comparison or yield (index, comparison) pairs"
    if isinstance(returned, EXPRESSIONS):
        return "the constraint returned an expression without a comparison; add <=, >= or == and a right side"
    return f"the constraint returned {_kind(returned)}; return a comparison such as lpSum(...) <= 3"


if PULP_4:

    class LpVariable(pulp.LpVariable):  # type: ignore[misc]
        """A PuLP 4 variable for which `x == y` is a row, as under PuLP 3, and not a comparison of ids."""

        def __eq__(self, other: object) -> Any:
            other = operand(other)
            if isinstance(other, pulp.LpVariable) and other.id != self.id:
                return self - other == 0
            return super().__eq__(other)

        def __hash__(self) -> int:
            return hash(self.id)


@contextmanager
def at_plan(problem: Problem, values: Floats) -> Iterator[None]:
    """Let rows be true or false at a plan, within our tolerance, and variables have their values.

    So `assert lpSum(...) <= 3` and `0 <= x <= 1` mean what they say.
    """

    def row_truth(row: Any) -> bool:
        read = problem.row(row)
        return read if isinstance(read, bool) else read.missed(values) == 0

    def variable_truth(_variable: Any) -> bool:
        raise TypeError("write x.value() to read the value of a variable")

    problem.set_values(values)
    with truth(row_truth, variable_truth), no_silent_reading():
        yield
