"""Numbers that strain a solver are told with their place; others are not."""

import math

import numpy as np
import pytest
from building_models import built
from models import model

from decision_ai.solving.families import BuiltFamily
from decision_ai.solving.linear import LinearModel
from decision_ai.solving.numerics import Places, numeric_warnings

pytestmark = pytest.mark.core

FAMILIES = (
    "x: dict[str, Var] = continuous(over=lambda d: d.names, upper={upper})\n"
    "on: dict[str, Var] = binary(over=lambda d: d.names)"
)


def warnings(body: str, upper: str = "50", **parts: str) -> list[str]:
    return built(
        body=body, families=FAMILIES.replace("{upper}", upper), **{"objective": "return v.x['a']", **parts}
    ).description.warnings


def test_a_quiet_model() -> None:
    assert warnings("for i in d.names:\n    yield i, v.x[i] <= 50 * v.on[i]") == []
    assert built().description.warnings == []


@pytest.mark.parametrize(
    ("body", "needed"),
    [
        ("v.x[i] <= 1e6 * v.on[i]", "50 would do"),
        ("v.x[i] - 5 <= 1e6 * v.on[i]", "45 would do"),
        ("1e6 * v.on[i] >= v.x[i]", "50 would do"),
        ("v.x[i] + 1e6 * v.on[i] <= 1e6 + 20", "30 would do"),
        ("v.x[i] >= 20 - 1e6 * (1 - v.on[i])", "20 would do"),
        ("v.x[i] >= 20 - 1e6 * v.on[i]", "20 would do"),
        ("v.x[i] + 2 * v.on['a'] <= 1e6 * v.on[i] + 2 * v.on['a']", "50 would do"),
    ],
)
def test_big_m(body: str, needed: str) -> None:
    (told,) = warnings(f"for i in d.names:\n    yield i, {body}")

    assert "of on[a] in constraint rule[a] (and 1 more like it) looks like a big M" in told
    assert needed in told


def test_big_m_without_bounds() -> None:
    (told,) = warnings("for i in d.names:\n    yield i, v.x[i] <= 2e6 * v.on[i]", "None")

    assert "the coefficient -2e+06 of on[a] in constraint rule[a]" in told
    assert "bound the other variables" in told
    assert warnings("for i in d.names:\n    yield i, v.x[i] <= 1e5 * v.on[i]", "None") == []


@pytest.mark.parametrize(
    "body",
    [
        "return pulp.lpSum(1e6 * v.on[i] + 2 * v.x[i] for i in d.names) <= 1.5e6",  # a budget
        "return 1e6 * v.on['a'] + 2 * v.x['a'] == 40",
        "return 1e6 * v.on['a'] - 1e6 * v.on['b'] <= 0",
    ],
)
def test_large_numbers_that_are_no_big_m(body: str) -> None:
    assert warnings(body) == []


def test_ranges_name_both_ends() -> None:
    body = "yield 'few', 1e-4 * v.x['a'] <= 1e-4\nyield 'many', 1e5 * v.x['b'] <= 1e5"
    objective = "return 1e-3 * v.x['a'] + 1e6 * v.x['b']"
    coefficients, goal, sides, bounds = warnings(
        body, "lambda d, i: {'a': 1e-3, 'b': 1e8}[i]", objective=objective
    )

    assert coefficients == (
        "the coefficients of the constraints range from 0.0001 (x[a] in constraint rule[few]) to 1e+05 (x[b] "
        "in constraint rule[many]), a factor of 1e+09: use units in which they are closer together"
    )
    assert "the coefficients of the objective range from 0.001 (x[a]) to 1e+06 (x[b])" in goal
    assert (
        "the right sides range from 0.0001 (constraint rule[few]) to 1e+05 (constraint rule[many])" in sides
    )
    assert "the bounds of the variables range from 0.001 (x[a]) to 1e+08 (x[b])" in bounds


def test_a_factor_beyond_all_numbers() -> None:
    told = warnings("for i in d.names:\n    yield i, 1e-309 * v.x[i] + 1e6 * v.on[i] <= 3")

    assert any("a factor of inf" in line for line in told)


def test_nothing_at_all() -> None:
    assert numeric_warnings(model("minimize", [], []), Places({}, {})) == []


def _many_switches(count: int) -> tuple[LinearModel, Places]:
    rows = [({j: 1.0, count + j: -1e7}, None, 0.0) for j in range(count)]
    linear = model(
        "minimize",
        [0] * (2 * count),
        rows,
        upper=[*([9.0] * count), *([1.0] * count)],
        integral=[*([False] * count), *([True] * count)],
    )
    families = {
        name: BuiltFamily(
            variable_id=name, domain="binary", indices=[(i,) for i in range(count)], first=first, field=None
        )
        for name, first in (("x", 0), ("on", count))
    }
    return linear, Places(families, {f"rule{i}": [()] for i in range(count)})


def test_the_number_of_lines_is_bounded_and_their_order_fixed() -> None:
    linear, places = _many_switches(40)
    told = numeric_warnings(linear, places)

    assert len(told) == 5
    assert [line.split(" in constraint ")[1].split(" ")[0] for line in told] == [f"rule{i}" for i in range(5)]
    assert told == numeric_warnings(linear, places)


def test_empty_parts_do_not_shift_names() -> None:
    def family(name: str, indices: list[tuple[int]], first: int) -> BuiltFamily:
        return BuiltFamily(variable_id=name, domain="binary", indices=list(indices), first=first, field=None)

    families = {"a": family("a", [], 0), "b": family("b", [(1,), (2,)], 0), "c": family("c", [], 2)}
    places = Places(families, {"p": [], "q": [()], "r": [], "s": [(7,)], "t": []})

    assert [places.member(0), places.member(1), places.family(1)] == ["b[1]", "b[2]", "b"]
    assert [places.row(0), places.row(1)] == ["constraint q", "constraint s[7]"]


def test_infinite_and_zero_numbers_do_not_count() -> None:
    linear = model("minimize", [0, 1], [({0: 1.0}, None, 0.0)], lower=[-math.inf, 0], upper=[math.inf, 3])
    assert np.isfinite(linear.row_upper).all()
    families = {
        "x": BuiltFamily(variable_id="x", domain="continuous", indices=[(0,), (1,)], first=0, field=None)
    }
    assert numeric_warnings(linear, Places(families, {"r": [()]})) == []
