import pytest

from decision_ai_server.modellers.offline.meaning import Filter, Selection
from decision_ai_server.modellers.offline.selecting_code import (
    Names,
    NotExpressible,
    SelectionWriter,
    singular,
)
from decision_ai_server.modellers.offline.understanding import Subject


@pytest.mark.parametrize(
    ("model", "selection", "total"),
    [
        ("knapsack", Selection(family="take", filters={0: Filter(labels=("Tent",))}), 'v.take["Tent"]'),
        (
            "knapsack",
            Selection(family="take", weight=("items", 0, "weight")),
            "pulp.lpSum(item.weight * v.take[i] for i, item in data.items.items())",
        ),
        (
            "vrp_time_windows",
            Selection(
                family="drive", filters={0: Filter(labels=("Red",))}, weight=("customers", 0, "demand")
            ),
            "pulp.lpSum(data.customers[cu].demand * v.drive[ve, c, cu] "
            'for ve, c, cu in v.drive if ve == "Red" and cu in data.customers)',
        ),
        (
            "harbour",
            Selection(family="moor", filters={1: Filter(labels=("North 1",))}),
            'pulp.lpSum(v.moor[ve, "North 1"] for ve in data.vessels)',
        ),
    ],
)
def test_totals(subjects: dict[str, Subject], model: str, selection: Selection, total: str) -> None:
    assert SelectionWriter(subjects[model].vocabulary()).render(selection).total == total


def test_what_cannot_be_looked_up_is_refused(subjects: dict[str, Subject]) -> None:
    selection = Selection(family="cranes", weight=("tariff", 1, 0))
    with pytest.raises(NotExpressible, match="cannot be looked up"):
        SelectionWriter(subjects["harbour"].vocabulary()).render(selection)


def test_names_are_handed_out_once() -> None:
    names = Names()
    assert [names.take(word) for word in ("vessel", "vessel", "item", "item", "i")] == [
        "ve",
        "ves",
        "i",
        "it",
        "i2",
    ]
    assert [names.whole("item"), names.whole("item")] == ["item", "item_2"]


def test_singular() -> None:
    assert [singular(word) for word in ("cities", "items", "glass")] == ["city", "item", "glass"]
