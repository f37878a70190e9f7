"""The unit of a value by its path."""

import pytest

from decision_ai.modeling.data_units import units_at
from decision_ai.modeling.program import Program

pytestmark = pytest.mark.core

PROGRAM = Program.parse("""
from typing import Annotated
from decision_ai import InputData, OptModel, Variables, unit


class Thing(InputData):
    weight: Annotated[float, unit("kg")]
    name: str


class Item(Thing):
    prices: Annotated[list[float], unit("euro")] = []


class Data(InputData):
    items: dict[str, Item]
    rates: dict[str, dict[str, Annotated[float, unit("EUR/kg")]]]
    warmth: Annotated[float, unit("degC")]
    pairs: list[tuple[str, Annotated[float, unit("h")]]]


class Plan(Variables):
    pass


class Model(OptModel[Data, Plan]):
    pass
""")


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        ("items.Tent.weight", "kg"),
        ('items["a.b\\"c"].weight', "kg"),
        ("items.Tent.prices[2]", "euro"),
        ("rates.a.b", "EUR/kg"),
        ("warmth", "degC"),
        ("pairs[1][1]", "h"),
        ("items.Tent.name", None),
        ("items.Tent", None),
        ("items", None),
        ("rates.a", None),
        ("unheard.of[3]", None),
        ("", None),
    ],
)
def test_a_value_has_the_unit_its_class_declares(path: str, unit: str | None) -> None:
    assert units_at(PROGRAM, [path]) == ({} if unit is None else {path: unit})


def test_parts_know_their_unit() -> None:
    fields = PROGRAM.data_classes["Data"].fields
    assert (fields["rates"].unit, fields["items"].unit) == ("EUR/kg", "")
    assert PROGRAM.data_classes["Item"].fields["weight"].unit == "kg"
