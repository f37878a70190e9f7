"""Data written as sheets are read back as they were."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from decision_ai.tabular.data_sheets import data_sheets
from decision_ai.tabular.reading import read_data, target_record
from decision_ai.tabular.workbooks import Sheet, write_workbook
from tests.tabular.models import EXAMPLE
from tests.tabular.random_data import values

EXAMPLES = Path(__file__).parents[2] / "decision_ai" / "examples"
NAMES = ["diet", "knapsack", "production_planning", "staff_scheduling", "transportation", "vrp_time_windows"]
SOURCES = {name: (EXAMPLES / name / "model.py").read_text() for name in NAMES}


def write_folder(sheets: list[Sheet], folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for sheet in sheets:
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerows([sheet.header, *sheet.rows])
        (folder / f"{sheet.name}.csv").write_text(text.getvalue(), newline="")


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_data_come_back_from_excel_and_csv(name: str, tmp_path: Path) -> None:
    data = json.loads((EXAMPLES / name / "data.json").read_text())
    sheets = data_sheets(data, SOURCES[name])
    workbook = tmp_path / "data.xlsx"
    workbook.write_bytes(write_workbook(sheets))
    write_folder(sheets, tmp_path / "csv")
    assert read_data(workbook, SOURCES[name]) == data
    assert read_data(tmp_path / "csv", SOURCES[name]) == data


def test_labels_are_called_what_they_are() -> None:
    data = json.loads((EXAMPLES / "production_planning" / "data.json").read_text())
    headers = {sheet.name: sheet.header for sheet in data_sheets(data, SOURCES["production_planning"])}
    assert headers["months"] == ["month"]
    assert headers["products.demand"] == ["product", "month", "value"]
    assert headers["hours_per_unit"] == ["product", "machine", "value"]


def test_labels_of_the_same_kind_are_numbered_and_unknown_ones_are_keys() -> None:
    data = {
        "capacity": 1,
        "items": {"a": {}},
        "cost": {"a": {"a": 1}},
        "price": {"z": 1},
        "able": {"a": ["x"]},
    }
    headers = {sheet.name: sheet.header for sheet in data_sheets(data, EXAMPLE)}
    assert headers["cost"] == ["item 1", "item 2", "value"]
    assert headers["price"] == ["key", "value"]
    assert headers["able"] == ["item", "one value"]  # crosses alone would be read as yes and no


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.timeout(90)
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_any_data_of_the_examples_classes_come_back(name: str, data: st.DataObject, tmp_path: Path) -> None:
    drawn: dict[str, Any] = data.draw(values(target_record(SOURCES[name])))
    sheets = data_sheets(drawn, SOURCES[name])
    workbook = tmp_path / "data.xlsx"
    workbook.write_bytes(write_workbook(sheets))
    write_folder(sheets, tmp_path / "csv")
    assert read_data(workbook, SOURCES[name]) == drawn
    assert read_data(tmp_path / "csv", SOURCES[name]) == drawn
