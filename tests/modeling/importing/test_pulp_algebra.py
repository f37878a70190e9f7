"""What a script computes gives the same under the installed PuLP and here."""

import warnings
from types import ModuleType
from typing import Any

import numpy as np
import pulp as real
import pytest
from hypothesis import given, strategies as st

from decision_ai.modeling.importing.pulp_algebra import LpConstraint, NotRead
from decision_ai.modeling.importing.recorder import Recorder

pytestmark = pytest.mark.core

SAME = [
    "x + 2 * y - 3",
    "-(x - y) / 4",
    "3 - x",
    "x * True - False * y",
    "(x + 1) * (y * 0 + 3)",
    "x + [y, 2, [z, z]]",
    "x + None",
    "np.float64(3) * x + np.float64(2)",
    "np.dot(np.array([1, 2, 3]), [x, y, z])",
    "pulp.lpSum(np.array([1, 2, 3]) * np.array([x, y, z]))",
    "sum([x, y, 4])",
    "pulp.lpSum([])",
    "pulp.lpSum(v for v in (x, x, 2.5))",
    "pulp.lpSum({1: x, 2: 3})",
    "pulp.lpSum([(x, 2), (y, 1)])",
    "pulp.lpDot([1, 2], [x, y])",
    "pulp.lpDot(2, [x, y])",
    "pulp.lpDot([[1, 2], [3, 4]], [[x, y], [z, x]])",
    "x <= 3",
    "x + 1 >= y - 2",
    "5 >= x",
    "5 == x",
    "np.float64(3) >= x",
    "x + y == 7",
    "x + 1 == y + 2",
    "-(x + 3) >= 2",
    "x - x + y <= 1",
    "(x + 1).copy().addInPlace(y, -1)",
    "(x + y).subInPlace([x, 2])",
]


ALIVE: list[Any] = []
"""In PuLP 4 variables end with their problem."""


def _evaluated(pulp: ModuleType, text: str) -> Any:
    problem = pulp.LpProblem("p")
    ALIVE[:] = [*ALIVE[-9:], problem]
    space = {name: problem.add_variable(name) for name in "xyz"}
    return eval(text, {"pulp": pulp, "np": np, **space})


def _shown(value: Any) -> tuple[dict[str, float], float, int | None]:
    terms = {variable.name: float(factor) for variable, factor in value.items() if factor}
    return terms, float(value.constant), getattr(value, "sense", None)


@pytest.mark.parametrize("text", SAME)
def test_an_expression_is_the_one_of_pulp(text: str) -> None:
    assert _shown(_evaluated(Recorder().module(), text)) == _shown(_evaluated(real, text))


@pytest.mark.parametrize(
    "text",
    [
        "x * y",
        "x ** 2",
        "abs(x)",
        "2 / x",
        "x / y",
        "x > 1",
        "x < y",
        "x * 'a'",
        "x * None",
        "x + float('nan')",
        "x * float('inf')",
        "x / float('nan')",
        "(x + y) * (x + 1)",
        "max(x, y)",
    ],
)
def test_what_pulp_refuses_is_refused_with_the_same_kind_of_error(text: str) -> None:
    def kind(pulp: ModuleType) -> str:
        try:
            _evaluated(pulp, text)
        except (TypeError, pulp.PulpError) as error:
            return type(error).__name__
        return "nothing"

    assert kind(Recorder().module()) == kind(real) != "nothing"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pulp.lpSum([x <= 3])", "a comparison cannot be a term of a sum"),
        ("(x <= 3) * 2", "a comparison cannot be multiplied"),
        ("x + 'text'", "a term must be a number, not str"),
        ("pulp.LpConstraint(x, 5)", "the sense of a constraint must be -1, 0 or 1"),
        (
            "pulp.LpVariable('v', cat='binary')",
            "cat must be 'Continuous', 'Integer' or 'Binary', not 'binary'",
        ),
    ],
)
def test_what_would_go_wrong_in_silence_is_refused(text: str, sentence: str) -> None:
    pulp = Recorder().module()
    with pytest.raises((TypeError, pulp.PulpError), match=sentence):
        _evaluated(pulp, text)


def test_elastic_constraints_are_not_read_whatever_a_script_catches() -> None:
    assert not issubclass(NotRead, Exception)
    with pytest.raises(NotRead, match="elastic"):
        _evaluated(Recorder().module(), "(x <= 1).makeElasticSubProblem(penalty=3)")


def test_two_variables_are_one_row_and_still_found_in_lists() -> None:
    row = _evaluated(Recorder().module(), "x == y")
    assert _shown(row) == ({"x": 1.0, "y": -1.0}, 0.0, 0)
    assert _evaluated(Recorder().module(), "y in [x, y]")
    assert not _evaluated(Recorder().module(), "z in [x, y]")
    assert not _evaluated(Recorder().module(), "x == None")
    assert not _evaluated(Recorder().module(), "{x: 1, y: 2}[y] == 1")


def test_a_chained_comparison_keeps_its_last_part_as_in_pulp_and_is_noted() -> None:
    row = _evaluated(Recorder().module(), "0 <= x <= 1")
    assert _shown(row) == ({"x": 1.0}, -1.0, -1)
    (variable,) = row
    assert "chained comparison" in variable.notices[0]


def test_a_row_keeps_a_copy_of_its_expression() -> None:
    pulp = Recorder().module()
    x, y = pulp.LpVariable("x"), pulp.LpVariable("y")
    total = x + 0
    row = total <= 3
    total += y
    assert list(row) == [x]


def test_rows_are_edited_as_in_pulp_4() -> None:
    pulp = Recorder().module()
    problem = pulp.LpProblem("p")
    x, y = problem.add_variable("x"), problem.add_variable("y")
    row: LpConstraint = problem.addConstraint(x <= 3, "r")
    row[y] = 2
    row += x
    row.changeRHS(7)
    assert _shown(row) == ({"x": 2.0, "y": 2.0}, -7.0, -1)
    assert (row.getLb(), row.getUb()) == (None, 7)
    del row[x]
    assert list(row) == [y]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["+", "-", "*"]),
            st.sampled_from("xyz012"),
            st.integers(-9, 9),
        ),
        max_size=8,
    )
)
def test_any_chain_of_operations_gives_what_pulp_gives(steps: list[tuple[str, str, int]]) -> None:
    text = "(x + 1)"
    for operator, operand, factor in steps:
        text = (
            f"({text} {operator} {factor})"
            if operator == "*"
            else f"({text} {operator} {factor} * {operand})"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert _shown(_evaluated(Recorder().module(), text)) == _shown(_evaluated(real, text))
