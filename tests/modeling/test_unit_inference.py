"""Which units a model adds and compares; what is not known is let through in silence."""

import pytest

from decision_ai.examples import example
from decision_ai.modeling.program import Program
from decision_ai.modeling.unit_inference import unit_warnings
from decision_ai.solving.findings import PartName

pytestmark = pytest.mark.core

MODEL = '''"""Ship what is worth it."""
import itertools
import math
from typing import Annotated, Any, Optional

import pulp
from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, continuous, integer
from decision_ai import objective, unit

GRAMS = 1000
BIG_M = 10_000


class Item(InputData):
    weight: Annotated[float, unit("kg")]
    volume: float
    price: Annotated[float, unit("EUR/piece")]
    grams: Annotated[float | None, unit("g")]
    stock: Annotated[int, unit("item")]
    parts: list["Item"] = []


class Data(InputData):
    items: dict[str, Item]
    fee: Annotated[float, unit("euro")]
    dollars: Annotated[float, unit("USD")]
    capacity: "Annotated[float, unit('kg')]"
    rates: dict[str, dict[str, Annotated[float, unit("EUR/kg")]]]
    hours: Annotated[list[float], unit("h")]
    minutes: Annotated[Optional[float], unit("min")]
    seats: Annotated[float, unit("person")]
    warmth: Annotated[float, unit("degC")]
    pairs: list[tuple[str, Annotated[float, unit("kg")]]]


class Plan(Variables):
    take: dict[str, Var] = binary(over=lambda data: data.items)
    ship: dict[str, Var] = continuous(over=lambda data: data.items, unit="kg"{bounds})
    load: dict[str, Var] = integer(over=lambda data: data.items, unit="pcs")
    total: Var = continuous(unit="kg")
    other: dict[str, Var] = integer(over=lambda data: data.items)


def packed(data, v):
    """Kilograms taken."""
    return pulp.lpSum(item.weight * v.take[i] for i, item in data.items.items())


def circle(data):
    return circle(data)


class Shipping(OptModel[Data, Plan]):
    def spent(self, data, v) -> Any:
        return pulp.lpSum(data.items[i].price * v.load[i] for i in data.items)

    @constraint("rule")
    def rule(self, data, v):
{body}

    @objective("minimize", "cost")
    def cost(self, data, v):
        return {cost}

    def solution_to_str(self, data, v) -> str:
        return ""
'''


def program(body: str, cost: str = "v.total", bounds: str = "") -> Program:
    indented = "\n".join(f"        {line}" for line in body.splitlines())
    text = MODEL.replace("{body}", indented).replace("{cost}", cost).replace("{bounds}", bounds)
    return Program.parse(text)


def said(body: str) -> list[str]:
    return [warning.message for warning in unit_warnings(program(body))]


LOOP = "for i, item in data.items.items():\n    "


MISFITS = [
    (
        "return pulp.lpSum(item.weight * v.take[i] for i, item in data.items.items()) + data.fee <= 9",
        "kilograms (item.weight * v.take[i]) are added to euros (data.fee)",
    ),
    ("return v.total <= data.fee", "kilograms (v.total) are compared with euros (data.fee)"),
    ("return v.total - data.fee >= 0", "euros (data.fee) are subtracted from kilograms (v.total)"),
    (
        "return data.fee + data.dollars <= v.total",
        "euros (data.fee) are added to US dollars (data.dollars)",
    ),
    (
        "return packed(data, v) <= data.fee",
        "kilograms (packed(data, v)) are compared with euros (data.fee)",
    ),
    (
        "return self.spent(data, v) <= data.capacity",
        "euros (self.spent(data, v)) are compared with kilograms (data.capacity)",
    ),
    (
        LOOP + "yield i, item.price * v.other[i] + item.weight >= item.price",
        "kilograms (item.price * v.other[i] + item.weight) are compared with euros per piece (item.price)",
    ),
    (
        LOOP + "yield i, v.load[i] <= data.seats",
        "pieces (v.load[i]) are compared with people (data.seats)",
    ),
    (
        LOOP + "yield i, item.price <= data.fee",
        "euros per piece (item.price) are compared with euros (data.fee)",
    ),
    (
        LOOP + "yield i, v.ship[i] <= item.grams",
        "kilograms (v.ship[i]) are compared with grams (item.grams), "
        "without the factor 1000 between g and kg",
    ),
    (
        "return sum(data.hours) <= data.minutes",
        "hours (sum(data.hours)) are compared with minutes (data.minutes), "
        "without the factor 60 between min and h",
    ),
    (
        "total = 0\nfor i in data.items:\n    total += data.rates[i]['x'] * v.ship[i]\n"
        "yield total <= v.total",
        "euros (total) are compared with kilograms (v.total)",
    ),
    (
        "return sum([v.total, data.fee]) <= 1",
        "euros (data.fee) are added to kilograms (v.total)",
    ),
    (
        "return max(v.total, data.fee) <= 1",
        "kilograms (v.total) are compared with euros (data.fee)",
    ),
    (
        "return pulp.lpDot([i.price for i in data.items.values()], v.load.values()) <= data.capacity",
        "euros (pulp.lpDot([i.price for i in data.items.values()], v.load.values())) are compared with "
        "kilograms (data.capacity)",
    ),
    (
        "x = v.total if data.fee else 0\nreturn abs(-x) * 2 <= data.fee",
        "kilograms (abs(-x) * 2) are compared with euros (data.fee)",
    ),
    (
        "for n, (i, kilos) in enumerate(data.pairs):\n    yield n, kilos * v.take[i] <= data.fee",
        "kilograms (kilos * v.take[i]) are compared with euros (data.fee)",
    ),
    (
        "w = {i: item.weight for i, item in data.items.items()}\nreturn sum(w[i] for i in w) <= data.fee",
        "kilograms (w[i]) are compared with euros (data.fee)",
    ),
    (
        "if data.fee > 3:\n    limit = data.fee\nelse:\n    limit = 7\nreturn v.total <= limit",
        "kilograms (v.total) are compared with euros (limit)",
    ),
    (
        "return sum(p.weight for item in data.items.values() for p in item.parts) <= data.fee",
        "kilograms (p.weight) are compared with euros (data.fee)",
    ),
    (
        "for i, a in zip(data.items, data.hours):\n    yield i, a * v.take[i] <= data.fee",
        "hours (a * v.take[i]) are compared with euros (data.fee)",
    ),
]
"""Body of a method, and what is said about it."""


