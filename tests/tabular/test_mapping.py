from typing import Any

import pytest

from decision_ai.tabular.mapping import Assembly, node_of, nodes
from decision_ai.tabular.problems import Place, Problems
from decision_ai.tabular.tables import make_table
from decision_ai.tabular.text_shapes import source_record
from tests.tabular.models import EXAMPLE

DATA = source_record(EXAMPLE)
ITEMS = (["item", "weight", "value"], [["Tent", 1, 2], ["Box", 3, 4]])
Tables = dict[str, tuple[list[Any], list[list[Any]]]]


def assembled(tables: Tables, **values: Any) -> tuple[dict[str, Any], list[str]]:
    problems = Problems()
    assembly = Assembly(DATA, Place("the data"), problems)
    for name, value in values.items():
        assembly.add_value(name, value, Place(row=name))
    for name, (header, rows) in tables.items():
        named = [(f"row {n}", row) for n, row in enumerate(rows, start=2)]
        assembly.add_table(make_table(name, ("row 1", header), named, problems))
    data = assembly.data()
    return data, [str(problem) for problem in problems.found]


def test_the_tables_there_can_be() -> None:
    names = [node.name for node in nodes(DATA)]
    assert "items" in names
    assert "items.demand" in names
    assert "items.tags" in names
    assert "capacity" not in names


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Items", "items"),
        ("items demand", "items.demand"),
        ("demand", "items.demand"),
        ("zzz", None),
        ("capacity", None),
    ],
)
def test_a_table_is_known_by_its_name(name: str, found: str | None) -> None:
    node = node_of(DATA, name)
    assert (node and node.name) == found


FORMS: list[tuple[str, tuple[list[Any], list[list[Any]]], Any]] = [
    ("cost", (["", "x", "y"], [["a", 1, 2]]), {"a": {"x": 1, "y": 2}}),
    ("cost", (["from", "to", "cost"], [["a", "x", 1], ["b", None, None]]), {"a": {"x": 1}, "b": {}}),
    ("price", (["item", "price"], [["a", 1]]), {"a": 1}),
    ("months", (["month"], [["Jan"], ["Feb"]]), ["Jan", "Feb"]),
    ("months", (["month"], []), []),
    ("able", (["who", "what"], [["Ana", "x"], ["Ana", "y"], ["Ben", None]]), {"Ana": ["x", "y"], "Ben": []}),
    ("arcs", (["from", "to"], [["a", "b"]]), [["a", "b"]]),
    ("spots", (["", "x", "y"], [["a", 1, 2]]), {"a": [1, 2]}),
    ("places", (["x", "y"], [[1, None], [2, 3]]), [{"x": 1}, {"x": 2, "y": 3}]),
    ("stops", (["route", "x"], [["r", 1], ["r", 2]]), {"r": [{"x": 1}, {"x": 2}]}),
    ("matrix", (["a", "b"], [[1, 2], [3, None]]), [[1, 2], [3]]),
    ("by_year", (["year", "value"], [[2026, 1], ["2027", 2]]), {"2026": 1, "2027": 2}),
    ("allowed", (["what"], [["a"], ["b"]]), ["a", "b"]),
    ("cube", (["i", "j", "k", "value"], [["a", "b", "c", 1]]), {"a": {"b": {"c": 1}}}),
    ("depot", (["x", "y"], [[1, 2]]), {"x": 1, "y": 2}),
    ("depot", (["name", "value"], [["x", 1]]), {"x": 1}),
]


@pytest.mark.parametrize(("name", "table", "value"), FORMS)
def test_each_field_has_its_tables(name: str, table: Any, value: Any) -> None:
    data, problems = assembled({"items": ITEMS, name: table}, capacity=10)
    assert problems == []
    assert data[name] == value
    assert list(data["items"]) == ["Tent", "Box"]


def test_single_values_may_stand_in_several_tables() -> None:
    parameters: Tables = {
        "General": (["name", "value"], [["capacity [t]", 0.5], ["depot x", 1]]),
        "More": (["count", "depot y"], [[4, 2]]),
    }
    data, problems = assembled({"items": ITEMS, **parameters})
    assert problems == []
    assert (data["capacity"], data["count"], data["depot"]) == (500, 4, {"x": 1, "y": 2})


def test_fields_inside_records_may_have_tables_of_their_own() -> None:
    inner: Tables = {
        "items.demand": (["", "Jan", "Feb"], [["Tent", 1, 2], ["Box", 3, 4]]),
        "tags": (["item", "tag"], [["Tent", "a"], ["Tent", "b"]]),
    }
    data, problems = assembled({"items": ITEMS, **inner}, capacity=1)
    assert problems == []
    assert data["items"]["Box"]["demand"] == {"Jan": 3, "Feb": 4}
    assert data["items"]["Tent"]["tags"] == ["a", "b"]
    assert "tags" not in data["items"]["Box"]


def test_one_table_may_hold_several_fields_under_the_same_labels() -> None:
    data, problems = assembled(
        {"items": ITEMS, "all": (["item", "Price", "bonus"], [["a", 1, 2]])}, capacity=1
    )
    assert problems == []
    assert (data["price"], data["bonus"]) == ({"a": 1}, {"a": 2})


@pytest.mark.parametrize(
    ("tables", "values", "words"),
    [
        ({}, {"capacity": 1}, "the data: there is no table or value for 'items' (Item records by 1 key)"),
        ({"items": ITEMS}, {}, "the data: there is no table or value for 'capacity' (numbers)"),
        ({"items": ITEMS, "itms": ITEMS}, {"capacity": 1}, "itms: the table 'itms' is no field of Data"),
        ({"items": ITEMS, "Item": ITEMS}, {"capacity": 1}, "Item: 'items' was given already (items)"),
        (
            {"items": ITEMS},
            {"capacity": 1, "Capacity": 2},
            "'Capacity' means 'capacity', which was given already",
        ),
        ({"items": ITEMS}, {"capacitiy": 1}, "did you mean 'capacity'?"),
        (
            {"items": ITEMS, "p": (["capacity", "count"], [[1, 2]])},
            {"capacity": 1},
            "'capacity' was given already",
        ),
        ({"items": (["item", "value"], [["a", 1]])}, {"capacity": 1}, "items: no column gives 'weight'"),
        (
            {"items": (["i", "weight", "value"], [["a", 1, 2], ["a", 1, 2]])},
            {"capacity": 1},
            "items, row 3, column 'i': 'a' occurs twice; it was at items, row 2, column 'i' already",
        ),
        ({"items": ITEMS, "demand": (["", "Jan"], [["Tnt", 1]])}, {"capacity": 1}, "did you mean 'Tent'?"),
        (
            {"items": ITEMS, "allowed": (["a"], [["x"], ["x"]])},
            {"capacity": 1},
            "'x' occurs twice; it was at allowed, row 2",
        ),
        ({"items": ITEMS, "odd": (["a", "b"], [["x", 1]])}, {"capacity": 1}, "give it as JSON"),
        ({"items": ITEMS, "depot": (["y"], [[1]])}, {"capacity": 1}, "depot: no column gives 'x'"),
    ],
)
def test_what_does_not_fit_is_told(tables: Tables, values: dict[str, Any], words: str) -> None:
    _, problems = assembled(tables, **values)
    assert any(words in problem for problem in problems), problems


def test_a_blank_single_value_is_told_once() -> None:
    _, problems = assembled({"items": ITEMS, "p": (["name", "value"], [["capacity", None]])})
    assert problems == ["p, row 2, column 'value': the cell is blank, and 'capacity' has no default"]
