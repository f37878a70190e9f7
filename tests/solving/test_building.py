"""Building a model file: what comes out, and whose fault it is when it does not build."""

import math

import numpy as np
import pytest
from building_models import NAMES, built, failure, source

from decision_ai.modeling.loading import load_model
from decision_ai.solving.answers import Point
from decision_ai.solving.blame import BuildFailure
from decision_ai.solving.building import build
from decision_ai.solving.outcome import Plan

pytestmark = pytest.mark.core


def test_arrays() -> None:
    linear = built(objective="return 10 + pulp.lpSum(d.worth[i] * v.x[i] for i in d.names)").linear

    assert linear.sense == "maximize"
    assert linear.offset == 10
    assert linear.cost.tolist() == [2, 3]
    assert linear.upper.tolist() == [9, 9]
    assert linear.integral.all()
    assert (linear.row_lower.tolist(), linear.row_upper.tolist()) == ([-math.inf], [4])
    assert (linear.start.tolist(), linear.index.tolist(), linear.value.tolist()) == ([0, 2], [0, 1], [1, 1])


@pytest.mark.parametrize(
    ("body", "lower", "upper"),
    [
        ("return v.x['a'] + 3 <= 2 * v.x['b'] + 5", -math.inf, 2),
        ("return v.x['a'] - v.x['b'] >= -1", -1, math.inf),
        ("return 4 == v.x['a'] + v.x['b']", 4, 4),
        ("return v.x['a'] == v.x['b']", 0, 0),
        ("return v.x['a'] <= 4", -math.inf, 4),
        ("return 4 >= v.x['a']", -math.inf, 4),
    ],
)
def test_one_row(body: str, lower: float, upper: float) -> None:
    linear = built(body=body).linear
    assert (linear.row_lower.tolist(), linear.row_upper.tolist()) == ([lower], [upper])


@pytest.mark.parametrize(
    "body",
    [
        "for i in d.names:\n    yield i, v.x[i] <= 1",
        "return [(i, v.x[i] <= 1) for i in d.names]",
        "return ((i, v.x[i] <= 1) for i in d.names)",
        "return {i: v.x[i] <= 1 for i in d.names}",
    ],
)
def test_many_rows(body: str) -> None:
    model = built(body=body)

    assert model.row_keys == [("rule", ("a",)), ("rule", ("b",))]
    assert model.description.constraints["rule"].indices == [("a",), ("b",)]


def test_a_family_may_have_any_name() -> None:
    made = built(families="cls: Var = binary()", body="return v.cls <= 1", objective="return v.cls")

    assert list(made.families) == ["cls"]


def test_families() -> None:
    families = (
        "x: dict[str, Var] = integer(over=lambda d: d.names, upper=9)\n"
        "flow: dict[tuple[str, int], Var] = continuous(\n"
        "    over=lambda d: [(i, t) for i in d.names for t in range(2)],\n"
        "    lower=lambda d, i, t: -t, upper=lambda d, i, t: d.worth[i] + t)\n"
        "total: Var = continuous(lower=None, upper=lambda d: d.size)\n"
        "on: Var = binary(enabled=False)"
    )
    model = built(families=families, body="return v.flow['a', 1] + v.total + v.on <= 4")
    lower, upper = model.linear.lower.tolist(), model.linear.upper.tolist()

    assert model.description.families["flow"].indices == [("a", 0), ("a", 1), ("b", 0), ("b", 1)]
    assert model.description.families["total"].indices == [()]
    assert lower == [0, 0, 0, -1, 0, -1, -math.inf, 0]
    assert upper == [9, 9, 2, 3, 3, 4, 2, 0]
    plan = Point.at(model, np.arange(8.0)).plan(model.description)
    assert plan.family("flow") == {("a", 0): 2, ("a", 1): 3, ("b", 0): 4, ("b", 1): 5}
    assert model.start_values(plan).tolist() == list(range(8))


