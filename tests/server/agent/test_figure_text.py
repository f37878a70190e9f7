"""Every way to write a figure in digits, and what it means."""

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.agent.figure_text import figures_in


def read(text):
    return [(one.sign, *((r.value, r.kind) for r in one.readings)) for one in figures_in(text)]


@pytest.mark.parametrize(
    ("text", "value", "slack"),
    [
        ("104", 104, 0.5),
        ("104.0", 104, 0.05),
        ("1,234.5", 1234.5, 0.05),
        ("1,234", 1234, 0.5),
        ("1 234 567", 1234567, 0.5),
        ("1'234", 1234, 0.5),
        ("1_234", 1234, 0.5),
        ("12,34,567", 1234567, 0.5),
        ("1.234.567", 1234567, 0.5),
        ("1.234,5", 1234.5, 0.05),
        ("1.234", 1.234, 0.0005),
        ("0,123", 0.123, 0.0005),
        ("1,5", 1.5, 0.05),
        (".5", 0.5, 0.05),
        ("1.04e2", 104, 0.5),
        ("1.04 \u00d7 10^2", 104, 0.5),
        ("10^3", 1000, 0),
        ("1.2k", 1200, 50),
        ("1.2 M", 1.2e6, 5e4),
        ("3bn", 3e9, 5e8),
        ("2 million", 2e6, 5e5),
        ("3 hundred thousand", 3e5, 5e4),
        ("2 dozen", 24, 6),
        ("2 grand", 2e3, 500),
        ("2 Tsd.", 2e3, 500),
        ("2 tausend", 2e3, 500),
        ("2mila", 2e3, 500),
        ("2 mil millones", 2e9, 5e8),
        ("2,5 Millionen", 2.5e6, 5e4),
        ("2 milhões", 2e6, 5e5),
        ("2 milliards", 2e9, 5e8),
        ("2 млн", 2e6, 5e5),
        ("5kg", 5, 0.5),
        ("5x", 5, 0.5),
        ("0 million", 0, 0.5),
    ],
)
def test_a_number_and_how_far_a_result_may_be_from_it(text, value, slack):
    (figure,) = figures_in(text)
    (reading,) = figure.readings

    assert text.startswith(figure.text)
    assert (reading.value, reading.slack) == pytest.approx((value, slack))
    assert reading.kind == "number"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12%", 12),
        ("12.5 %", 12.5),
        ("3‰", 0.3),
        ("25 bps", 0.25),
        ("5 per cent", 5),
        ("2 pp", 2),
        ("5-percent", 5),
    ],
)
def test_percentages(text, value):
    assert read(text) == [(0, (pytest.approx(value), "percent"))]


@pytest.mark.parametrize(
    ("text", "value"), [("1/3", 1 / 3), ("2 1/2", 2.5), ("3 / 4", 0.75), ("2 thirds", 2 / 3), ("1 half", 0.5)]
)
def test_fractions(text, value):
    assert read(text) == [(0, (pytest.approx(value), "fraction"))]


def test_a_fraction_of_nothing_has_no_meaning():
    assert read("1/0") == [(0,)]


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("-5", [-1]),
        ("is -5.", [-1]),
        ("€-5 -€5", [-1, -1]),
        ("is \u22125, is \u2212 5", [-1, -1]),
        ("minus 5, negative five", [-1, -1]),
        ("+5", [1]),
        ("3-5", [0, 0]),
        ("a plan - 5 in all", [0]),
        ("x\u2212 5", [0]),
        ("- 5", [0]),
        ("<=-5", [-1]),
    ],
)
def test_signs(text, signs):
    assert [one.sign for one in figures_in(text)] == signs


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("3,4,5", [3, 4, 5]),
        ("1, 2", [1, 2]),
        ("3/7/2024", [3, 7, 2024]),
        ("2024-05-01", [2024, 5, 1]),
        ("10:30", [10, 30]),
        ("v1.5.2", [1.5, 2]),
        ("at_most_4", [4]),
        ("4x4", [4, 4]),
        ("7 m^2, x^3, y^{2}, z^4, m^25", [7, 4, 25]),
        ("|7|8|", [7, 8]),
        ("1 in 3", [1, 3]),
        ("two and 3", [2, 3]),
        ("1,234,5", [1, 234, 5]),
        ("the 1st and the 22nd, not 3 rd", [3]),
        ("2/5th", [0.4]),
    ],
)
def test_several_figures(text, values):
    assert [one.readings[0].value for one in figures_in(text)] == values


def test_a_letter_may_be_a_unit_or_a_suffix_unless_it_is_money():
    assert read("5m") == [(0, (5.0, "number"), (5e6, "number"))]
    assert read("€5m") == [(0, (5e6, "number"))]
    assert read("5 M€") == [(0, (5e6, "number"))]
    assert read("5 T€") == [(0, (5e12, "number"))]
    assert read("$5 m$")[0][1:] == ((5e6, "number"),)
    assert read("5 m$") == [(0, (5.0, "number"), (5e6, "number"))]


@given(st.text(alphabet="0123456789.,'_ -+/%^eEkMm€x\u00d7‰{}ab\n"))
def test_any_row_of_characters_can_be_read(text):
    for one in figures_in(text):
        assert 0 <= one.start < one.end <= len(text)
        assert all(reading.value >= 0 for reading in one.readings)


@given(st.text(alphabet="0123456789., -/%kx\n"))
def test_no_digit_is_overlooked(text):
    found = {place for one in figures_in(text) for place in range(one.start, one.end)}

    assert {place for place, one in enumerate(text) if one.isdigit()} <= found
