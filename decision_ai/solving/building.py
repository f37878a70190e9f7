"""From a model class and data to arrays: families, rows, objective, and whose fault it is when that fails."""

import itertools
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from decision_ai.client.schemas.components import Priority
from decision_ai.modeling.opt_model import OptModel, Sense
from decision_ai.solving.blame import Blame
from decision_ai.solving.executors.base import ConstraintDescription, FamilyDescription, ModelDescription
from decision_ai.solving.explaining import signature, takes
from decision_ai.solving.families import BuiltFamily, Index, build_family
from decision_ai.solving.findings import PartName
from decision_ai.solving.guards import guarded
from decision_ai.solving.linear import Floats, LinearModel
from decision_ai.solving.numerics import Places, numeric_warnings
from decision_ai.solving.outcome import Plan, indexed_name
from decision_ai.solving.problem import NotLinear, Problem
from decision_ai.solving.rows import Rows

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
            (indexed_name(name, index), values[family.first + i])
            for name, family in self.families.items()
            for i, index in enumerate(family.indices)
            if abs(values[family.first + i]) > _ZERO
        )
        lines = [f"  {name} = {value:.10g}" for name, value in itertools.islice(used, _MOST_LINES + 1)]
        return "\n".join([*lines[:_MOST_LINES], "  …"] if len(lines) > _MOST_LINES else lines)


@dataclass(frozen=True, kw_only=True)
class Workshop:
    """What the parts of one program are built with."""

    model: OptModel[Any, Any]
    data: Any
    problem: Problem
    blame: Blame

    @property
    def model_class(self) -> type[OptModel[Any, Any]]:
        """The model class of the program."""
        return type(self.model)

    def family(self, name: str) -> BuiltFamily:
        """Make the columns of one family.

        Raises:
            BuildFailure: if it does not build.
        """
        family = self.model_class.variables_class.families[name]
        return build_family(self.problem, name, family, self.data, self.blame)

    def variables(self, families: Mapping[str, BuiltFamily]) -> Any:
        """What the methods of the program get as `v`."""
        fields = {name: family.field for name, family in families.items()}
        variables = self.model_class.variables_class.model_construct()
        vars(variables).update(fields)  # not as keywords: a family may be called `cls`
        return variables

    def objective(self, variables: Any) -> None:
        """Set the objective, if there is one.

        Raises:
            BuildFailure: if it does not build.
        """
        name = self.model_class.objective_id
        if name is None:
            return
        method = getattr(self.model, name)
        if not takes(method, self.data, variables):
            text = f"it must take (self, data, v), not {signature(method)}"
            raise self.blame.failure("objective", name, "wrong_arguments", text)
        try:
            self.problem.set_objective(method(self.data, variables))
        except NotLinear as error:
            raise self.blame.failure(
                "objective", name, error.error_type, str(error), hint=error.hint
            ) from error
        except Exception as error:
            raise self.blame.exception("objective", name, error) from error


def workshop(model_class: type[OptModel[Any, Any]], data: Any) -> Workshop:
    """Make everything that is needed before the first part is built.

    Raises:
        BuildFailure: if the model class cannot be made.
    """
    blame = Blame(model_class, data)
    try:
        model = model_class()
        name = model_class.objective_id
        sense: Sense = getattr(model_class, name).__decision_ai__.sense if name else "minimize"
    except Exception as error:
        raise blame.exception("program", model_class.__name__, error) from error
    return Workshop(model=model, data=data, problem=Problem(sense), blame=blame)


def build(model_class: type[OptModel[Any, Any]], data: Any, focus: Collection[PartName] = ()) -> BuiltModel:
    """Build a program on data.

    Args:
        model_class: of the program.
        data: an instance of its data class.
        focus: parts that were just changed: that one comes to nothing is an error, else a warning.

    Raises:
        BuildFailure: with a report of the first part that does not build.
    """
    shop = workshop(model_class, data)
    problem = shop.problem
    with guarded():
        families = {name: shop.family(name) for name in model_class.variables_class.families}
        warnings = _empty_families(families, shop.blame, focus)
        variables = shop.variables(families)
        rows = Rows(problem, shop.blame, focus)
        for name, constraint in model_class.constraints.items():
            if constraint.enabled:
                rows.build(name, getattr(shop.model, name), data, variables, constraint.priority)
        shop.objective(variables)
    _check_bounds(problem, families, shop.blame)
    linear = problem.linear_model()
    indices = {name: list(keys) for name, keys in rows.indices.items()}
    description = ModelDescription(
        families={
            name: FamilyDescription(variable_id=name, domain=family.domain, indices=family.indices)
            for name, family in families.items()
        },
        constraints={
            name: ConstraintDescription(constraint_id=name, indices=keys) for name, keys in indices.items()
        },
        sense=problem.sense,
        columns=problem.columns,
        rows=problem.rows,
        warnings=[*warnings, *rows.warnings, *numeric_warnings(linear, Places(families, indices))],
    )
    return BuiltModel(
        linear=linear,
        families=families,
        row_keys=rows.keys,
        row_priorities=rows.priorities,
        description=description,
        model=shop.model,
        data=data,
        variables=variables,
        problem=problem,
        blame=shop.blame,
    )


def _check_bounds(problem: Problem, families: Mapping[str, BuiltFamily], blame: Blame) -> None:
    """Bounds set on a variable would be lost: a family's declaration is where they are."""
    column = problem.redeclared()
    if column is None:
        return
    name = next(name for name, family in families.items() if column < family.first + len(family.indices))
    text = "the bounds of a member were changed after its declaration, in a constraint or the objective"
    hint = "give them as lower=... and upper=... of the family, or write a constraint"
    raise blame.failure("variable", name, "bad_bounds", text, hint=hint)


def _empty_families(
    families: Mapping[str, BuiltFamily], blame: Blame, focus: Collection[PartName]
) -> list[str]:
    """A line for every family without a member; an error for one that was just changed."""
    empty = [name for name, family in families.items() if not family.indices]
    for name in empty:
        if PartName(kind="variable", id=name) in focus:
            hint = blame.empty_hint() or "`over` gives nothing; check the set and its conditions"
            text = "its index set is empty on these data, so it has no member"
            raise blame.failure("variable", name, "empty_index_set", text, hint=hint)
    return [f"variable family {name} has no member: its index set is empty on these data" for name in empty]
