"""The mistakes people and language models make in a model file, and what each is told."""

import pytest
from building_models import built, failure, source

from decision_ai.errors import ProgramError
from decision_ai.modeling.loading import load_model
from decision_ai.solving.blame import BuildFailure
from decision_ai.solving.building import build
from decision_ai.solving.explaining import nearest, signature, takes

pytestmark = pytest.mark.core

GRID = (
    "x: dict[tuple[str, int], Var] = continuous(over=lambda d: [(i, t) for i in d.names for t in range(2)])"
)
SCALAR = "x: Var = integer()"


RULES = [
    # a family is not a variable
    ("return v.x <= 4", "whole_family", "x is a whole family", "lpSum(x.values())"),
    ("return v.x == 4", "whole_family", "x is a whole family", "x['a']"),
    ("return 2 * v.x <= 4", "whole_family", "x is a whole family", "x['a']"),
    ("return v.x('a') <= 4", "whole_family", "x is a whole family", "x['a']"),
    ("return v.x.a <= 4", "unknown_name", "has no 'a'", "['a']"),
    # what is no number
    ("return v.x['a'] <= d.worth", "not_a_number", "a dict", "data.demand[i]"),
    ("return v.x['a'] == [1, 2]", "not_a_number", "a list", "lpSum"),
    ("return v.x['a'] + d.worth <= 4", "not_a_number", "a dict", "data.demand[i]"),
    ("return v.x['a'] <= 'b'", "not_a_number", "a str", "without quotes"),
    ("return '3' * v.x['a'] <= 1", "not_a_number", "a str", "without quotes"),
    ("return pulp.lpSum(d.names) <= 1", "not_a_number", "a str", "data.demand[i]"),
    ("return pulp.lpSum(v.x.values) <= 4", "not_a_number", "method", "call it with (...)"),
    ("return None * v.x['a'] <= 1", "missing_value", "None", "data"),
    ("return v.x['a'] <= float('inf')", "not_finite", "finite", None),
    ("return float('nan') * v.x['a'] <= 1", "not_finite", "NaN", "finite"),
    # dicts
    ("return pulp.lpSum(w * v.x[i] for i, w in d.worth) <= 4", "exception", "unpack", ".items()"),
    ("return pulp.lpDot([1, 2, 3], v.x.values()) <= 4", "exception", "zip()", "same length"),
    ("return sum(v.x) <= 4", "exception", "+: 'int' and 'str'", ".values()"),
    ("return v.x['a'] <= d['size']", "exception", "not subscriptable", "with a dot"),
    ("return v.x['a'] <= d.worth.a", "unknown_name", "a dict has no 'a'", "square brackets"),
    ("return v.x['A'] <= 1", "wrong_index", "it has x['a']", "'a'"),
    ("return v.x['a'] <= d.worth['A']", "unknown_name", "no key 'A'", "'a'"),
    # names
    ("return x['a'] <= 1", "unknown_name", "no name 'x'", "v.x"),
    ("return v.x['a'] <= size", "unknown_name", "no name 'size'", "d.size"),
    ("return v.x['a'] <= data.size", "unknown_name", "no name 'data'", "self, d, v"),
    ("prob += v.x['a'] <= 1", "unknown_name", "'prob' is read before", "returns its comparison"),
    # functions
    ("return max(v.x['a'], v.x['b']) <= 3", "nonlinear", "greatest", "continuous variable"),
    ("return min(v.x.values()) >= 3", "nonlinear", "least", "continuous variable"),
    ("return sorted(v.x.values())[0] <= 3", "nonlinear", "no order", "data"),
    ("return abs(v.x['a'] - v.x['b']) <= 3", "nonlinear", "absolute value", ">= minus"),
    ("return round(v.x['a']) <= 3", "nonlinear", "a function of variables", "integer variable"),
    ("return int(v.x['a']) <= 3", "nonlinear", "a function of variables", "integer variable"),
    ("return pow(v.x['a'], 2) <= 3", "nonlinear", "power", "binary"),
    ("return v.x['a'] % 2 == 0", "nonlinear", "quotient", "binary"),
    ("return sum(1 for _ in range(v.x['a'])) <= 3", "nonlinear", "a function of variables", None),
    # what cannot be decided yet
    ("return v.x['a'] <= 1 and v.x['b'] <= 1", "no_value", "not true or false", "one by one"),
    ("return not v.x['a'] <= 1", "no_value", "not true or false", "one by one"),
    ("return v.x['a'] in [0, 1]", "no_value", "not true or false", "binary variable"),
    ("return v.x['b'] * (1 if v.x['a'] > 0 else 0) <= 1", "no_value", "cannot decide", "binary"),
    ("return pulp.lpSum(1 for i in d.names if v.x[i] > 0) <= 1", "no_value", "cannot decide", "binary"),
    ("return v.x['b'] * v.x['a'].value() <= 1", "no_value", "no value", "solution_to_str"),
    ("return v.x['b'] * v.x['a'].varValue <= 1", "missing_value", "None", "no value while"),
    ("return (v.x['a'] <= 1) & (v.x['b'] <= 1)", "not_a_constraint", "&", "by itself"),
    ("return (v.x['a'] >= 1) >> (v.x['b'] >= 1)", "not_a_constraint", ">>", "binary variable"),
    # rows
    ("return [v.x[i] <= 1 for i in d.names]", "not_a_constraint", "(index, comparison) pairs", "alone"),
    ("return 'a', v.x['a'] <= 1", "not_a_constraint", "(index, comparison) pairs", "alone"),
    ("yield v.x['a'] <= 1, 'cap'", "not_a_constraint", "the index comes first", "yield i,"),
    ("return v.x['a'] <= 1, v.x['b'] <= 1", "not_a_constraint", "(index, comparison) pairs", "alone"),
    ("yield v.x['a'] <= 1, v.x['b'] <= 1", "not_a_constraint", "with an index each", "yield 'first'"),
    ("assert d.size > 5, 'too small'", "exception", "assertion does not hold: too small", None),
    ("return self.rule(d, v)", "exception", "without end", None),
]


