"""A plan that somebody typed in: what it is worth, what it breaks, what it does not say."""

import pytest
from building_models import NAMES, built, source
from hypothesis import given, strategies as st

from decision_ai.modeling.loading import load_model
from decision_ai.solving.building import BuiltModel, build
from decision_ai.solving.findings import PricedPlan
from decision_ai.solving.outcome import Plan
from decision_ai.solving.parameters import SolveParameters
from decision_ai.solving.pricing import price, read_plan
from decision_ai.solving.settling import solve

pytestmark = pytest.mark.core

GRID = (
    "x: dict[tuple[str, int], Var] = integer(\n"
    "    over=lambda d: [(i, t) for i in d.names for t in (1, 2)], upper=9)\n"
    "level: dict[float, Var] = continuous(over=lambda d: [0.5, 2], lower=-3, upper=-1)\n"
    "total: Var = continuous(lower=None)"
)
BODY = "yield 'low', v.x['a', 1] + v.total <= 4\nyield 'high', v.x['b', 2] >= 1"


def grid() -> BuiltModel:
    return built(families=GRID, body=BODY, objective="return 7 + 2 * v.x['a', 1] + v.total")


def priced(model: BuiltModel, **values: list[tuple[tuple[str | int | float, ...], float]]) -> PricedPlan:
    found, point = price(model, read_plan(model, Plan(values=values)))
    assert found.rows == []
    return found.model_copy(update={"rows": point.rows(model.description)})


def test_worth_and_misses() -> None:
    found = priced(
        grid(),
        x=[(("a", 1), 10.0), (("a", 2), 0.5), (("b", 1), 0.0), (("b", 2), 1.0)],
        level=[((0.5,), -2.0), ((2,), 0.0)],
        total=[((), -1.5)],
    )

    assert found.objective == 7 + 20 - 1.5
    assert [(row.index, row.activity, row.violation) for row in found.rows] == [
        (("low",), 8.5, 4.5),
        (("high",), 1, 0),
    ]
    assert [
        (one.variable_id, one.index, one.value, one.lower, one.upper, one.whole) for one in found.members
    ] == [
        ("x", ("a", 1), 10, 0, 9, True),
        ("x", ("a", 2), 0.5, 0, 9, True),
        ("level", (2,), 0, -3, -1, False),
    ]
    assert (found.missing, found.unknown, found.soft) == ([], [], [])
    assert [row.index for row in found.broken] == [("low",)]
    assert not found.feasible


def test_what_the_plan_does_not_say_is_as_near_to_nothing_as_its_bounds_allow() -> None:
    model = grid()
    reading = read_plan(model, Plan(values={}))

    assert reading.values.tolist() == [0, 0, 0, 0, -1, -1, 0]
    assert reading.missing == ["x[a, 1]", "x[a, 2]", "x[b, 1]", "x[b, 2]", "level[0.5]", "level[2]", "total"]


def test_labels_out_of_a_file() -> None:
    model = grid()
    reading = read_plan(
        model,
        Plan(
            values={
                "x": [(("a", "1"), 1.0), ((" b ", "2.0"), 2.0), (("b", "01"), 3.0)],
                "level": [(("0.50",), -1.0), (("2.0",), -2.0)],
            }
        ),
    )

    assert reading.values.tolist() == [1, 0, 0, 2, -1, -2, 0]
    assert reading.unknown == ["x[b, 01]"]
    assert reading.missing == ["x[a, 2]", "x[b, 1]", "total"]


def test_labels_that_could_be_two_are_not_guessed() -> None:
    model = built(
        families="x: dict[str, Var] = integer(over=lambda d: ['1', 1, '2'])",
        body="return []",
        objective="return 0",
    )
    reading = read_plan(model, Plan(values={"x": [(("1",), 5.0), ((1,), 6.0), (("1.0",), 7.0), ((2,), 8.0)]}))

    assert reading.values.tolist() == [5, 6, 8]
    assert reading.unknown == ["x[1.0]"]


def test_names_nobody_knows_and_names_given_twice() -> None:
    values = {"x": [(("a", 1), 1.0), (("a", 1), 2.0), (("z", 1), 1.0)], "y": [(("a",), 1.0)], "w": []}
    reading = read_plan(grid(), Plan(values=values))

    assert reading.values[0] == 1
    assert reading.unknown == ["x[a, 1]", "x[z, 1]", "y[a]", "w"]


def test_no_objective() -> None:
    model = load_model(source().replace('    @objective("maximize")\n', ""), next(NAMES))
    assert priced(build(model, model.data_class()), x=[]).objective is None


def test_soft_rows_may_be_missed() -> None:
    found = priced(built(mark="@constraint(priority='B')"), x=[(("a",), 9.0), (("b",), 9.0)])

    assert found.soft == ["rule"]
    assert [row.violation for row in found.rows] == [14]
    assert found.feasible


@given(worth=st.lists(st.integers(-9, 9), min_size=2, max_size=2), limit=st.integers(0, 20))
def test_what_the_solver_finds_is_priced_the_same_and_kept(worth: list[int], limit: int) -> None:
    body = f"return pulp.lpSum(v.x[i] for i in d.names) <= {limit}"
    model = built(body=body, objective=f"return {worth[0]} * v.x['a'] + {worth[1]} * v.x['b']")
    solved = solve(model.linear, SolveParameters())
    assert solved.values is not None
    plan = Plan(values={"x": [(("a",), float(solved.values[0])), (("b",), float(solved.values[1]))]})
    found, _ = price(model, read_plan(model, plan))

    assert found.objective == solved.outcome.objective
    assert found.feasible