def test_start_of_another_version() -> None:
    start = built().start_values(Plan(values={"x": [(("b",), 3.0), (("z",), 1.0)], "gone": [((), 1.0)]}))

    assert math.isnan(start[0])
    assert start[1] == 3


def test_switched_off() -> None:
    model = built(mark="@constraint(enabled=False)", body="return undefined")

    assert model.description.constraints == {}
    assert model.linear.rows == 0


def test_values_reach_the_program() -> None:
    assert built().solution_to_str(np.array([1.0, 4.0])) == "a=1 b=4"
    total = "return str(pulp.value(pulp.lpSum(v.x.values()) + 1))"
    assert float(built(text=total).solution_to_str(np.array([1.0, 4.0]))) == 6


def test_rows_that_hold_whatever_the_plan_is() -> None:
    body = "for t in range(3):\n    yield t, pulp.lpSum(v.x[i] for i in d.names[:t]) <= 3"
    assert built(body=body).linear.rows == 3
    plain = "for t in range(3):\n    yield t, sum(v.x[i] for i in d.names[:t]) <= 3"
    assert built(body=plain).row_keys == [("rule", (1,)), ("rule", (2,))]


@pytest.mark.parametrize(
    ("body", "error_type", "line", "hint"),
    [
        ("return v.y['a'] <= 1", "unknown_name", 20, None),
        ("return v.x['a'] <= d.sise", "unknown_name", 20, "size"),
        ("return v.x['a'] <= siz", "unknown_name", 20, None),
        ("return v.x['a'] <= d.worth['c']", "unknown_name", 20, None),
        ("return v.x['a', 1] <= 1", "wrong_index", 20, None),
        ("return v.x['bb'] <= 1", "wrong_index", 20, "'b'"),
        ("return v.x['a'] <= d.names[7]", "wrong_index", 20, None),
        ("return v.x['a'] * v.x['b'] <= 1", "nonlinear", 20, None),
        ("return v.x['a'] ** 2 <= 1", "nonlinear", 20, None),
        ("return v.x['a'] / v.x['b'] <= 1", "nonlinear", 20, None),
        ("return 1 / v.x['b'] <= 1", "nonlinear", 20, None),
        ("pulp.lpSum(v.x.values()) <= 4", "not_a_constraint", None, None),
        ("return pulp.lpSum(v.x.values())", "not_a_constraint", None, None),
        ("return v.x['a']", "not_a_constraint", None, None),
        ("return 7", "not_a_constraint", None, None),
        ("return 'x <= 1'", "not_a_constraint", None, None),
        ("for i in d.names:\n    yield v.x[i] <= 1", "not_a_constraint", None, None),
        ("for i in d.names:\n    yield i, v.x[i]", "not_a_constraint", 21, None),
        ("return d.size <= 3", "constant_constraint", None, None),
        ("return d.size <= 1", "constant_constraint", None, None),
        ("return pulp.lpSum([]) <= 3", "constant_constraint", None, None),
        ("return pulp.lpSum([]) >= 3", "constant_constraint", None, None),
        ("return v.x['a'] - v.x['a'] >= 3", "constant_constraint", None, None),
        ("for i in d.names:\n    yield i, pulp.lpSum([]) >= 3", "constant_constraint", 21, None),
        ("for i in d.names:\n    yield 'a', v.x[i] >= 3", "duplicate_row", 21, None),
        ("for i in d.names:\n    yield [i], v.x[i] >= 3", "wrong_index", 21, None),
        ("return v.x['a'] <= float('inf')", None, None, None),
        ("return v.x['a'] <= float('nan')", None, None, None),
        ("return 1e400 * v.x['a'] <= 1", None, 20, None),
        ("return 0 <= v.x['a'] <= 3", "no_value", 20, "two constraints"),
        ("if v.x['a']:\n    return v.x['b'] <= 3", "no_value", 20, "binary variable"),
        ("raise ValueError('own words')", "exception", 20, None),
    ],
)
def test_wrong_constraints(body: str, error_type: str | None, line: int | None, hint: str | None) -> None:
    error = failure(body=body)

    assert (error.component, error.component_id) == ("constraint", "rule")
    if error_type is not None:
        assert error.error_type == error_type, error
    if line is not None:
        assert error.line == line, error
    if error.line is not None:
        assert error.source_line
    if hint is not None:
        assert hint in (error.hint or "")


