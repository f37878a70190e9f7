import pytest
from hypothesis import given, strategies as st

from decision_ai.tabular.number_texts import (
    Mark,
    common_mark,
    is_ambiguous,
    number_and_unit,
    speaks_for,
    value,
    without_signs,
)


@pytest.mark.parametrize(
    ("text", "mark", "number"),
    [
        ("1.234,5", ",", 1234.5),
        ("1,234.5", ".", 1234.5),
        ("1 234,5", ",", 1234.5),
        ("1\u202f234", ".", 1234),
        ("1'234.5", ".", 1234.5),
        ("-12", ".", -12),
        (".5", ".", 0.5),
        ("5,", ",", 5.0),
        ("1e3", ".", 1000.0),
        ("1.234", ",", 1234),
        ("1.234", ".", 1.234),
        ("12.34.5", ".", None),
        ("1,23,456", ".", None),
        ("0.125", ",", None),
        ("", ".", None),
        ("1e999", ".", None),
        ("٣", ".", None),
    ],
)
def test_numbers_under_a_decimal_mark(text: str, mark: Mark, number: float | None) -> None:
    assert value(text, mark) == number


def test_which_mark_a_text_speaks_for() -> None:
    texts = ("1.5", "1,5", "0.125", "1.234.567", "12", "1.234")
    assert [speaks_for(text) for text in texts] == [".", ",", ".", ",", None, None]
    assert [text for text in texts if is_ambiguous(text)] == ["1.234"]
    assert common_mark(["1.234", "2.5"]) == "."
    assert common_mark(["1.5", "1,5"]) is None
    assert common_mark(["1.5", "box"]) is None


@pytest.mark.parametrize(
    ("text", "digits", "percent", "money"),
    [
        ("25 %", "25", True, ""),
        ("€ 12,50", "12,50", False, "€"),
        ("12 EUR", "12", False, "EUR"),
        ("-$5", "-5", False, "$"),
        ("\u22125", "-5", False, ""),
        ("12", "12", False, ""),
    ],
)
def test_signs_of_percent_and_money_are_taken_off(text: str, digits: str, percent: bool, money: str) -> None:
    written = without_signs(text)
    assert (written.digits, written.percent, written.money) == (digits, percent, money)


def test_numbers_with_units_are_known() -> None:
    assert number_and_unit("12.5 kg") == ("12.5", "kg")
    assert number_and_unit("12kg/m²") == ("12", "kg/m²")
    assert number_and_unit("box") is None
    assert number_and_unit("12") is None


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([".", ","]))
def test_every_number_comes_back(number: float, mark: Mark) -> None:
    assert value(repr(number).replace(".", mark), mark) == number
