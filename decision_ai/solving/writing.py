"""A built model as LP or MPS text with names that every solver takes, exact to the last digit.

The text is ours and not HiGHS': its MPS writer lets the integer marker run on over fixed columns (1.16), and
its LP writer drops columns that no row uses.
"""

import math
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from decision_ai.client.schemas.components import Priority
from decision_ai.modeling.exporting.name_map import Format, Name, NameMap, comment_lines, safe_names
from decision_ai.solving import staged
from decision_ai.solving.building import BuiltModel
from decision_ai.solving.findings import ExportedModel
from decision_ai.solving.linear import Floats, LinearModel
from decision_ai.solving.outcome import OutcomeKind
from decision_ai.solving.parameters import SolveParameters

_LEVEL_SECONDS = 45.0  # less than a job may take, so that the refusal can still be told
_LINE = 240
_ABOUT_SOFT = (
    "This model has soft constraints; solvers do not know priorities, so this is the last stage of its "
    "solve: columns tell how far a soft row falls short or goes over, and one row for each priority keeps "
    "the least sum of them that is possible. The objective is the user's. With other data, export again."
)


def write_model(
    built: BuiltModel, format: Format, parameters: SolveParameters | None = None
) -> ExportedModel:
    """Write a model as LP or free MPS text, the map of its names in comments.

    Of a model with soft constraints the last stage of the solve by priorities is written, which takes the
    solves of the levels before it.

    Args:
        built: the model on its data.
        format: `lp` or `mps`.
        parameters: for the solves of the levels; None = one thread and 45 seconds.

    Returns:
        The text and its names.

    Raises:
        BuildFailure: if the model has no variables, or the levels of its soft constraints cannot be solved.
    """
    if not built.linear.columns:
        raise built.blame.failure(
            "program", None, "export", "a model without variables has no LP or MPS form"
        )
    last = _last_stage(built, parameters or SolveParameters(time_limit=_LEVEL_SECONDS))
    text = _Text.of(last, built.model.objective_id)
    names = text.names
    title = f"{type(built.model).__name__}, written by decision-ai"
    about = [title] + ([_ABOUT_SOFT] if _is_soft(built) else [])
    lead = "\\" if format == "lp" else "*"
    comments = [
        f"{lead} {line}" for paragraph in about for line in textwrap.wrap(_ascii(paragraph), _LINE // 2)
    ]
    body = text.lp() if format == "lp" else text.mps()
    lines = [*comments, *comment_lines(names, format), *body]
    return ExportedModel(text="\n".join(lines) + "\n", names=names.shown())


@dataclass(frozen=True, kw_only=True)
class _Named:
    """A linear model and the names of its columns and rows."""

    linear: LinearModel
    columns: list[Name]
    rows: list[Name]


def _is_soft(built: BuiltModel) -> bool:
    return any(priority != "hard" for priority in built.row_priorities)


def _last_stage(built: BuiltModel, parameters: SolveParameters) -> _Named:
    """The model that is solved last: the model itself, or with the violations of its levels fixed."""
    columns = [(name, index) for name, family in built.families.items() for index in family.indices]
    if not _is_soft(built):
        return _Named(linear=built.linear, columns=columns, rows=list(built.row_keys))
    totals = _least_violations(built, parameters)
    linear, owners = staged.elastic_model(built.linear, built.row_priorities)
    added = np.array(owners)
    levels = [level for level in staged.LEVELS if level in owners]
    for level in levels:
        chosen = np.concatenate([np.zeros(built.linear.columns), (added == level).astype(np.float64)])
        linear = staged.with_row(linear, chosen, totals[level] + staged.REACHED * (1 + totals[level]))
    taken = {*built.families, *(name for name, _ in built.row_keys)}
    return _Named(
        linear=linear,
        columns=columns + [(_free(name, taken), index) for name, index in _violation_names(built)],
        rows=built.row_keys + [(_free(f"violations_{level}", taken), ()) for level in levels],
    )


def _least_violations(built: BuiltModel, parameters: SolveParameters) -> dict[Priority, float]:
    """Level → the sum of violations that its stage reaches."""
    # Without a cost the last stage is over at once, and an unbounded objective does not matter.
    goalless = replace(built.linear, cost=np.zeros(built.linear.columns), offset=0.0)
    solved = staged.solve(goalless, built.row_priorities, parameters)
    if solved.values is None or solved.outcome.kind is not OutcomeKind.OPTIMAL:
        reason = "there is no plan for its hard constraints"
        if solved.outcome.kind is not OutcomeKind.INFEASIBLE:
            reason = f"its priorities could not be solved ({solved.outcome.message or solved.outcome.kind})"
        text = (
            f"the model has soft constraints and cannot be written: {reason}; make them hard or relax others"
        )
        raise built.blame.failure("program", None, "export", text)
    missed = _missed(built.linear, solved.values)
    priorities = np.array(built.row_priorities)
    return {level: float(missed[priorities == level].sum()) for level in staged.LEVELS}


def _missed(model: LinearModel, values: Floats) -> Floats:
    """How far every row is missed, to the last digit."""
    activities = model.activities(values)
    below = np.where(np.isfinite(model.row_lower), model.row_lower - activities, 0.0)
    above = np.where(np.isfinite(model.row_upper), activities - model.row_upper, 0.0)
    return np.maximum(below, 0.0) + np.maximum(above, 0.0)


def _violation_names(built: BuiltModel) -> Iterator[Name]:
    """A name for each column that `staged` adds, in its order."""
    for row, (priority, (name, index)) in enumerate(zip(built.row_priorities, built.row_keys, strict=True)):
        if priority == "hard":
            continue
        if np.isfinite(built.linear.row_lower[row]):
            yield f"{name}_short", index
        if np.isfinite(built.linear.row_upper[row]):
            yield f"{name}_over", index


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


@dataclass(frozen=True, kw_only=True)
class _Text:
    """A linear model with its safe names, in either form."""

    linear: LinearModel
    columns: list[str]
    rows: list[str]
    objective: str
    names: NameMap

    @classmethod
    def of(cls, named: _Named, objective_id: str | None) -> "_Text":
        taken: set[str] = set()
        objective = next(safe_names([(objective_id or "objective", ())], taken))
        columns = list(safe_names(named.columns, taken))
        rows = list(safe_names(named.rows, taken))
        names = NameMap(
            columns=dict(zip(columns, named.columns, strict=True)),
            rows=dict(zip(rows, named.rows, strict=True)),
            objective=objective_id,
        )
        return cls(linear=named.linear, columns=columns, rows=rows, objective=objective, names=names)

    def lp(self) -> Iterator[str]:
        """The lines of an LP file."""
        model = self.linear
        yield "Maximize" if model.sense == "maximize" else "Minimize"
        offset = [_signed(model.offset)] if model.offset else []
        yield from _wrapped(f" {self.objective}:", [*self._objective_terms(), *offset])
        yield "Subject To"
        for row, name in enumerate(self.rows):
            relation, bound = _relation(model, row)
            yield from _wrapped(f" {name}:", [*self._row_terms(row), f"{relation} {_number(bound)}"])
        yield "Bounds"
        yield from (line for column in range(model.columns) for line in self._lp_bounds(column))
        whole = np.flatnonzero(model.integral).tolist()
        for title, kind in (
            ("General", [self.columns[j] for j in whole if not self._is_binary(j)]),
            ("Binary", [self.columns[j] for j in whole if self._is_binary(j)]),
        ):
            if kind:
                yield title
                yield from _wrapped("", kind)
        yield "End"

    def mps(self) -> Iterator[str]:
        """The lines of a free MPS file."""
        model = self.linear
        yield "NAME model"
        if model.sense == "maximize":
            yield from ("OBJSENSE", "    MAX")
        yield "ROWS"
        yield f" N {self.objective}"
        for row, name in enumerate(self.rows):
            yield f" {_MPS_RELATIONS[_relation(model, row)[0]]} {name}"
        yield "COLUMNS"
        yield from self._mps_columns()
        yield "RHS"
        if model.offset:
            yield f" RHS {self.objective} {_number(-model.offset)}"  # the constant is on the other side
        for row, name in enumerate(self.rows):
            bound = _relation(model, row)[1]
            if bound:
                yield f" RHS {name} {_number(bound)}"
        yield "BOUNDS"
        yield from (line for column in range(model.columns) for line in self._mps_bounds(column))
        yield "ENDATA"

    def _objective_terms(self) -> Iterator[str]:
        used = set(self.linear.index.tolist())
        for column, cost in enumerate(self.linear.cost.tolist()):
            # A column that occurs nowhere else must occur here, or it is not in the file.
            if cost or column not in used:
                yield self._term(cost, column)

    def _row_terms(self, row: int) -> Iterator[str]:
        span = slice(self.linear.start[row], self.linear.start[row + 1])
        terms = zip(self.linear.value[span].tolist(), self.linear.index[span].tolist(), strict=True)
        found = [self._term(value, column) for value, column in terms]
        yield from found or [self._term(0.0, 0)]  # a row needs a left side

    def _term(self, value: float, column: int) -> str:
        return f"{'+' if value >= 0 else '-'} {_number(abs(value))} {self.columns[column]}"

    def _is_binary(self, column: int) -> bool:
        model = self.linear
        return bool(model.integral[column] and model.lower[column] == 0 and model.upper[column] == 1)

    def _lp_bounds(self, column: int) -> Iterator[str]:
        name = self.columns[column]
        lower, upper = float(self.linear.lower[column]), float(self.linear.upper[column])
        if self._is_binary(column) or (lower == 0 and upper == math.inf):
            return
        if lower == upper:
            yield f" {name} = {_number(lower)}"
        elif (lower, upper) == (-math.inf, math.inf):
            yield f" {name} free"
        elif upper == math.inf:
            yield f" {name} >= {_number(lower)}"
        else:
            yield f" {_number(lower)} <= {name} <= {_number(upper)}"

    def _mps_columns(self) -> Iterator[str]:
        model = self.linear
        order = np.argsort(model.index, kind="stable")
        owners = np.repeat(np.arange(model.rows), np.diff(model.start))[order].tolist()
        values = model.value[order].tolist()
        ends = np.searchsorted(model.index[order], np.arange(model.columns + 1)).tolist()
        marked = False
        for column, name in enumerate(self.columns):
            if model.integral[column] != marked:
                marked = not marked
                yield f" MARKER 'MARKER' '{'INTORG' if marked else 'INTEND'}'"
            cost, span = float(model.cost[column]), range(ends[column], ends[column + 1])
            if cost or not span:
                yield f" {name} {self.objective} {_number(cost)}"
            for n in span:
                yield f" {name} {self.rows[owners[n]]} {_number(values[n])}"
        if marked:
            yield " MARKER 'MARKER' 'INTEND'"

    def _mps_bounds(self, column: int) -> Iterator[str]:
        name, whole = self.columns[column], bool(self.linear.integral[column])
        lower, upper = float(self.linear.lower[column]), float(self.linear.upper[column])
        if self._is_binary(column):
            yield f" BV BOUND {name}"
        elif lower == upper:
            yield f" FX BOUND {name} {_number(lower)}"
        elif (lower, upper) == (-math.inf, math.inf):
            yield f" FR BOUND {name}"
        else:
            if lower == -math.inf:
                yield f" MI BOUND {name}"
            elif lower:
                yield f" LO BOUND {name} {_number(lower)}"
            if upper < math.inf:
                yield f" UP BOUND {name} {_number(upper)}"
            elif whole:  # readers differ on what an integer column without bounds may be
                yield f" PL BOUND {name}"


_MPS_RELATIONS = {"<=": "L", ">=": "G", "=": "E"}


def _relation(model: LinearModel, row: int) -> tuple[str, float]:
    lower, upper = float(model.row_lower[row]), float(model.row_upper[row])
    if lower == upper:
        return "=", lower
    assert not (math.isfinite(lower) and math.isfinite(upper)), "a row is one comparison"
    return ("<=", upper) if math.isfinite(upper) else (">=", lower)


def _number(value: float) -> str:
    """The shortest text that reads back as the same number."""
    return repr(value + 0.0).removesuffix(".0")


def _signed(value: float) -> str:
    return f"{'+' if value >= 0 else '-'} {_number(abs(value))}"


def _wrapped(start: str, words: Iterable[str]) -> Iterator[str]:
    """Lines of bounded length, broken between words only."""
    line = start
    for word in words:
        if len(line) + len(word) > _LINE and line.strip():
            yield line
            line = ""
        line += f" {word}"
    yield line


def _ascii(text: str) -> str:
    return text.encode("ascii", errors="replace").decode()
