from typing import Any

import pytest

from decision_ai.tabular.cells import Cells
from decision_ai.tabular.problems import Place, Problems
from decision_ai.tabular.records import Slot, fill, in_unit, slot_of, slots
from decision_ai.tabular.shapes import TEXT, Mapping, Record, Scalar
from decision_ai.tabular.text_shapes import source_record
from tests.tabular.models import EXAMPLE

DATA = source_record(EXAMPLE)
ITEMS = DATA.field("items").shape
assert isinstance(ITEMS, Mapping)
ITEM = ITEMS.value
assert isinstance(ITEM, Record)


def columns(**cells: list[Any]) -> list[Cells]:
    return [
        Cells(name.replace("__", " "), values, lambda n, name=name: Place(row=f"line {n + 2}", column=name))  # type: ignore[misc]
        for name, values in cells.items()
    ]


def filled(record: Record = ITEM, **cells: list[Any]) -> tuple[list[Any], list[str]]:  # type: ignore[assignment]
    problems = Problems()
    count = len(next(iter(cells.values())))
    result = fill(record, columns(**cells), count, problems)
    return result.values, [str(problem) for problem in problems.found]


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ("Weight [kg]", ("weight",)),
        ("weight_kg", ("weight",)),
        ("VALUES", ("value",)),
        ("at 2", ("at", 1)),
        ("demand.Jan", ("demand", "Jan")),
        ("Demand Jan", ("demand", "Jan")),
        ("demand[Jan 2026]", ("demand", "Jan 2026")),
        ("demand", ("demand",)),
        ("wieght", None),
    ],
)
def test_a_header_finds_its_place(header: str, path: tuple[str, ...] | None) -> None:
    slot = slot_of(header, list(slots(ITEM)))  # type: ignore[arg-type]
    assert (slot and slot.path) == path


def test_places_inside_a_record_have_both_names() -> None:
    names = [slot.name for slot in slots(DATA) if slot.path[0] == "depot"]
    assert names == ["depot", "depot x", "depot y"]
    assert Slot(("at", 0), TEXT).name == "at 1"


def test_every_kind_of_column_fills_its_field() -> None:
    values, problems = filled(
        weight=["1,5"],
        value=[2],
        mode=["Rail"],
        fragile=["yes"],
        due=["2026-03-01"],
        tags=["a; b"],
        at=["1;2"],
        demand__Jan=[5],
        demand__Feb=[6],
    )
    assert problems == []
    assert values == [
        {
            "weight": 1.5,
            "value": 2,
            "mode": "rail",
            "fragile": True,
            "due": "2026-03-01",
            "tags": ["a", "b"],
            "at": [1, 2],
            "demand": {"Jan": 5, "Feb": 6},
        }
    ]


def test_json_values_in_cells_are_taken_as_they_are() -> None:
    values, problems = filled(weight=[1], value=[2], tags=[["a", "b"]], at=[[1, 2]], demand=[{"Jan": 3}])
    assert (values[0]["tags"], values[0]["at"], values[0]["demand"], problems) == (
        ["a", "b"],
        [1, 2],
        {"Jan": 3},
        [],
    )


def test_a_blank_is_the_default_or_a_problem() -> None:
    values, problems = filled(weight=[1, None], value=[2, 3], fragile=[None, "x"], due=[None, None])
    assert values[0] == {"weight": 1, "value": 2, "fragile": False}
    assert problems == ["line 3, column 'weight': the cell is blank, and 'weight' has no default"]


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ({"weight": [1], "value": [1], "wieghts": [1]}, "did you mean 'weight'?"),
        ({"weight": [1], "value": [1], "Values": [1]}, "both mean 'value'"),
        ({"weight": [1], "value": [1], "tags": ["a, b"]}, "write ; between the items"),
        ({"weight": [1], "value": [1], "at": ["1;2;3"]}, "2 items are wanted, not 3"),
        ({"weight": [1], "value": [1], "at": ["1;x"]}, "'x' is not a number"),
        ({"weight": [1], "value": [1], "demand": [5]}, "one cell cannot hold this"),
        ({"weight": [1], "value": [1], "demand__Jan": [None]}, "the cell is blank, and 'demand Jan'"),
        ({"weight": [1], "value": [1], "at__1": [1], "at__2": [None]}, "the cell is blank, and 'at 2'"),
    ],
)
def test_what_does_not_fit_is_told(cells: dict[str, list[Any]], words: str) -> None:
    _, problems = filled(**cells)
    assert words in problems[0]


def test_fields_that_no_column_gives_are_named() -> None:
    assert fill(ITEM, columns(value=[1]), 1, Problems()).missing == [("weight",)]  # type: ignore[arg-type]
    part = fill(DATA, columns(capacity=[1], depot__y=[2]), 1, Problems())
    assert part.missing == [("depot", "x")]


def test_another_unit_is_converted_and_told_or_a_problem() -> None:
    problems = Problems()
    kilos = Scalar("number", unit="kg")
    place = lambda _: Place(column="Weight [t]")  # noqa: E731
    assert in_unit(Cells("Weight [t]", [1], place), kilos, "weight", problems).factor == 1000
    assert problems.notes == ["column 'Weight [t]': converted from t to kg (times 1000)"]
    assert in_unit(Cells("Weight [kg]", [1], place), kilos, "weight", problems).factor == 1
    in_unit(Cells("Weight [EUR]", [1], place), kilos, "weight", problems)
    assert "is in 'EUR', but 'weight' is in 'kg'" in str(problems.found[0])
