"""Reads data frames of pandas, Polars and others, recognised by narwhals, and lists of dictionaries."""

import decimal
import math
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from decision_ai.errors import DataError
from decision_ai.tabular.problems import Place, Problem, Problems, TableError
from decision_ai.tabular.tables import Raw, Table, make_table


def is_frame(value: object) -> bool:
    """Whether this is a data frame or a series of a library that narwhals knows."""
    if isinstance(value, str | bytes | int | float | Mapping | list | tuple | None):
        return False
    from narwhals.exceptions import DuplicateError

    try:
        return _native(value) is not None
    except DuplicateError:
        return True  # told where it is read


def is_records(value: object) -> bool:
    """Whether this is a list of dictionaries, at least one."""
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def frame_table(name: str, value: object, problems: Problems) -> Table:
    """A data frame as a table; an index with a name or with texts is the first column.

    Raises:
        TableError: if it has columns of several levels, or of the same name.
        DataError: if it is not loaded, as a lazy frame.
    """
    _check_names(name, value)
    frame, labels = _labelled(value)
    rows = (
        (f"row {labels[n] if labels else n}", [plain(cell) for cell in row])
        for n, row in enumerate(frame.iter_rows())
    )
    return make_table(name, ("header", list(frame.columns)), rows, problems)


def _check_names(name: str, value: Any) -> None:
    """Refuse names that only frames like those of pandas can have, and that narwhals does not take."""
    columns = list(value.columns) if hasattr(value, "iloc") and hasattr(value, "columns") else []
    if any(not isinstance(column, str | int | float | date) for column in columns):
        raise TableError(
            [Problem(Place(table=name), "columns of several levels are not read; make them one")]
        )
    twice = [column for n, column in enumerate(columns) if column in columns[:n]]
    if twice:
        raise TableError(
            [Problem(Place(table=name), f"the column {twice[0]!r} occurs twice; rename or delete one")]
        )


def records_table(name: str, records: Sequence[Mapping[Any, Any]], problems: Problems) -> Table:
    """A list of dictionaries as a table: one column for each key."""
    header = list(dict.fromkeys(key for record in records for key in record))
    rows = (
        (f"record {n}", [plain(record.get(key)) for key in header])
        for n, record in enumerate(records, start=1)
    )
    return make_table(name, ("keys", header), rows, problems)


def plain(value: Any) -> Raw:
    """A value of a frame as one of Python; null, NaN and NaT are blanks."""
    if hasattr(value, "tolist") and hasattr(value, "dtype"):
        value = value.tolist()
    if value is None or type(value).__name__ in ("NaTType", "NAType"):
        return None
    if isinstance(value, float) and math.isnan(value):
        return None
    if hasattr(value, "to_pydatetime"):
        return value.to_pydatetime()
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value.total_seconds() / 86_400 if isinstance(value, timedelta) else value


def _native(value: object) -> Any:
    """The value as narwhals has it; None if it knows no such thing."""
    import narwhals

    found = narwhals.from_native(value, pass_through=True, allow_series=True)
    return found if isinstance(found, narwhals.DataFrame | narwhals.LazyFrame | narwhals.Series) else None


def _labelled(value: object) -> tuple[Any, list[str]]:
    """The frame with an index that means something as columns, and the labels of its rows if it has them."""
    import narwhals

    found = _native(value)
    if isinstance(found, narwhals.LazyFrame):
        raise DataError("the data frame is lazy; collect() it first")
    if isinstance(found, narwhals.Series):
        found = found.alias(found.name or "value").to_frame()
    native = found.to_native()
    index = getattr(native, "index", None)
    if index is None:
        return found, []
    labels = [repr(plain(label)) for label in index]
    if any(name is not None for name in index.names) or getattr(index, "dtype", index).kind not in "iu":
        unnamed = len(index.names) == 1 and index.names[0] is None
        native = native.reset_index(names=[""]) if unnamed else native.reset_index()
    return narwhals.from_native(native, eager_only=True), labels
