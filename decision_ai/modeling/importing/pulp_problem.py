"""`LpProblem` as it stands in for PuLP 2, 3 and 4: it collects, and a solve is somebody else's business."""

import itertools
from collections.abc import Iterable, Mapping
from types import FrameType
from typing import Any, ClassVar, Protocol

from decision_ai.modeling.importing.pulp_algebra import (
    LpAffineExpression,
    LpConstraint,
    NotRead,
    PulpError,
    number,
    script_frame,
    script_line,
)
from decision_ai.modeling.importing.pulp_families import variable_dict, variable_dicts, variable_matrix
from decision_ai.modeling.importing.pulp_variables import CONTINUOUS, LpVariable
from decision_ai.modeling.importing.row_families import loop_labels

MINIMIZE, MAXIMIZE = 1, -1


class Reader(Protocol):
    """Who is told about the problems of a script."""

    def made(self, problem: "LpProblem") -> None:
        """A problem was made."""

    def added(self, frame: FrameType) -> None:
        """A row was added where the script runs now."""

    def solved(self, problem: "LpProblem") -> int:
        """The script wants a problem solved; the status, if the script is to go on."""
        ...


class Rows(dict[str, LpConstraint]):
    """The rows by name, as PuLP 2 and 3 have them; called, the list of PuLP 4."""

    def __call__(self) -> list[LpConstraint]:
        """The rows in their order."""
        return list(self.values())


def refused(what: str) -> Any:
    """A method that is not read."""

    def refuse(*_arguments: Any, **_more: Any) -> None:
        raise NotRead(what)

    return refuse


