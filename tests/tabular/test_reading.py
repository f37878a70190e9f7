"""Real files and frames, dirty ones too, onto the classes of a model."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from openpyxl import Workbook

from decision_ai.errors import DataError, DecisionAIError
from decision_ai.modeling.loading import load_model
from decision_ai.tabular import TableError, json_text, read_data
from decision_ai.tabular.reading import is_json_for, read_with_notes
from tests.tabular.models import EXAMPLE, moment

DATA = {
    "capacity": 30,
    "items": {
        "Tent": {"weight": 7.5, "value": 30, "due": "2026-03-01"},
        "Box": {"weight": 1234.5, "value": 4, "mode": "rail"},
    },
    "cost": {"Tent": {"x": 1, "y": 2}, "Box": {"x": 3, "y": 4}},
}


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    book = Workbook()
    sheet = book.active
    sheet.title = "Parameters"
    sheet.append(["name", "value", "unit", "comment"])
    sheet.append(["Capacity", 30, "kg", "of the van"])
    items = book.create_sheet("Items")
    items.append(["Item", "Weight [kg]", "Value", "Mode", "Due"])
    items.append(["Tent ", 7.5, "30", None, moment(2026, 3, 1)])
    items.append(["Box", "1.234,5", 4, "RAIL", None])
    cost = book.create_sheet("cost")
    for row in (["", "x", "y"], ["Tent", 1, 2], ["Box", 3, 4]):
        cost.append(row)
    path = tmp_path / "plant.xlsx"
    book.save(path)
    return path


def test_a_workbook_is_read(workbook: Path) -> None:
    assert read_data(workbook, EXAMPLE) == DATA
    assert read_data(str(workbook), EXAMPLE) == DATA
    assert json.loads(json_text(workbook, EXAMPLE)) == DATA


def test_the_class_itself_may_be_the_target(workbook: Path) -> None:
    data_class = load_model(EXAMPLE, "target").data_class
    assert read_data(workbook, data_class) == DATA
    assert data_class.model_validate(read_data(workbook, data_class)).capacity == 30


def test_everything_wrong_with_a_workbook_is_told_at_once(workbook: Path) -> None:
    from openpyxl import load_workbook

    book = load_workbook(workbook)
    book["Items"]["B2"] = "heavy"
    book["Items"]["D3"] = "raod"
    book["Items"]["A3"] = "Tent"
    book["Parameters"]["B2"] = None
    book["cost"]["C3"] = None
    book.create_sheet("Itmes").append(["a", "b"])
    book.save(workbook)
    with pytest.raises(TableError) as caught:
        read_data(workbook, EXAMPLE)
    assert [str(problem).partition(":")[0] for problem in caught.value.problems] == [
        "plant.xlsx, Itmes",
        "plant.xlsx, Parameters!B2, column 'value'",
        "plant.xlsx, Items!B2, column 'Weight [kg]'",
        "plant.xlsx, Items!D3, column 'Mode'",
        "plant.xlsx, Items!A3, column 'Item'",
        "plant.xlsx, cost!C3, column 'y'",
    ]


def test_a_folder_of_csv_files_is_read(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text(
        "Item;Weight (kg);Value;Mode;Due\nTent;7,5;30;;01.03.2026\nBox;1.234,5;4;rail;\n"
    )
    (tmp_path / "parameters.csv").write_text("capacity,30\n")
    (tmp_path / "cost.csv").write_text("item,to,value\nTent,x,1\nTent,y,2\nBox,x,3\nBox,y,4\n")
    (tmp_path / "README.md").write_text("not read")
    assert read_data(tmp_path, EXAMPLE) == DATA
    (tmp_path / "more.xlsx").write_text("")
    with pytest.raises(TableError, match="a folder of data has CSV files only"):
        read_data(tmp_path, EXAMPLE)


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="has no CSV file"):
        read_data(tmp_path, EXAMPLE)


def test_one_csv_file_is_for_the_one_field_that_needs_a_table(tmp_path: Path) -> None:
    path = tmp_path / "anything.csv"
    path.write_text("Item,Weight,Value\nTent,7.5,30\n")
    with pytest.raises(TableError) as caught:
        read_data(path, EXAMPLE)
    (problem,) = caught.value.problems
    assert str(problem) == "anything.csv: there is no table or value for 'capacity' (numbers)"


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_frames_and_dictionaries_of_them_are_read(library: Any) -> None:
    items = library({"item": ["Tent", "Box"], "weight": [7.5, 1234.5], "value": [30, 4]})
    read = read_data({"items": items, "capacity": 30, "months": ("Jan", "Feb")}, EXAMPLE)
    assert read["items"] == {"Tent": {"weight": 7.5, "value": 30}, "Box": {"weight": 1234.5, "value": 4}}
    assert (read["capacity"], read["months"]) == (30, ["Jan", "Feb"])
    with pytest.raises(TableError, match="'capacity'"):
        read_data(items, EXAMPLE)


def test_a_dictionary_may_name_the_file_of_a_table(tmp_path: Path) -> None:
    items = tmp_path / "stock of june.csv"
    items.write_text("Item;Weight [kg];Value\nTent;7,5;30\n")
    book = Workbook()
    for row in (["item", "weight", "value"], ["Tent", 7.5, 30]):
        book.active.append(row)
    book.save(tmp_path / "june.xlsx")
    for path in (items, tmp_path / "june.xlsx"):
        assert read_data({"items": path, "capacity": 1}, EXAMPLE)["items"] == {
            "Tent": {"weight": 7.5, "value": 30}
        }
    with pytest.raises(DecisionAIError, match="is no table"):
        read_data({"items": tmp_path / "june.ods", "capacity": 1}, EXAMPLE)
    book.create_sheet("more")
    book["more"].append(["item", "weight"])
    book["more"].append(["Tent", 1])
    book.save(tmp_path / "june.xlsx")
    with pytest.raises(DecisionAIError, match="has 2 sheets"):
        read_data({"items": tmp_path / "june.xlsx", "capacity": 1}, EXAMPLE)


def test_the_row_of_a_frame_is_named() -> None:
    items = pd.DataFrame({"weight": ["x"], "value": [1]}, index=["Tent"])
    with pytest.raises(TableError) as caught:
        read_data({"items": items, "capacity": 1}, EXAMPLE)
    assert str(caught.value) == "items, row 'Tent', column 'weight': 'x' is not a number"


def test_lists_of_dictionaries_are_records(tmp_path: Path) -> None:
    records = [{"item": "Tent", "weight": 7.5, "value": 30, "demand": {"Jan": 1}}]
    expected = {"Tent": {"weight": 7.5, "value": 30, "demand": {"Jan": 1}}}
    assert read_data({"items": records, "capacity": 1}, EXAMPLE)["items"] == expected
    path = tmp_path / "data.json"
    path.write_text(json.dumps({"items": records, "capacity": 1, "places": [{"x": 1}]}))
    read = read_data(path, EXAMPLE)
    assert (read["items"], read["places"]) == (expected, [{"x": 1}])
    path.write_text(json.dumps(records))
    with pytest.raises(TableError, match="'capacity'"):
        read_data(path, EXAMPLE)
    with pytest.raises(TableError, match="'capacity'"):
        read_data(records, EXAMPLE)


def test_plain_json_and_objects_stay_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text("\ufeff" + json.dumps(DATA))
    assert read_data(path, EXAMPLE) == DATA
    assert read_data(DATA, EXAMPLE) == DATA
    data_class = load_model(EXAMPLE, "plain").data_class
    assert read_data(data_class.model_validate(DATA), EXAMPLE)["items"]["Tent"]["due"] == "2026-03-01"


def test_values_that_json_does_not_have_become_ones_it_has() -> None:
    given = {"capacity": pd.Series([1.5])[0], "allowed": {"a"}, "items": {}, "by_year": {2026: 1.0}}
    read = read_data(given, EXAMPLE)
    assert read == {"capacity": 1.5, "items": {}, "by_year": {"2026": 1.0}, "allowed": ["a"]}


def test_what_is_json_for_the_model() -> None:
    assert is_json_for(DATA, EXAMPLE)
    assert is_json_for({"places": [{"x": 1}], "other": [{}]}, EXAMPLE)
    assert not is_json_for({"items": [{"item": "Tent"}]}, EXAMPLE)
    assert not is_json_for([], EXAMPLE)


def test_notes_are_warnings_or_values(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_bytes("Item;Weight [t];Value\nZelt groß;1,5;2\n".encode("cp1252"))
    (tmp_path / "p.csv").write_text("capacity,count\n30,4\n")
    read = read_with_notes(tmp_path, EXAMPLE)
    assert read.data["items"] == {"Zelt groß": {"weight": 1500, "value": 2}}
    assert read.notes == (
        "items.csv is not UTF-8 (line 2); it was read as Windows text (cp1252)",
        "items.csv, column 'Weight [t]': converted from t to kg (times 1000)",
    )
    with pytest.warns(UserWarning, match="cp1252|converted") as caught:
        read_data(tmp_path, EXAMPLE)
    assert tuple(str(warning.message) for warning in caught) == read.notes


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.xls", "x", "no form of data that can be read"),
        ("a.json", "[1]", "neither an object nor a list of objects"),
        ("a.json", "{", "not valid JSON at line 1"),
        ("a.json", "\udcff", "not UTF-8"),
    ],
)
def test_what_cannot_be_read_is_told(name: str, content: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(DecisionAIError, match=words):
        read_data(path, EXAMPLE)


def test_a_missing_file_and_a_thing_that_is_no_data(tmp_path: Path) -> None:
    with pytest.raises(DecisionAIError, match="there is no data file"):
        read_data(tmp_path / "a.json", EXAMPLE)
    with pytest.raises(TypeError, match="data are an InputData object"):
        read_data(3, EXAMPLE)
    assert issubclass(TableError, DataError)


ENDLESS: dict[str, Any] = {}
ENDLESS["a"] = ENDLESS


@pytest.mark.parametrize(
    ("items", "words"),
    [
        (ENDLESS, "items: the value is nested without an end, or too deep"),
        ({("a", "b"): {}}, "items: ('a', 'b') is no key of data; nest a dictionary"),
        ({None: {}}, "items: None is no key of data"),
        ({1: {}, "1": {}}, "items: two keys are written '1'; rename or delete one"),
        (pd.DataFrame({"item": [b"x"], "weight": [[1]], "value": [1]}), "'[1]' is not a number"),
        (pd.DataFrame({"item": [{"a": 1}], "weight": [1], "value": [1]}), "{'a': 1} is not a text"),
    ],
)
def test_values_that_are_no_data_are_told(items: Any, words: str) -> None:
    with pytest.raises(TableError) as caught:
        read_data({"capacity": pd.Series([1])[0], "items": items}, EXAMPLE)
    assert words in str(caught.value)


def test_arrays_are_lists() -> None:
    given = {"capacity": 1, "items": {}, "months": pd.Series(["Jan", "Feb"]).to_numpy()}
    assert read_data(given, EXAMPLE)["months"] == ["Jan", "Feb"]


def test_a_folder_without_csv_files_says_what_to_name(tmp_path: Path) -> None:
    for name in ("plant.xlsx", "b.json"):
        (tmp_path / name).write_text("")
    with pytest.raises(TableError) as caught:
        read_data(tmp_path, EXAMPLE)
    assert str(caught.value).endswith("the folder has no CSV file; to read 'b.json' in it, name that file")


def test_a_list_of_something_else_is_refused() -> None:
    with pytest.raises(DataError, match="the data are a list"):
        read_data([1, 2], EXAMPLE)


def test_a_wrong_header_and_a_wrong_name_are_told_once_each(workbook: Path) -> None:
    from openpyxl import load_workbook

    book = load_workbook(workbook)
    book["Items"]["B1"] = "Wieght"
    book["Items"]["A9"] = "Source: the list of May"
    book["Items"]["B10"] = 5
    book["Parameters"]["A2"] = "Capazity"
    book["Parameters"]["B2"] = "30 kg"
    book.save(workbook)
    with pytest.raises(TableError) as caught:
        read_data(workbook, EXAMPLE)
    assert [str(problem).partition(" (a header")[0] for problem in caught.value.problems] == [
        "plant.xlsx, Parameters!A2, column 'name': 'Capazity [kg]' is no field of Data; did you mean "
        "'capacity'?",
        "plant.xlsx, Items!A9, column 'Item': the row has a label and nothing else; fill it in or delete it",
        "plant.xlsx, Items!A10, column 'Item': the label is missing",
        "plant.xlsx, Items!B:B, column 'Wieght': 'Wieght' is no field of Item; did you mean 'weight'?",
    ]


def test_totals_are_not_taken_for_labels(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("Item;Weight in kg;Value\nTent;7,5;30\nBox;2;4\nTotal;9,5;34\n")
    (tmp_path / "cost.csv").write_text("item;x;y;Sum\nTent;1;2;3\nBox;3;4;7\n")
    (tmp_path / "p.csv").write_text("capacity,30\n")
    with pytest.raises(TableError) as caught:
        read_data(tmp_path, EXAMPLE)
    assert [str(problem) for problem in caught.value.problems] == [
        "cost.csv, column 'Sum': the column adds up the others; delete it, or begin its name with #",
        "items.csv, line 4, column 'Item': the row adds up the others; delete it",
    ]


def test_a_unit_in_a_header_that_the_model_does_not_know_is_told() -> None:
    read = read_with_notes(
        {"capacity": 1, "items": pd.DataFrame({"i": ["a"], "weight": [1], "value [EUR]": [2]})}, EXAMPLE
    )
    assert read.notes == (
        "items, column 'value [EUR]': read as it stands, because the model says no unit of 'value'",
    )
