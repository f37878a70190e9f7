"""Arithmetic with named figures."""

from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.agent.arithmetic import BadExpression, Sources, evaluate
from decision_ai_server.agent.placeholders import UnknownPlaceholder

SOURCES = Sources(
    figures={
        "solve.objective": 104.0,
        "compare.objective_b": 98.0,
        "show_data.Big tent.weight": 7.5,
        "a.b.c": 3,
        "solve.outcome": "optimal",
        "zero.value": 0,
        "huge.value": 1e300,
    },
    is_known=lambda number: number in (2, 100),
)


@pytest.mark.parametrize(
    ("expression", "value", "percent"),
    [
        ("solve.objective - compare.objective_b", 6, None),
        ("-(solve.objective + a.b.c) * 2 / +100", -2.14, None),
        ("{show_data.Big tent.weight} * 2", 15, None),
        ("percent_change(solve.objective, compare.objective_b)", 600 / 98, 600 / 98),
        ("round(percent_change(solve.objective, compare.objective_b), 1)", 6.1, 6.1),
        ("share(compare.objective_b, solve.objective)", 98 / 104, 9800 / 104),
        ("share(compare.objective_b, solve.objective) * 2", 196 / 104, None),
        ("percent_change(-a.b.c, -solve.objective)", 10100 / 104, 10100 / 104),
        ("min(solve.objective, a.b.c) + max(a.b.c, zero.value)", 6, None),
        ("sum(solve.objective, a.b.c)", 107, None),
        ("mean(solve.objective, compare.objective_b)", 101, None),
        ("abs(compare.objective_b - solve.objective)", 6, None),
        ("round(solve.objective / a.b.c, 2)", 34.67, None),
        ("round(solve.objective / a.b.c)", 35, None),
    ],
)
def test_what_can_be_computed(expression, value, percent):
    computed = evaluate(expression, SOURCES)

    assert computed.value == pytest.approx(value)
    assert computed.percent == (None if percent is None else pytest.approx(percent))


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("solve.objective / zero.value", "divides by zero"),
        ("share(a.b.c, zero.value)", "divides by zero"),
        ("huge.value * huge.value", "too large"),
        ("solve.objective - 98", "98 is in no result of this turn and the person did not say it"),
        ("solve.outcome", "solve.outcome is the word 'optimal', not a number"),
        ("solve.objective ** 2", "only figures by name"),
        ("__import__('os').system('true')", "only figures by name"),
        ("abs.__class__", "there is no figure"),
        ("[1][0]", "only figures by name"),
        ("solve.objective if 2 else 2", "only figures by name"),
        ("True", "only figures by name"),
        ("sum(*a)", "only figures by name"),
        ("min(a.b.c, key=abs)", "only figures by name"),
        ("min()", "min takes at least 1 arguments, not 0"),
        ("share(a.b.c)", "share takes 2 arguments, not 1"),
        ("round(a.b.c, a.b.c)", "round takes a number of decimals"),
        ("(2).real", "a figure goes by its name"),
        ("solve.objective -", "is no arithmetic"),
        ("(" * 400, "is no arithmetic"),
        ("2" * 501, "more than 500 characters"),
        ("9" * 400 + "/2", None),
        ("\x00", "is no arithmetic"),
    ],
)
def test_what_cannot(expression, words):
    with pytest.raises((BadExpression, UnknownPlaceholder), match=words):
        evaluate(expression, SOURCES)


def test_an_unknown_figure_is_told_with_those_like_it():
    with pytest.raises(UnknownPlaceholder, match=r"there are \{solve\.objective\}"):
        evaluate("solve.objectiv + 2", SOURCES)


@given(st.text(alphabet="solve.objective{}()+-*/, 2 share\n"))
def test_any_text_is_computed_or_refused(text):
    with suppress(BadExpression, UnknownPlaceholder):
        evaluate(text, SOURCES)


@pytest.mark.parametrize("written", ["0x69", "1_05", "105.0"])
def test_a_number_that_is_not_known_is_named_as_it_was_written(written):
    with pytest.raises(BadExpression, match=f"^{written} is in no result"):
        evaluate(f"solve.objective + {written}", SOURCES)