class LpProblem:
    """A problem that a script builds."""

    reader: ClassVar[Reader]

    def __init__(self, name: str = "NoName", sense: int = MINIMIZE) -> None:
        if sense not in (MINIMIZE, MAXIMIZE):
            raise PulpError(f"the sense of a problem must be LpMinimize or LpMaximize, not {sense!r}")
        self.given = str(name)
        self.name = self.given.replace(" ", "_")
        self.sense = sense
        self.constraints = Rows()
        self.sos1: dict[Any, Any] = {}
        self.sos2: dict[Any, Any] = {}
        self.status = self.sol_status = 0
        self.solver: Any = None
        self._objective: LpAffineExpression | None = None
        self._own: dict[LpVariable, None] = {}
        self.reader.made(self)

    @property
    def objective(self) -> LpAffineExpression | None:
        """The objective; None if there is none yet."""
        return self._objective

    @objective.setter
    def objective(self, objective: Any) -> None:
        if isinstance(objective, LpConstraint):
            raise TypeError("a comparison cannot be the objective")
        known = objective is None or isinstance(objective, LpAffineExpression)
        self._objective = objective if known else LpAffineExpression(objective)

    def setObjective(self, obj: Any) -> None:
        """Set the objective."""
        self.objective = obj

    def addConstraint(self, constraint: Any, name: str | None = None) -> LpConstraint:
        """Add a row; the row as it was added."""
        if not isinstance(constraint, LpConstraint):
            raise TypeError(f"a constraint is a comparison with variables, not {type(constraint).__name__}")
        if name:
            constraint.name = name
        frame = script_frame()
        constraint.line, constraint.loops = script_line(frame), loop_labels(frame)
        self.reader.added(frame)
        self.constraints[self._free_name(constraint.name)] = constraint
        return constraint

    add = addConstraint

    def __iadd__(self, other: Any) -> "LpProblem":
        other, name = other if isinstance(other, tuple) else (other, None)
        if other is True:
            return self
        if isinstance(other, LpConstraint):
            self.addConstraint(other, name)
        elif isinstance(other, LpAffineExpression | LpVariable | int | float) and other is not False:
            self.objective = other
            assert self._objective is not None
            self._objective.name = name
        else:
            raise TypeError(
                f"a problem takes a comparison, an expression, a variable or a number, not {other!r:.80}; "
                "a comparison without variables is just True or False"
            )
        return self

    def extend(self, other: Any, use_objective: bool = True) -> None:
        """Take the rows of a dictionary, a list or another problem."""
        if isinstance(other, LpProblem):
            for name, row in other.constraints.items():
                self.addConstraint(row, other.name + name)
            if use_objective:
                self.objective = LpAffineExpression(self.objective) + other.objective
            return
        pairs = other.items() if isinstance(other, Mapping) else other
        for pair in pairs:
            name, row = pair if isinstance(pair, tuple) else (None, pair)
            self.addConstraint(row, name)

    def add_variable(
        self, name: str, lowBound: Any = None, upBound: Any = None, cat: str = CONTINUOUS
    ) -> LpVariable:
        """PuLP 4: a variable of this problem."""
        variable = LpVariable(name, lowBound, upBound, cat)
        self._own[variable] = None
        return variable

    def add_variable_dicts(self, *arguments: Any, **named: Any) -> Any:
        """PuLP 4: variables by index, one dictionary inside another for several indices."""
        return self._owned(variable_dicts(*arguments, **named))

    def add_variable_dict(self, *arguments: Any, **named: Any) -> Any:
        """PuLP 4: variables by index, by tuples for several indices."""
        return self._owned(variable_dict(*arguments, **named))

    def add_variable_matrix(self, *arguments: Any, **named: Any) -> Any:
        """PuLP 4: lists of variables, one inside another for several indices."""
        return self._owned(variable_matrix(*arguments, **named))

    def add_column(
        self,
        name: str,
        lowBound: Any = None,
        upBound: Any = None,
        cat: str = CONTINUOUS,
        obj: Any = 0.0,
        coefficients: Any = None,
    ) -> LpVariable:
        """PuLP 4: a variable with its coefficients in the objective and in rows."""
        column = self.add_variable(name, lowBound, upBound, cat)
        if obj:
            self.objective = LpAffineExpression(self.objective) + number(obj, "a cost") * column
        for row, coefficient in (coefficients or {}).items():
            row.set_coefficient(column, coefficient)
        return column

    def remove_variables(self, variables: Iterable[LpVariable]) -> None:
        """PuLP 4: take variables out of the objective and all rows."""
        for variable in variables:
            self._own.pop(variable, None)
            for place in [self._objective, *self.constraints.values()]:
                if place is not None:
                    place.pop(variable, None)

    def addVariable(self, variable: LpVariable) -> None:
        """Take a variable that no row may have."""
        self._owned(variable)

    def addVariables(self, variables: Iterable[LpVariable]) -> None:
        """Take variables that no row may have."""
        self._owned(list(variables))

    def variables(self) -> list[LpVariable]:
        """All variables, in the order they were made."""
        used = dict(self._own)
        for place in [self._objective, *self.constraints.values()]:
            used.update({} if place is None else dict.fromkeys(place))
        return sorted(used, key=lambda variable: variable.order)

    exported_variables = variables

    def variablesDict(self) -> dict[str, LpVariable]:
        """All variables by name."""
        return {variable.name: variable for variable in self.variables()}

    def numVariables(self) -> int:
        """How many variables there are."""
        return len(self.variables())

    def numConstraints(self) -> int:
        """How many rows there are."""
        return len(self.constraints)

    def isMIP(self) -> int:
        """Whether a variable is an integer: 1 or 0."""
        return int(any(variable.isInteger() for variable in self.variables()))

    def get_constraint_by_name(self, name: str) -> LpConstraint | None:
        """The row of that name or None."""
        return self.constraints.get(name)

    def copy(self) -> "LpProblem":
        """A problem with the same rows and the same objective."""
        return self._copied(lambda expression: expression)

    def deepcopy(self) -> "LpProblem":
        """A problem with copies of the rows and the objective, of the same variables."""
        return self._copied(lambda expression: expression.copy())

    def solve(self, *_arguments: Any, **_more: Any) -> int:
        """Leave the solve to the reader."""
        return self.reader.solved(self)

    resolve = solve

    def setSolver(self, solver: Any = None) -> None:
        """Keep a solver that is not used."""
        self.solver = solver

    def ignored(self, *_arguments: Any, **_more: Any) -> None:
        """Do nothing: files, checks and clocks are not part of the model."""

    writeLP = writeMPS = toJson = to_json = ignored
    checkDuplicateVars = checkDuplicateConstraints = checkLengthVars = ignored
    startClock = stopClock = ignored

    sequentialSolve = refused(
        "a model with several objectives in turn (sequentialSolve) is not read; set the first one and solve, "
        "and ask for the others in the chat"
    )
    add_sos_group = refused("special ordered sets are not read")
    fromMPS = refused("a script that reads an MPS file is not read; import the MPS file itself")
    fromJson = from_json = fromDict = from_dict = fromDataclass = refused(
        "a problem made by fromJson, fromDict or fromDataclass is not read; build it in the script"
    )

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"LpProblem.{name} is not known while a script is read for its model")

    def __repr__(self) -> str:
        sense = "MINIMIZE" if self.sense == MINIMIZE else "MAXIMIZE"
        rows = [f"{name}: {row}" for name, row in self.constraints.items()]
        return "\n".join([f"{self.name}:", sense, str(self._objective), "SUBJECT TO", *rows])

    def _owned(self, made: Any) -> Any:
        """Take variables, in dictionaries and lists of any depth."""
        if isinstance(made, LpVariable):
            self._own[made] = None
        else:
            for one in made.values() if isinstance(made, dict) else made:
                self._owned(one)
        return made

    def _free_name(self, name: str | None) -> str:
        if name and name not in self.constraints:
            return name
        base = f"{name}_" if name else "_C"
        start = 2 if name else len(self.constraints) + 1
        return next(free for n in itertools.count(start) if (free := f"{base}{n}") not in self.constraints)

    def _copied(self, kept: Any) -> "LpProblem":
        made = type(self)(self.given, self.sense)
        made.objective = None if self._objective is None else kept(self._objective)
        for name, row in self.constraints.items():
            made.constraints[name] = kept(row)
            copied = made.constraints[name]
            copied.given, copied.line, copied.loops = row.given, row.line, row.loops
        made.sos1, made.sos2 = dict(self.sos1), dict(self.sos2)
        made._own = dict(self._own)
        return made
