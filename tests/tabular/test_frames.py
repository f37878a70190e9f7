from datetime import date
from decimal import Decimal
from typing import Any

import pandas as pd
import polars as pl
import pytest

from decision_ai.errors import DataError
from decision_ai.tabular.frames import frame_table, is_frame, is_records, records_table
from decision_ai.tabular.problems import Problems, TableError

ROWS = {"item": ["Tent", "Box"], "weight": [1.5, None]}


def cells(table: Any) -> list[tuple[Any, ...]]:
    return [row.cells for row in table.rows]


@pytest.mark.parametrize("frame", [pd.DataFrame(ROWS), pl.DataFrame(ROWS)], ids=["pandas", "polars"])
def test_a_frame_is_a_table(frame: Any) -> None:
    assert is_frame(frame)
    table = frame_table("items", frame, Problems())
    assert [column.name for column in table.columns] == ["item", "weight"]
    assert cells(table) == [("Tent", 1.5), ("Box", None)]
    assert str(table.place(1, table.rows[1])) == "items, row 1, column 'weight'"


@pytest.mark.parametrize("name", ["item", None])
def test_an_index_of_labels_is_the_first_column(name: str | None) -> None:
    frame = pd.DataFrame({"weight": [1.5, 2]}, index=pd.Index(["Tent", "Box"], name=name))
    table = frame_table("items", frame, Problems())
    assert [column.name for column in table.columns] == [name or "", "weight"]
    assert cells(table) == [("Tent", 1.5), ("Box", 2)]
    assert str(table.place(1, table.rows[0])) == "items, row 'Tent', column 'weight'"


def test_several_levels_of_labels_are_several_columns() -> None:
    index = pd.MultiIndex.from_tuples([("a", 1), ("a", 2)], names=["i", "j"])
    assert cells(frame_table("t", pd.DataFrame({"v": [1, 2]}, index=index), Problems())) == [
        ("a", 1, 1),
        ("a", 2, 2),
    ]


def test_row_numbers_are_no_labels() -> None:
    frame = pd.DataFrame(ROWS)[lambda frame: frame["item"] == "Box"]
    table = frame_table("items", frame, Problems())
    assert [column.name for column in table.columns] == ["item", "weight"]
    assert table.rows[0].name == "row 1"


@pytest.mark.parametrize(
    "series", [pd.Series({"Tent": 1.5, "Box": 2.0}, name="weight"), pd.Series({"Tent": 1})]
)
def test_a_series_is_labels_and_values(series: Any) -> None:
    table = frame_table("weight", series, Problems())
    assert table.rows[0].cells[0] == "Tent"
    assert table.columns[1].name in ("weight", "value")
    assert cells(frame_table("months", pl.Series("month", ["Jan"]), Problems())) == [("Jan",)]


def test_values_are_those_of_python() -> None:
    frame = pd.DataFrame(
        {
            "d": [pd.Timestamp("2026-03-01"), pd.NaT],
            "n": pd.array([1, None], dtype="Int64"),
            "x": [Decimal(2), 1],
        }
    )
    first, second = cells(frame_table("t", frame, Problems()))
    assert (first[0].isoformat(), first[1:], second) == ("2026-03-01T00:00:00", (1, 2), (None, None, 1))
    assert type(first[2]) is int
    polars = pl.DataFrame({"d": [date(2026, 3, 1)], "x": [Decimal("1.5")]})
    assert cells(frame_table("t", polars, Problems())) == [(date(2026, 3, 1), 1.5)]


def test_what_cannot_be_a_table_is_refused() -> None:
    levels = pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")]))
    with pytest.raises(TableError, match="several levels"):
        frame_table("t", levels, Problems())
    with pytest.raises(DataError, match=r"collect\(\)"):
        frame_table("t", pl.LazyFrame(ROWS), Problems())


def test_records_are_a_table_too() -> None:
    assert is_records([{"a": 1}])
    assert not any(map(is_records, ([], [1], {}, "x")))
    table = records_table("items", [{"a": 1}, {"b": [1]}], Problems())
    assert cells(table) == [(1, None), (None, [1])]
    assert str(table.place(0, table.rows[1])) == "items, record 2, column 'a'"


@pytest.mark.parametrize("value", ["x", {"a": 1}, [1], None, 3, object()])
def test_other_things_are_no_frames(value: object) -> None:
    assert not is_frame(value)


def test_names_that_occur_twice_are_told() -> None:
    frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
    assert is_frame(frame)
    with pytest.raises(TableError, match="t: the column 'a' occurs twice; rename or delete one"):
        frame_table("t", frame, Problems())
