"""From a model class and data to arrays: families, rows, objective, and whose fault it is when that fails."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from types import GeneratorType
from typing import Any

import numpy as np

from decision_ai.client.schemas.components import Priority
from decision_ai.modeling.opt_model import OptModel, Sense
from decision_ai.solving.blame import Blame, Component
from decision_ai.solving.executors.base import ConstraintDescription, FamilyDescription, ModelDescription
from decision_ai.solving.families import MOST_MEMBERS, BuiltFamily, Index, build_family, index_of
from decision_ai.solving.linear import Floats, LinearModel
from decision_ai.solving.outcome import Plan
from decision_ai.solving.problem import NotLinear, Problem, Row, truth_refused

_ZERO = 1e-9
_MOST_LINES = 200


@dataclass(frozen=True, kw_only=True)
class BuiltModel:
    """A program on its data: arrays, and the way from them back to families and constraints."""

    linear: LinearModel
    families: dict[str, BuiltFamily]
    row_keys: list[tuple[str, Index]]
    """(constraint id, index) of every row, in the order of the arrays."""
    row_priorities: list[Priority]
    description: ModelDescription
    model: OptModel[Any, Any]
    data: Any
    variables: Any
    problem: Problem
    blame: Blame

    def start_values(self, plan: Plan) -> Floats:
        """A plan as column values; NaN where it says nothing, members that no longer exist ignored."""
        values = np.full(self.linear.columns, math.nan)
        for name, members in plan.values.items():
            family = self.families.get(name)
            if family is None:
                continue
            columns = {index: family.first + i for i, index in enumerate(family.indices)}
            for index, value in members:
                if index in columns:
                    values[columns[index]] = value
        return values

    def violations(self, activities: Floats) -> Floats:
        """How far every soft row is missed, floating-point noise taken as 0; 0 for hard rows."""
        soft = np.array([priority != "hard" for priority in self.row_priorities], dtype=np.bool_)
        return np.where(soft, self.linear.violations(activities), 0.0)

    def solution_to_str(self, values: Floats) -> str:
        """The plan in the model's own words.

        Raises:
            BuildFailure: if the program's `solution_to_str` fails.
        """
        self.problem.set_values(values)
        try:
            text = self.model.solution_to_str(self.data, self.variables)
        except BaseException as error:  # SystemExit too: the plan is there, only its words are missing
            raise self.blame.exception("solution_to_str", None, error) from error
        if not isinstance(text, str):
            message = f"it must return text, not {type(text).__name__}"
            raise self.blame.failure("solution_to_str", None, "exception", message)
        return text

    def values_to_str(self, values: Floats) -> str:
        """The values that are not zero, a line each; of many the first."""
        used = (
            (f"{name}[{', '.join(map(str, index))}]" if index else name, values[family.first + i])
            for name, family in self.families.items()
            for i, index in enumerate(family.indices)
            if abs(values[family.first + i]) > _ZERO
        )
        lines = [f"  {name} = {value:.10g}" for name, value in itertools.islice(used, _MOST_LINES + 1)]
        return "\n".join([*lines[:_MOST_LINES], "  …"] if len(lines) > _MOST_LINES else lines)


def build(model_class: type[OptModel[Any, Any]], data: Any) -> BuiltModel:
    """Build a program on data.

    Raises:
        BuildFailure: with a report of the first part that does not build.
    """
    blame = Blame(model_class, data)
    try:
        model = model_class()
        info = (
            getattr(model_class, model_class.objective_id).__decision_ai__
            if model_class.objective_id
            else None
        )
    except Exception as error:
        raise blame.exception("program", model_class.__name__, error) from error
    sense: Sense = info.sense if info else "minimize"
    problem = Problem(sense)
    with truth_refused():
        families = {
            name: build_family(problem, name, family, data, blame)
            for name, family in model_class.variables_class.families.items()
        }
        fields = {name: family.field for name, family in families.items()}
        variables = model_class.variables_class.model_construct(**fields)
        rows = _Rows(problem, blame)
        for name, constraint in model_class.constraints.items():
            if constraint.enabled:
                rows.build(name, getattr(model, name), data, variables, constraint.priority)
        _build_objective(problem, model, data, variables, blame)
    description = ModelDescription(
        families={
            name: FamilyDescription(variable_id=name, domain=family.domain, indices=family.indices)
            for name, family in families.items()
        },
        constraints={
            name: ConstraintDescription(constraint_id=name, indices=list(indices))
            for name, indices in rows.indices.items()
        },
        sense=sense,
        columns=problem.columns,
        rows=problem.rows,
    )
    return BuiltModel(
        linear=problem.linear_model(),
        families=families,
        row_keys=rows.keys,
        row_priorities=rows.priorities,
        description=description,
        model=model,
        data=data,
        variables=variables,
        problem=problem,
        blame=blame,
    )


def _build_objective(
    problem: Problem, model: OptModel[Any, Any], data: Any, variables: Any, blame: Blame
) -> None:
    name = type(model).objective_id
    if name is None:
        return
    try:
        problem.set_objective(getattr(model, name)(data, variables))
    except NotLinear as error:
        raise blame.failure("objective", name, error.error_type, str(error)) from error
    except Exception as error:
        raise blame.exception("objective", name, error) from error


class _Rows:
    """Runs constraint methods and keeps the map from rows back to them."""

    def __init__(self, problem: Problem, blame: Blame) -> None:
        self.keys: list[tuple[str, Index]] = []
        self.priorities: list[Priority] = []
        self.indices: dict[str, dict[Index, None]] = {}
        self._problem = problem
        self._blame = blame

    def build(self, name: str, method: Any, data: Any, variables: Any, priority: Priority) -> None:
        """Add the rows of one constraint."""
        self.indices[name] = {}
        first_line = method.__code__.co_firstlineno if hasattr(method, "__code__") else None
        try:
            returned = method(data, variables)
            for index, constraint, line in _pairs(returned):
                self._add(name, index, constraint, line or first_line, priority)
        except NotLinear as error:
            raise self._blame.failure(
                "constraint", name, error.error_type, str(error), line=first_line
            ) from error
        except Exception as error:
            raise self._blame.exception("constraint", name, error) from error

    def _add(self, name: str, index: Any, returned: Any, line: int | None, priority: Priority) -> None:
        blame: tuple[Component, str] = ("constraint", name)
        try:
            key = () if index is _SINGLE else index_of(index)
            row = self._problem.row(returned)
        except NotLinear as error:
            raise self._blame.failure(*blame, error.error_type, str(error), line=line) from error
        except TypeError as error:
            raise self._blame.failure(*blame, "wrong_index", str(error), line=line) from error
        holds = row if isinstance(row, bool) else row.constant
        if holds is not None and (not holds or index is _SINGLE):
            raise self._blame.failure(
                *blame,
                "constant_constraint",
                _constant(key, row, holds=holds),
                line=line,
                hint=_constant_hint(row),
            )
        if key in self.indices[name]:
            text = f"the index {key!r} occurs twice"
            raise self._blame.failure(*blame, "duplicate_row", text, line=line)
        if self._problem.rows >= MOST_MEMBERS:
            text = f"the model has more than {MOST_MEMBERS:,} rows"
            raise self._blame.failure(*blame, "too_large", text, line=line)
        if isinstance(row, Row):
            self.indices[name][key] = None
            self._problem.add_row(row)
            self.keys.append((name, key))
            self.priorities.append(priority)


_SINGLE = object()
"""Stands for the index of a constraint that is one row."""


def _pairs(returned: Any) -> Iterator[tuple[Any, Any, int | None]]:
    """The rows a method returned, as (index, constraint, line of the program that yielded it)."""
    if isinstance(returned, GeneratorType):
        for pair in returned:
            frame = returned.gi_frame
            yield *_pair(pair), frame.f_lineno if frame is not None else None
    elif type(returned) is dict:
        yield from ((index, constraint, None) for index, constraint in returned.items())
    elif isinstance(returned, list | tuple | zip | map | filter):
        yield from ((*_pair(pair), None) for pair in returned)
    else:
        yield _SINGLE, returned, None


def _pair(pair: Any) -> tuple[Any, Any]:
    if isinstance(pair, tuple) and len(pair) == 2:
        return pair
    raise NotLinear("not_a_constraint", "yield (index, constraint) pairs, such as `yield i, v.x[i] <= 1`")


def _constant(key: Index, row: Row | bool, *, holds: bool) -> str:
    at = f" at {key!r}" if key else ""
    always = "always true" if holds else "never true"
    what = "no variable is left in it" if isinstance(row, Row) else "it compares no variables"
    return f"the comparison{at} is {always}: {what}"


def _constant_hint(row: Row | bool) -> str | None:
    return None if isinstance(row, Row) else "put at least one variable on one side of the comparison"