@pytest.mark.parametrize(
    ("family", "error_type"),
    [
        ("x: dict[str, Var] = binary(over=lambda d: d.nams)", "unknown_name"),
        ("x: dict[str, Var] = binary(over=lambda d: ['a', 'a'])", "wrong_index"),
        ("x: dict[str, Var] = binary(over=lambda d: [['a']])", "wrong_index"),
        ("x: dict[str, Var] = binary(over=lambda d: [d])", "wrong_index"),
        ("x: dict[str, Var] = binary(over=lambda d: d.size)", "exception"),
        ("x: dict[str, Var] = binary(over=lambda d: 'ab')", "exception"),
        ("x: dict[int, Var] = binary(over=lambda d: range(10**8))", "too_large"),
        ("x: dict[str, Var] = integer(over=lambda d: d.names, lower=3, upper=2)", "bad_bounds"),
        ("x: dict[str, Var] = integer(over=lambda d: d.names, upper=lambda d, i: 'much')", "bad_bounds"),
        ("x: dict[str, Var] = integer(over=lambda d: d.names, upper=float('nan'))", "bad_bounds"),
        ("x: dict[str, Var] = integer(over=lambda d: d.names, lower=float('inf'))", "bad_bounds"),
        (
            "x: dict[str, Var] = integer(over=lambda d: d.names, upper=lambda d, i: d.worth['z'])",
            "unknown_name",
        ),
    ],
)
def test_wrong_families(family: str, error_type: str) -> None:
    error = failure(families=family)

    assert (error.component, error.component_id) == ("variable", "x")
    assert error.error_type == error_type, error


@pytest.mark.parametrize(
    ("objective", "error_type"),
    [
        ("return None", "not_an_expression"),
        ("return v.x['a'] <= 3", "not_an_expression"),
        ("return v.x['a'] * v.x['a']", "nonlinear"),
        ("return pulp.lpSum(v.x[i] for i in d.nam)", "unknown_name"),
    ],
)
def test_wrong_objectives(objective: str, error_type: str) -> None:
    error = failure(objective=objective)

    assert (error.component, error.component_id) == ("objective", "total")
    assert error.error_type == error_type, error


@pytest.mark.parametrize("objective", ["return v.x['a']", "return 3", "return 0"])
def test_plain_objectives(objective: str) -> None:
    assert built(objective=objective).linear.columns == 2


@pytest.mark.parametrize("text", ["return 3", "return v.nothing", "raise SystemExit"])
def test_wrong_words(text: str) -> None:
    model = built(text=text)
    with pytest.raises(BuildFailure) as caught:
        model.solution_to_str(np.zeros(2))
    assert caught.value.report.component == "solution_to_str"


def test_variable_of_somewhere_else() -> None:
    lines = (
        "M.kept = problem = pulp.LpProblem('other')",
        "other = problem.add_variable('c0', 0, 1)",
        "return other <= 1",
    )
    assert failure(body="\n".join(lines)).error_type == "foreign_variable"


def test_a_failing_constructor_is_the_programs_fault() -> None:
    text = source().replace(
        "    @constraint", "    def __init__(self):\n        self.k = nothing\n\n    @constraint", 1
    )
    model = load_model(text, next(NAMES))
    with pytest.raises(BuildFailure) as caught:
        build(model, model.data_class())
    assert caught.value.report.component == "program"
    assert caught.value.report.line == 18
