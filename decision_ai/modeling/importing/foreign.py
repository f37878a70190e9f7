"""A linear model from elsewhere as a value: every reader makes one, one writer takes it."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from decision_ai.errors import DataError, DecisionAIError
from decision_ai.modeling.exporting.name_map import NameMap
from decision_ai.modeling.opt_model import Sense


@dataclass(frozen=True, kw_only=True)
class ForeignColumn:
    """One variable. Infinite bounds mean none."""

    name: str
    lower: float = 0.0
    upper: float = math.inf
    integral: bool = False
    cost: float = 0.0
    """Coefficient in the objective."""


@dataclass(frozen=True, kw_only=True)
class ForeignRow:
    """One row: lower <= terms <= upper. Infinite bounds mean none, equal ones an equation."""

    name: str
    lower: float
    upper: float
    terms: tuple[tuple[int, float], ...]
    """(number of the column, coefficient), each column at most once."""


@dataclass(frozen=True, kw_only=True)
class ForeignModel:
    """A linear model as it was found.

    Raises:
        DataError: if a name occurs twice, a number is not finite where it must be, a column is missing or
            occurs twice in a row, or the bounds of a column are crossed.
    """

    name: str
    """What the model is called; any text."""
    sense: Sense
    columns: tuple[ForeignColumn, ...]
    rows: tuple[ForeignRow, ...]
    offset: float = 0.0
    """Constant of the objective."""
    objective_name: str = ""
    """What the objective is called; empty if the origin does not say."""
    members: NameMap | None = None
    """Family and index of columns and rows by name; the others are grouped by the pattern of their names."""
    sets: tuple[tuple[str, tuple[str | int, ...]], ...] = ()
    """Name and labels of what may be index sets, in the words of its origin; no name twice."""
    docstring: str = ""
    """What the model is about, in the words of its origin; empty if it does not say."""
    notes: tuple[str, ...] = ()
    """What a person should know about the reading; one sentence each."""

    def __post_init__(self) -> None:
        _refuse_twice("column", (column.name for column in self.columns))
        _refuse_twice("row", (row.name for row in self.rows))
        if not math.isfinite(self.offset):
            raise DataError(f"the constant of the objective is {self.offset}; use a finite number")
        for column in self.columns:
            _check_column(column)
        for row in self.rows:
            _check_row(row, len(self.columns))


@dataclass(frozen=True, kw_only=True)
class ImportedModel:
    """A model file and its data, made from a model of elsewhere."""

    source: str
    """The model file."""
    json_data: str
    """Its input data as JSON."""
    notes: tuple[str, ...]
    """What was changed or left out on the way, and what was renamed; one sentence each."""

    def write(
        self, path: str | Path, data: str | Path | None = None, *, overwrite: bool = False
    ) -> tuple[Path, Path]:
        """Write the model file and its data, both or none.

        Args:
            path: the model file.
            data: the data file; None = beside the model file, `model.py` → `model.json`.
            overwrite: whether files that are there may be replaced.

        Returns:
            The paths of both files.

        Raises:
            DecisionAIError: if one is there already or cannot be written.
        """
        model = Path(path)
        texts = {model: self.source, Path(data or model.with_suffix(".json")): self.json_data}
        if len(texts) < 2:
            raise DecisionAIError(f"model and data cannot both be {str(path)!r}; name a data file of its own")
        for file in texts:
            if file.exists() and not overwrite:
                raise DecisionAIError(
                    f"{str(file)!r} exists already; choose another name, or say to overwrite it"
                )
        for file, text in texts.items():
            try:
                file.write_text(text, encoding="utf-8", newline="")
            except OSError as error:
                raise DecisionAIError(f"{str(file)!r} cannot be written: {error.strerror}") from error
        first, second = texts
        return first, second


def _refuse_twice(what: str, names: Iterable[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise DataError(f"the {what} name {twice[0]!r:.80} occurs twice; give every {what} its own name")


def _check_column(column: ForeignColumn) -> None:
    _check_text("column", column.name)
    if not math.isfinite(column.cost):
        raise DataError(f"the objective coefficient of column {column.name!r:.80} is {column.cost}")
    _check_bounds("column", column)
    if column.lower > column.upper:
        raise DataError(
            f"the lower bound {column.lower:g} of column {column.name!r:.80} is above its upper bound "
            f"{column.upper:g}; no plan can exist, correct one of them"
        )


def _check_row(row: ForeignRow, columns: int) -> None:
    _check_text("row", row.name)
    _check_bounds("row", row)
    seen: set[int] = set()
    for number, coefficient in row.terms:
        if not 0 <= number < columns or number in seen:
            why = "occurs twice" if number in seen else "does not exist"
            raise DataError(f"row {row.name!r:.80}: column number {number} {why}")
        if not math.isfinite(coefficient):
            raise DataError(f"row {row.name!r:.80}: a coefficient is {coefficient}; use finite numbers")
        seen.add(number)


def _check_bounds(what: str, bounded: ForeignColumn | ForeignRow) -> None:
    lower, upper = bounded.lower, bounded.upper
    if math.isnan(lower) or math.isnan(upper) or lower == math.inf or upper == -math.inf:
        raise DataError(
            f"the bounds of {what} {bounded.name!r:.80} are {lower} and {upper}; no plan can exist"
        )


def _check_text(what: str, name: str) -> None:
    if not name or not name.isprintable():
        raise DataError(f"the {what} name {name!r:.80} is empty or not printable; rename it")