@pytest.mark.parametrize(("body", "message"), MISFITS)
def test_units_that_do_not_fit_are_told_once(body: str, message: str) -> None:
    assert said(body) == [message]


@pytest.mark.parametrize(
    "body",
    [
        "return packed(data, v) + v.total <= data.capacity + 5",
        "return v.total <= BIG_M * v.take['a']",
        "return v.total - data.capacity * (1 - v.take['a']) <= 0",
        "return sum(data.rates[i][j] * v.ship[i] for i in data.items for j in data.items) <= data.fee",
        LOOP + "yield i, GRAMS * v.ship[i] <= item.grams",
        LOOP + "yield i, v.ship[i] <= item.grams / 1000",
        LOOP + "yield i, v.ship[i] * 1e3 - item.grams <= 0",
        "return sum(h * 60 for h in data.hours) <= data.minutes",
        LOOP + "yield i, item.price * 3 <= data.fee",
        LOOP + "yield i, item.price * v.take[i] <= data.fee",
        LOOP + "yield i, item.price * v.load[i] <= data.fee",
        LOOP + "yield i, item.weight * v.load[i] <= data.capacity",
        LOOP + "yield i, v.load[i] <= item.stock * v.take[i]",
        LOOP + "yield i, item.volume * v.other[i] <= data.capacity",
        LOOP + "yield i, v.other[i] <= data.seats",
        LOOP + "yield i, data.unheard_of + v.total <= nobody.knows(data.fee)",
        "return v.total <= data.warmth",
        "return v.total ** 2 / v.total <= math.ceil(data.capacity)",
        "return v.total <= circle(data)",
        "return [data.fee] + [v.total] == 3",
        "return data.fee if v.total in [data.fee] else v.total",
        "limit = data.fee\nlimit = data.capacity\nreturn v.total <= limit",
        "with data.fee as x:\n    try:\n        y = x\n    finally:\n        pass\nreturn v.total <= 4",
        "*a, b = data.hours\nreturn v.total <= 4",
        "match data.fee:\n    case 3:\n        return v.total <= 4",
        "return (lambda x: x + data.fee)(v.total)",
        "for i, j in itertools.product(data.items, data.items):\n    yield (i, j), v.ship[i] <= v.ship[j]",
        LOOP + "yield i, v.load[i] <= 8 * data.seats",
        "return 8 * data.seats >= sum(data.hours)",
        "return sum(data.hours) <= 8 * data.minutes",
        "return data.minutes / 60 + sum(data.hours) <= 8",
    ],
)
def test_what_fits_or_is_not_known_is_let_through(body: str) -> None:
    assert said(body) == []


def test_a_warning_names_part_and_line() -> None:
    found = program("total = v.total\nreturn total <= data.fee", cost="v.total - data.fee")
    first, second = unit_warnings(found)
    assert first.part == PartName(kind="constraint", id="rule")
    assert found.source.splitlines()[first.line - 1].strip() == "return total <= data.fee"
    assert str(first) == (
        f"constraint rule, line {first.line}: kilograms (total) are compared with euros (data.fee)"
    )
    assert str(second).startswith(f"objective cost, line {second.line}: euros (data.fee) are subtracted from")


def test_bounds_have_the_unit_of_their_family() -> None:
    bounds = ", lower=0, upper=lambda data, i: data.items[i].price"
    (warning,) = unit_warnings(program("return v.total <= 1", bounds=bounds))
    assert str(warning) == (
        f"variable family ship, line {warning.line}: its upper bound is in euros per piece "
        "(data.items[i].price), it is in kilograms"
    )
    fitting = ", upper=lambda data, i: data.items[i].weight"
    assert unit_warnings(program("return v.total <= 1", bounds=fitting)) == []


def test_a_constraint_that_is_switched_off_is_not_read() -> None:
    off = program("return v.total <= data.fee").apply(
        program("return v.total <= data.fee").switch("rule", enabled=False)
    )
    assert unit_warnings(off) == []


def test_an_expression_of_any_depth_is_survived() -> None:
    assert len(said(f"return {' + '.join(['v.total'] * 800)} <= data.fee")) <= 1


@pytest.mark.parametrize(
    "name",
    ["knapsack", "diet", "staff_scheduling", "production_planning", "transportation", "vrp_time_windows"],
)
def test_an_example_says_nothing(name: str) -> None:
    assert unit_warnings(Program.parse(example(name)[0])) == []