@pytest.mark.parametrize(("body", "error_type", "message", "hint"), RULES)
def test_wrong_rules(body: str, error_type: str, message: str, hint: str | None) -> None:
    error = failure(body=body)

    assert (error.component, error.component_id, error.line) == ("constraint", "rule", 20)
    assert error.source_line == body
    assert (error.error_type, message in error.message) == (error_type, True), error
    assert hint is None or hint in (error.hint or ""), error


@pytest.mark.parametrize(
    ("families", "body", "message", "hint"),
    [
        (GRID, "return v.x[1, 'a'] <= 1", "x[1, 'a']: the family has no such", "another order: x['a', 1]"),
        (GRID, "return v.x['a', 2] <= 1", "no such member; it has x['a', 0]", "('a', 1)"),
        (GRID, "return v.x['a'][1] <= 1", "takes 2 labels, as in x['a', 0]", None),
        (SCALAR, "return v.x['a'] <= 1", "takes no index", "over"),
    ],
)
def test_wrong_indices(families: str, body: str, message: str, hint: str | None) -> None:
    error = failure(families=families, body=body, objective="return 0")

    assert (error.component_id, error.error_type, error.line) == ("rule", "wrong_index", 20)
    assert message in error.message
    assert hint is None or hint in (error.hint or "")


@pytest.mark.parametrize(
    ("family", "error_type", "message", "hint"),
    [
        ("integer(over=lambda: ['a'])", "wrong_arguments", "takes ()", "lambda data"),
        ("integer(over=lambda d, v: ['a'])", "wrong_arguments", "takes (d, v)", "lambda data"),
        (
            "integer(over=lambda d: d.names, upper=lambda d, i, t: 3)",
            "wrong_arguments",
            "1 label",
            "(data, i",
        ),
        ("integer(over=lambda d: None)", "exception", "not None", None),
        ("integer(over=lambda d: ['a', ('b', 1)])", "wrong_index", "different lengths", "two families"),
        ("integer(over=lambda d: [['a', 1]])", "wrong_index", "cannot label", "give tuples"),
        ("integer(over=lambda d: [frozenset('ab')])", "wrong_index", "cannot label", None),
    ],
)
def test_wrong_families(family: str, error_type: str, message: str, hint: str | None) -> None:
    error = failure(families=f"x: dict[str, Var] = {family}")

    assert (error.component, error.component_id, error.line) == ("variable", "x", 13)
    assert (error.error_type, message in error.message) == (error_type, True), error
    assert hint is None or hint in (error.hint or ""), error


