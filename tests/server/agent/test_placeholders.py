"""Placeholders become figures; everything else in braces stays."""

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.agent.placeholders import (
    UnknownPlaceholder,
    fill,
    handles,
    named_figures,
    printed,
)

FIGURES = {"solve.objective": 104.0, "solve.outcome": "optimal", "show_data.Big tent.weight": 7.25}
FIGURES |= {"show_data.Line: 3": 8.0}


def test_a_tool_called_again_gets_a_number(result):
    calls = [result("solve", figures={"objective": 1.0}), result("compare"), result("solve", output="2")]

    assert list(handles(calls)) == ["solve", "compare", "solve_2"]
    assert handles(calls)["solve_2"] is calls[2]


def test_figures_go_by_handle_and_field_and_are_finite(result):
    calls = [
        result("solve", figures={"objective": 104.0, "bound": float("inf"), "outcome": "optimal"}),
        result("solve", figures={"objective": 98.5}),
    ]

    assert named_figures(calls) == {
        "solve.objective": 104.0,
        "solve.outcome": "optimal",
        "solve_2.objective": 98.5,
    }


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("It is {solve.objective}.", "It is 104."),
        ("It is {solve.objective:2} EUR ({solve.outcome}).", "It is 104.00 EUR (optimal)."),
        ("{show_data.Big tent.weight:1}", "7.2"),
        ("{{solve.objective}}", "104"),
        ("{solve.objective:.2f}, {solve.objective:,.1f}", "104.00, 104.0"),
        ("{solve.objective:,} {solve.objective:>8}", "104 104"),
        ("{show_data.Line: 3} {show_data.Line: 3:1}", "8 8.0"),
        ("{a.b: 1} {a.b: c}", None),
        (r"$x_{1} + \frac{1.5}{y_{max.load}} \le \text{max.load}$", None),
        (r"$z = \text{solve.objective}$", None),
        (r"$z = \text{{solve.objective}}$", r"$z = \text{104}$"),
        ("{} {solve} {1.5} {a b}", None),
    ],
)
def test_filling(template, text):
    expected = {r"$z = \text{solve.objective}$": r"$z = \text{104}$"}.get(template, text or template)
    assert fill(template, FIGURES) == expected


def test_an_unknown_name_is_told_with_those_like_it():
    with pytest.raises(UnknownPlaceholder) as caught:
        fill("{solve.objectiv}", FIGURES)

    assert str(caught.value) == (
        "there is no figure {solve.objectiv}; there are {solve.objective}, {solve.outcome}"
    )
    with pytest.raises(UnknownPlaceholder, match="no call of this turn has brought figures yet"):
        fill("{solve.objective}", {})


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (104.0, "104"),
        (103.99999999999997, "104"),
        (0.1 + 0.2, "0.3"),
        (-0.0, "0"),
        (-1e-7, "-1e-07"),
        (1234567.25, "1234567.25"),
        (12345678901.75, "12345678902"),
        (0.00012345678912, "0.0001234567891"),
        (3, "3"),
        (10**20, "100000000000000000000"),
        (1e20, "1e+20"),
        ("optimal", "optimal"),
    ],
)
def test_figures_are_printed_as_people_write_them(figure, text):
    assert printed(figure) == text


@pytest.mark.parametrize(
    ("figure", "decimals", "text"), [(2.345, 0, "2"), (-0.001, 2, "0.00"), (7, 2, "7.00")]
)
def test_decimals_on_demand(figure, decimals, text):
    assert printed(figure, decimals) == text


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e14, max_value=1e14))
def test_what_is_printed_is_the_figure_at_ten_digits(value):
    assert float(printed(value)) == pytest.approx(value, rel=1e-9, abs=1e-300)


@given(st.text(alphabet="{}ab1.:\\_ "))
def test_a_text_without_known_names_stays_or_is_refused(text):
    try:
        assert fill(text, {}) == text
    except UnknownPlaceholder:
        assert "." in text
