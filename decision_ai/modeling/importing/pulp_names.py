"""The rest of what a script finds in `pulp`: constants, helpers, and solvers that are not used."""

import itertools
from collections import defaultdict
from typing import Any

from decision_ai.modeling.importing import pulp_algebra as algebra, pulp_variables as variables
from decision_ai.modeling.importing.pulp_problem import MAXIMIZE, MINIMIZE, refused

_SOLVER_NAMES = [
    *("CHOCO_CMD", "COINMP_DLL", "COIN_CMD", "CBC_CMD", "PULP_CBC_CMD", "COPT"),
    *("COPT_CMD", "COPT_DLL", "CPLEX", "CPLEX_CMD", "CPLEX_PY", "CPLEX_DLL"),
    *("CPSAT", "CUOPT", "CYLP", "FSCIP", "FSCIP_CMD", "GLPK"),
    *("GLPK_CMD", "PYGLPK", "GUROBI", "GUROBI_CMD", "HiGHS", "HiGHS_CMD"),
    *("MIPCL_CMD", "MOSEK", "SAS94", "SASCAS", "SCIP", "SCIP_CMD"),
    *("SCIP_PY", "XPRESS", "XPRESS_CMD", "XPRESS_PY", "YAPOSIB"),
]
_STATUSES = {0: "Not Solved", 1: "Optimal", -1: "Infeasible", -2: "Unbounded", -3: "Undefined"}
_SOLUTIONS = {
    0: "No Solution Found",
    1: "Optimal Solution Found",
    2: "Solution Found",
    -1: "No Solution Exists",
    -2: "Solution is Unbounded",
}
_ELASTIC = refused("elastic constraints are not read; import the model without and ask for soft constraints")


class PulpSolverError(algebra.PulpError):
    """What PuLP raises when a solver fails; never raised here."""


class LpSolver:
    """Any solver, with any options; none of them is used."""

    def __init__(self, *_arguments: Any, **_more: Any) -> None:
        self.name = type(self).__name__

    def available(self) -> bool:
        """Whether it can be used."""
        return True

    def actualSolve(self, lp: Any, **_more: Any) -> Any:
        """Hand the problem to the reader."""
        return lp.solve()

    solve = actualSolve


_SOLVERS: dict[str, type[LpSolver]] = {name: type(name, (LpSolver,), {}) for name in _SOLVER_NAMES}


def _value(x: Any) -> Any:
    return x.value() if hasattr(x, "value") else x


def _make_dict(headers: Any, array: Any, default: Any = None) -> Any:
    """Nested dictionaries out of nested lists, by the labels of each level; `default` for what is missing."""
    labels, deeper = headers[0], headers[1:]
    inner = [_make_dict(deeper, one, default) for one in array] if deeper else array
    made = dict(zip(labels, inner, strict=False))
    return made if default is None else defaultdict(lambda: _default(deeper, default), made)


def _default(headers: Any, default: Any) -> Any:
    return defaultdict(lambda: _default(headers[1:], default)) if headers else default


def _split_dict(data: dict[Any, Any]) -> tuple[dict[Any, Any], ...]:
    """One dictionary for each position of the lists in a dictionary."""
    most = max(len(values) for values in data.values())
    return tuple({key: values[n] for key, values in data.items() if n < len(values)} for n in range(most))


def _up_to(choose: Any) -> Any:
    """All choices of one up to `k` elements."""
    return lambda orgset, k: itertools.chain.from_iterable(choose(orgset, size) for size in range(1, k + 1))


def _read_table(data: str, coerce_type: Any, transpose: bool = False) -> dict[Any, Any]:
    """(row label, column label) → value, from a table written as text."""
    head, *rows = [line.split() for line in data.splitlines()[1:]]
    return {
        (column, row[0]) if transpose else (row[0], column): coerce_type(text)
        for row in rows
        for column, text in zip(head, row[1:], strict=False)
    }


NAMES: dict[str, Any] = {
    "VERSION": "3.3.2",
    "EPS": 1e-7,
    "LpContinuous": variables.CONTINUOUS,
    "LpInteger": variables.INTEGER,
    "LpBinary": variables.BINARY,
    "LpCategories": {name: name for name in (variables.CONTINUOUS, variables.INTEGER, variables.BINARY)},
    "LpMinimize": MINIMIZE,
    "LpMaximize": MAXIMIZE,
    "LpSenses": {MAXIMIZE: "Maximize", MINIMIZE: "Minimize"},
    "LpConstraintLE": algebra.LE,
    "LpConstraintEQ": algebra.EQ,
    "LpConstraintGE": algebra.GE,
    "LpConstraintSenses": algebra.SIGNS,
    "LpStatus": _STATUSES,
    "LpStatusNotSolved": 0,
    "LpStatusOptimal": 1,
    "LpStatusInfeasible": -1,
    "LpStatusUnbounded": -2,
    "LpStatusUndefined": -3,
    "LpSolution": _SOLUTIONS,
    "LpSolutionNoSolutionFound": 0,
    "LpSolutionOptimal": 1,
    "LpSolutionIntegerFeasible": 2,
    "LpSolutionInfeasible": -1,
    "LpSolutionUnbounded": -2,
    "LpVariable": variables.LpVariable,
    "LpElement": algebra.LpElement,
    "LpAffineExpression": algebra.LpAffineExpression,
    "LpConstraint": algebra.LpConstraint,
    "LpConstraintVar": refused("column-wise modelling (LpConstraintVar) is not read"),
    "LpFractionConstraint": refused("fraction constraints (LpFractionConstraint) are not read"),
    "FixedElasticSubProblem": _ELASTIC,
    "FractionElasticSubProblem": _ELASTIC,
    "PulpError": algebra.PulpError,
    "PulpSolverError": PulpSolverError,
    "lpSum": algebra.lpSum,
    "lpSum_vars": algebra.lpSum,
    "lpSum_vars_coefs": algebra.lpSum_vars_coefs,
    "lpDot": algebra.lpDot,
    "value": _value,
    "valueOrDefault": _value,
    "isNumber": lambda x: isinstance(x, int | float),
    "makeDict": _make_dict,
    "splitDict": _split_dict,
    "read_table": _read_table,
    "combination": itertools.combinations,
    "permutation": itertools.permutations,
    "allcombinations": _up_to(itertools.combinations),
    "allpermutations": _up_to(itertools.permutations),
    "LpSolver": LpSolver,
    "LpSolver_CMD": LpSolver,
    "LpSolverDefault": LpSolver(),
    "getSolver": lambda solver, *_arguments, **_more: _SOLVERS.get(solver, LpSolver)(),
    "getSolverFromDict": LpSolver,
    "getSolverFromJson": LpSolver,
    "listSolvers": lambda *_arguments, **_more: list(_SOLVERS),
    "pulpTestAll": lambda *_arguments: None,
    **_SOLVERS,
}
"""Name in `pulp` → what stands in for it; `LpProblem` is added by the recorder."""
