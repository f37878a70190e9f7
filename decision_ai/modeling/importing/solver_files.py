"""Reads LP and MPS files as foreign models."""

import gzip
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from decision_ai.errors import DataError
from decision_ai.modeling.exporting.name_map import (
    SIDECAR_SUFFIX,
    NameMap,
    names_in_comments,
    names_in_sidecar,
)
from decision_ai.modeling.importing.foreign import ForeignColumn, ForeignModel, ForeignRow
from decision_ai.modeling.importing.kinds import SUFFIXES, is_solver_file
from decision_ai.solving.highs import ModelFile, read_file

_INFINITE = 1e20
"""What solvers take for no bound."""
_PYOMO_CONSTANT = "ONE_VAR_CONSTANT"
_FIRST_LINES = 200
_LEFT_OUT = re.compile(r"constant is ignored|not defined: ignored|not in \w+ +section: ignored")
"""Warnings of HiGHS after which the model it has is not the one in the file."""
_TWO_SIDED = "; write a row with two bounds as two rows, and variables on the left side only"
_OBJECTIVE = re.compile(r"(?:max|min)[a-z]*\s+(?:\\.*\n\s*)*([^\s:+\-\d][^\s:]*)\s*:", re.IGNORECASE)


def read_solver_file(path: Path) -> ForeignModel:
    """Read an LP or MPS file, also gzipped; names of our own exports become families again.

    Args:
        path: a file that ends with .lp, .mps, .lp.gz or .mps.gz.

    Raises:
        DataError: if it is missing, not readable, not linear, or has a name twice; the text names the file,
            and the line where HiGHS says it.
    """
    try:
        lines = list(_lines(path))
        found = read_file(str(path))
        model = _without_constant_column(
            _foreign(found, name=path.name.removesuffix(".gz").rpartition(".")[0])
        )
        members = _name_map(path, lines)
    except DataError as error:
        hint = _TWO_SIDED if "expected a number" in str(error) else ""
        raise DataError(f"{str(path)!r} cannot be read: {error}{hint}") from None
    objective = (members.objective if members else None) or _objective_name(path, lines)
    return replace(_in_order_of(members, model), members=members, objective_name=objective)


def _lines(path: Path) -> Iterator[str]:
    if not is_solver_file(path):
        raise DataError(f"a model of another solver must end with {', '.join(SUFFIXES)}")
    opened = gzip.open if path.name.lower().endswith(".gz") else open
    try:
        with opened(path, "rt", encoding="utf-8", errors="replace") as file:
            yield from file
    except FileNotFoundError:
        raise DataError("there is no such file") from None
    except (OSError, EOFError) as error:
        raise DataError(getattr(error, "strerror", None) or str(error)) from None


def _name_map(path: Path, lines: list[str]) -> NameMap | None:
    """The map of names beside the file, else the one in its comments."""
    sidecar = path.with_name(path.name.removesuffix(".gz") + SIDECAR_SUFFIX)
    try:
        text = sidecar.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return names_in_comments(lines)
    except OSError as error:
        raise DataError(f"the names in {sidecar.name!r}: {error.strerror}") from None
    return names_in_sidecar(text)


def _in_order_of(names: NameMap | None, model: ForeignModel) -> ForeignModel:
    """Columns and rows in the order of the map; an LP file has columns in the order of their first use."""
    if names is None:
        return model
    order = _order([column.name for column in model.columns], names.columns)
    moved = {number: place for place, number in enumerate(order)}
    rows = [model.rows[number] for number in _order([row.name for row in model.rows], names.rows)]
    return replace(
        model,
        columns=tuple(model.columns[number] for number in order),
        rows=tuple(
            replace(row, terms=tuple(sorted((moved[column], value) for column, value in row.terms)))
            for row in rows
        ),
    )


def _order(names: list[str], known: Iterable[str]) -> list[int]:
    """The numbers of names: the known ones in their order, then the others in theirs."""
    places = {name: place for place, name in enumerate(known)}
    return sorted(range(len(names)), key=lambda number: places.get(names[number], len(places)))


def _objective_name(path: Path, lines: list[str]) -> str:
    if ".mps" in path.name.lower():
        rows = (line.split() for line in lines)
        return next((words[1] for words in rows if len(words) == 2 and words[0] == "N"), "")
    match = _OBJECTIVE.search("".join(lines[:_FIRST_LINES]))
    return match[1] if match else ""