@pytest.mark.parametrize(
    ("objective", "message", "hint"),
    [
        ("return v.x['a'] <= 3", "a comparison", "the expression alone"),
        ("return [v.x[i] for i in d.names]", "a list", "lpSum"),
        ("return v.x", "a dict", "lpSum"),
        ("yield v.x['a']", "a generator", "lpSum"),
    ],
)
def test_wrong_objectives(objective: str, message: str, hint: str) -> None:
    error = failure(objective=objective)

    assert (error.component_id, error.error_type, error.line) == ("total", "not_an_expression", 25)
    assert message in error.message
    assert hint in (error.hint or "")


@pytest.mark.parametrize(
    ("right", "wrong", "component_id"),
    [
        ("def rule(self, d, v)", "def rule(d, v)", "rule"),
        ("def rule(self, d, v)", "def rule(self, d, v, i)", "rule"),
        ("def total(self, d, v)", "def total(self, v)", "total"),
    ],
)
def test_wrong_parameters(right: str, wrong: str, component_id: str) -> None:

    model = load_model(source().replace(right, wrong), "parameters")
    with pytest.raises(BuildFailure, match="must take \\(self, data, v\\), not \\(") as caught:
        build(model, model.data_class())
    report = caught.value.report
    assert (report.component_id, report.error_type) == (component_id, "wrong_arguments")


@pytest.mark.parametrize("change", ["v.x['a'].upBound = 3", "v.x['a'].lowBound = 1", "v.x['a'].bounds(0, 3)"])
def test_bounds_that_would_be_lost(change: str) -> None:
    error = failure(body=f"{change}\nreturn v.x['a'] <= 1")

    assert (error.component, error.component_id, error.error_type) == ("variable", "x", "bad_bounds")
    assert "upper=" in (error.hint or "")


def test_bounds_that_are_kept() -> None:
    families = (
        "x: dict[str, Var] = continuous(over=lambda d: d.names, lower=None)\ny: Var = binary(enabled=False)"
    )
    assert built(families=families).linear.columns == 3


@pytest.mark.parametrize(
    ("right", "wrong", "component", "line", "message", "hint"),
    [
        ("@constraint()", "@constraint", "constraint", 17, "brackets", None),
        ('@objective("maximize")', "@objective", "objective", 22, "brackets", None),
        ('@objective("maximize")', '@objective("max")', "objective", 22, "'maximize', not 'max'", None),
        ("@constraint()", "@constraint(priority='a')", "constraint", 17, "'A', 'B' or 'C', not 'a'", None),
        ("@constraint()", "@constraint(soft=True)", "constraint", 17, "'soft'", "priority"),
        ("upper=9", "upBound=9", "variable", 13, "'upBound'", "upper"),
        ("integer(over=lambda d: d.names", "binary(lambda d: d.names", "variable", 13, "binary()", "over"),
        ("over=lambda d: d.names", "over=['a']", "variable", 13, "a function of the data", None),
        ("= integer(", "= Integer(", "variable", 13, "'Integer'", "'integer'"),
        (
            "size: int = 2",
            "size: Annotated[int, 3] = 2",
            "input_data",
            9,
            "'Annotated'",
            "from typing import",
        ),
        ("OptModel[D, V]", "OptModel[V, D]", "program", 16, "must derive from InputData", None),
    ],
)
def test_wrong_declarations(
    right: str, wrong: str, component: str, line: int, message: str, hint: str | None
) -> None:
    with pytest.raises(ProgramError) as caught:
        load_model(source().replace(right, wrong, 1), "declarations")
    report = caught.value.report
    assert (report.component, report.line, message in report.message) == (component, line, True), report
    assert hint is None or hint in (report.hint or ""), report


def test_nearest_looks_past_the_case() -> None:
    assert nearest("TENT", ["Tent", "Stove"]) == "did you mean 'Tent'?"
    assert nearest(1, ["1"]) == "did you mean '1'?"
    assert nearest("zzz", ["Tent"]) is None


def test_what_a_function_takes() -> None:
    assert takes(lambda a, b=1: a, 1)
    assert not takes(lambda a, b: a, 1)
    assert takes(max, 1)
    assert signature(lambda a, b: a) == "(a, b)"
