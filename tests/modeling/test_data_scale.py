"""Numbers out of scale with their siblings, and what is no mistake."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from decision_ai.examples import example
from decision_ai.modeling.data_scale import scale_warnings
from decision_ai.modeling.program import Program

pytestmark = pytest.mark.core

WEIGHTS = [3, 4, 5, 2]


def items(*weights: float) -> dict[str, Any]:
    return {"items": {f"i{n}": {"weight": weight, "value": 10} for n, weight in enumerate(weights)}}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (items(*WEIGHTS, 7500), "items.i4.weight is 7500: 2,143 times larger than its siblings (median 3.5)"),
        (items(0, *WEIGHTS, 0.002), "items.i5.weight is 0.002: 1,750 times smaller than"),
        ([{"x": n} for n in [*WEIGHTS, -9000]], "[4].x is -9000: 2,571 times larger than"),
        ({"demand": {"a.b": 10, "c": 12, "d": 11, "e": 9, "f": 12_000}}, "demand.f is 12000: 1,143 times"),
        ({"demand": {"a": 10, "c": 12, "d": 11, "e": 9, "f.g": 12_000}}, 'demand["f.g"] is 12000'),
        ([10, 12, 11, 9, 12_000], "[4] is 12000"),
        ([10, 12, 11, 9, 10**400], None),
    ],
)
def test_a_number_out_of_scale_is_told_with_its_path(data: Any, said: str | None) -> None:
    found = scale_warnings(data)
    assert len(found) == (said is not None)
    assert said is None or said in found[0]


@pytest.mark.parametrize(
    "data",
    [
        items(3, 4, 5, 7500),  # too few to tell
        items(3, 4, 5, 2, 900),
        [1, 10, 100, 1000, 10_000, 100_000],
        [1, 2, 3, 4, 5, 500, 5000],  # not alone
        [0, 0, 0, 0, 0, 7],
        [True, True, True, True, 5000, 1],
        {"a": 1, "b": 2, "c": 1, "d": 2, "big_m": 100_000},  # fields of one record
        ["a", None, {}, []],
        4,
    ],
)
def test_what_is_no_mistake_is_let_through(data: Any) -> None:
    assert scale_warnings(data) == []


def test_a_number_is_told_only_if_it_stands_out_along_and_across() -> None:
    content = {food: {"energy": 500, "fat": 20, "salt": 1, "iron": 0.1, "zinc": 0.001} for food in "abcdef"}
    assert scale_warnings({"content": content}) == []
    content["c"]["fat"] = 20_000_000
    assert len(scale_warnings({"content": content})) == 1


def test_the_fields_of_a_record_are_no_siblings() -> None:
    data = {"params": {"horizon": 5, "cost": 3, "limit": 7, "rate": 4, "big": 100_000}}
    assert len(scale_warnings(data)) == 1
    assert scale_warnings(data, ["params", "horizon", "cost", "limit", "rate", "big"]) == []


@pytest.mark.parametrize(
    "name",
    ["knapsack", "diet", "staff_scheduling", "production_planning", "transportation", "vrp_time_windows"],
)
def test_an_example_says_nothing(name: str) -> None:
    source, text = example(name)
    fields = [field for part in Program.parse(source).data_classes.values() for field in part.fields]
    assert scale_warnings(json.loads(text), fields) == []


@given(st.lists(st.floats(min_value=1, max_value=99), min_size=5), st.integers(0, 3))
def test_one_typing_error_in_a_list_is_found(values: list[float], place: int) -> None:
    values[place] *= 10**6
    assert [text.partition(" ")[0] for text in scale_warnings(values)] == [f"[{place}]"]
