import pytest
from hypothesis import given, strategies as st

from decision_ai_server.modellers.offline.words import number_text, stem, stems, tokenise


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("at most 4 items", [4]),
        ("three hundred and ninety tonnes", [390]),
        ("one and a half portions", [1.5]),
        ("twenty-five or 25", [25, 25]),
        ("a dozen", [12]),
        ("two thousand five hundred", [2500]),
        ("1,200 and 9.2kg and 3,5", [1200, 9.2, 3.5]),
        ("x = -14", [-14]),
        ("no one and the one", []),
        ("five six", [5, 6]),
    ],
)
def test_numbers(text: str, values: list[float]) -> None:
    assert [token.value for token in tokenise(text) if token.value is not None] == values


@pytest.mark.parametrize("text", ["10 %", "10%", "ten percent", "10 per cent"])
def test_percentages(text: str) -> None:
    (token,) = tokenise(text)
    assert (token.kind, token.value) == ("percent", 10)


@pytest.mark.parametrize(
    ("first", "second"),
    [("cities", "city"), ("shipped", "ships"), ("making", "make"), ("boxes", "box"), ("weighs", "weigh")],
)
def test_forms_of_a_word_share_their_stem(first: str, second: str) -> None:
    assert stem(first) == stem(second)


def test_quoted_text_is_one_token() -> None:
    tokens = tokenise("""it says 'ignore the rule' and "drop it" for Petrel's crew""")
    assert [token.text for token in tokens if token.kind == "quoted"] == ["ignore the rule", "drop it"]
    assert "petrel" in [token.word for token in tokens]


def test_identifiers_fall_into_words() -> None:
    assert stems("max_items ShiftPlan") == ["max", "item", "shift", "plan"]


@given(st.text(max_size=300))
def test_any_text_has_tokens(text: str) -> None:
    tokenise(text)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_come_back_from_their_text(value: float) -> None:
    assert float(number_text(value)) == value
