"""Reads a problem that lives in this process: an `LpProblem` of the installed PuLP, 3 or 4.

PuLP is not imported: whoever has such an object has done so.
"""

import math
from collections.abc import Iterable
from typing import Any

from decision_ai.errors import DataError
from decision_ai.modeling.importing.foreign import ForeignColumn, ForeignModel, ForeignRow
from decision_ai.modeling.importing.recorder import unique_names

_MINIMIZE, _LE, _GE = 1, -1, 1


def is_pulp_problem(value: object) -> bool:
    """Whether an object is an `LpProblem` of PuLP or of a class derived from it."""
    return any(
        cls.__name__ == "LpProblem" and cls.__module__.partition(".")[0] == "pulp"
        for cls in type(value).__mro__
    )


def read_pulp_problem(problem: Any) -> ForeignModel:
    """A problem as a foreign model; it is not changed.

    Args:
        problem: an `LpProblem`, solved or not.

    Raises:
        DataError: if it has special ordered sets, or numbers that are not finite.
    """
    if getattr(problem, "sos1", None) or getattr(problem, "sos2", None) or _has_sos(problem):
        raise DataError("special ordered sets (SOS) are not read; write them with binary variables")
    notes: list[str] = []
    variables = list(problem.variables())
    # PuLP 4 makes a new wrapper with every reading, PuLP 3 compares variables into rows.
    numbers = {_identity(variable): number for number, variable in enumerate(variables)}
    objective = problem.objective
    costs = {} if objective is None else dict(_terms(objective, numbers))
    names = unique_names([variable.name for variable in variables], "variables", notes)
    rows = list(problem.constraints())
    row_names = unique_names(
        [row.name or f"_C{n}" for n, row in enumerate(rows, start=1)], "constraints", notes
    )
    return ForeignModel(
        name=problem.name,
        sense="minimize" if problem.sense == _MINIMIZE else "maximize",
        columns=tuple(
            ForeignColumn(
                name=name,
                lower=_bound(variable.lowBound, -math.inf),
                upper=_bound(variable.upBound, math.inf),
                integral=bool(variable.isInteger() or variable.isBinary()),
                cost=costs.get(number, 0.0),
            )
            for number, (name, variable) in enumerate(zip(names, variables, strict=True))
        ),
        rows=tuple(_row(name, row, numbers) for name, row in zip(row_names, rows, strict=True)),
        offset=0.0 if objective is None else float(objective.constant),
        objective_name=(None if objective is None else objective.name) or "",
        notes=tuple(notes),
    )


def _row(name: str, row: Any, numbers: dict[int, int]) -> ForeignRow:
    bound = 0.0 - float(row.constant)
    return ForeignRow(
        name=name,
        lower=-math.inf if row.sense == _LE else bound,
        upper=math.inf if row.sense == _GE else bound,
        terms=tuple(_terms(row, numbers)),
    )


def _terms(expression: Any, numbers: dict[int, int]) -> Iterable[tuple[int, float]]:
    for variable, coefficient in expression.items():
        if coefficient:
            yield numbers[_identity(variable)], float(coefficient)


def _identity(variable: Any) -> int:
    return int(variable.id) if hasattr(variable, "_var") else id(variable)


def _bound(bound: float | None, none: float) -> float:
    return none if bound is None else float(bound)


def _has_sos(problem: Any) -> bool:
    return bool(problem.has_sos()) if hasattr(problem, "has_sos") else False