def _foreign(found: ModelFile, *, name: str) -> ForeignModel:
    linear, start = found.linear, found.linear.start.tolist()
    index, value = linear.index.tolist(), linear.value.tolist()
    columns = [
        ForeignColumn(name=column, lower=_bound(lower), upper=_bound(upper), integral=integral, cost=cost)
        for column, lower, upper, integral, cost in zip(
            found.column_names,
            linear.lower.tolist(),
            linear.upper.tolist(),
            linear.integral.tolist(),
            linear.cost.tolist(),
            strict=True,
        )
    ]
    rows = [
        ForeignRow(
            name=row,
            lower=_bound(lower),
            upper=_bound(upper),
            terms=tuple(
                (column, coefficient)
                for column, coefficient in zip(index[first:last], value[first:last], strict=True)
                if coefficient
            ),
        )
        for row, lower, upper, first, last in zip(
            found.row_names,
            linear.row_lower.tolist(),
            linear.row_upper.tolist(),
            start,
            start[1:],
            strict=False,
        )
    ]
    notes = [f"HiGHS: {_sentence(warning)}" for warning in found.warnings]
    if found.semicontinuous:
        rows += _with_switches(columns, found.semicontinuous)
        names = ", ".join(repr(columns[number].name) for number in found.semicontinuous[:3])
        notes.append(
            f"Semi-continuous columns ({len(found.semicontinuous):,}: {names}) got an on/off column each."
        )
    return ForeignModel(
        name=found.name or name,
        sense=linear.sense,
        offset=linear.offset,
        columns=tuple(columns),
        rows=tuple(rows),
        notes=tuple(notes),
    )


def _sentence(warning: str) -> str:
    """A warning of HiGHS in one line, with its line of the file and without the picture of it.

    Raises:
        DataError: if HiGHS leaves out what changes the model.
    """
    what, *picture = warning.splitlines()
    place = re.search(r"^ *--> .*:(\d+):\d+$", warning, re.MULTILINE)
    told = [line.strip(" =") for line in picture if line.lstrip().startswith("= help")]
    sentence = f"line {place[1]}: {what}" if place else what
    if _LEFT_OUT.search(warning):
        raise DataError("; ".join([sentence, *told]))
    return sentence


def _without_constant_column(model: ForeignModel) -> ForeignModel:
    """Pyomo writes the constant of the objective as the cost of a column that is 1: make it one again."""
    at = next((n for n, column in enumerate(model.columns) if column.name == _PYOMO_CONSTANT), None)
    if at is None or (model.columns[at].lower, model.columns[at].upper) != (1, 1):
        return model
    if any(column == at for row in model.rows for column, _ in row.terms):
        return model
    rows = [
        replace(row, terms=tuple((column - (column > at), value) for column, value in row.terms))
        for row in model.rows
    ]
    return replace(
        model,
        offset=model.offset + model.columns[at].cost,
        columns=model.columns[:at] + model.columns[at + 1 :],
        rows=tuple(rows),
        notes=(*model.notes, f"The column {_PYOMO_CONSTANT} became the constant of the objective."),
    )


def _with_switches(columns: list[ForeignColumn], semicontinuous: list[int]) -> list[ForeignRow]:
    """Turn columns that are zero or between their bounds into plain ones with an on/off column each.

    Args:
        columns: changed in place; the on/off columns are appended.
        semicontinuous: numbers of the columns.

    Returns:
        The rows that switch them.
    """
    rows = []
    for number in semicontinuous:
        column, switch = columns[number], len(columns)
        if not (0 <= column.lower <= column.upper < math.inf):
            raise DataError(
                f"the semi-continuous column {column.name!r:.80} needs two finite bounds, none below zero"
            )
        columns.append(ForeignColumn(name=f"on_{column.name}", upper=1.0, integral=True))
        columns[number] = replace(column, lower=0.0)
        most = ((number, 1.0), (switch, -column.upper))
        rows.append(ForeignRow(name=f"most_{column.name}", lower=-math.inf, upper=0.0, terms=most))
        if column.lower > 0:
            least = ((number, 1.0), (switch, -column.lower))
            rows.append(ForeignRow(name=f"least_{column.name}", lower=0.0, upper=math.inf, terms=least))
    return rows


def _bound(value: float) -> float:
    return math.copysign(math.inf, value) if abs(value) >= _INFINITE else value
