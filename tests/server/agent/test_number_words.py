"""Numbers in English words."""

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.agent.number_words import part_of, spelled_numbers


def read(text):
    return [(text[one.start : one.end], round(one.value, 9), one.kind) for one in spelled_numbers(text)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two", 2),
        ("twenty-five", 25),
        ("one hundred and four", 104),
        ("a hundred", 100),
        ("two thousand three hundred and seven", 2307),
        ("one million two hundred thousand", 1200000),
        ("half a million", 500000),
        ("two and a half million", 2500000),
        ("three point one four", 3.14),
        ("a dozen", 12),
        ("two dozen", 24),
        ("one zero four", 104),
        ("nineteen ninety", 1990),
        ("thousands", 1000),
        ("zero", 0),
        ("a billion", 1e9),
    ],
)
def test_cardinal_numbers(text, value):
    assert read(f"It costs {text} today.") == [(text, value, "number")]


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("twenty-five percent", 25, "percent"),
        ("five per cent", 5, "percent"),
        ("half a percent", 0.5, "percent"),
        ("two percentage", 2, "percent"),
        ("half", 0.5, "fraction"),
        ("a third", 1 / 3, "fraction"),
        ("two thirds", 2 / 3, "fraction"),
        ("three quarters", 0.75, "fraction"),
        ("one-fifth", 0.2, "fraction"),
        ("thirds", 1 / 3, "fraction"),
        ("twice", 2, "fraction"),
        ("tripled", 3, "fraction"),
        ("halved", 0.5, "fraction"),
        ("tenfold", 10, "fraction"),
    ],
)
def test_parts_multiples_and_percentages(text, value, kind):
    assert read(f"It is {text} now.") == [(text, round(value, 9), kind)]


@pytest.mark.parametrize(
    "text",
    [
        "this one",
        "one of the plans",
        "is one of them",
        "than one that fails",
        "the first, second and third plan",
        "a second later",
        "please double-check it",
        "two_men and var_three and four4",
        "in the next quarter",
        "someone attends often",
        "a few, several, a couple, both",
        "XIV and MMC",
    ],
)
def test_what_is_no_number(text):
    assert read(text) == []


@pytest.mark.parametrize("text", ["it is one", "at most one tent", "by one", "one hundred"])
def test_a_measured_one_is_a_number(text):
    assert [value for _, value, _ in read(text)] in ([1.0], [100.0])


def test_lists_are_numbers_one_by_one():
    assert [value for _, value, _ in read("two, three and four")] == [2, 3, 4]


def test_parts_of_a_whole():
    assert part_of("Thirds") == 3


def _spelled(value):
    units = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ]
    tens = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    for size, name in ((10**6, "million"), (10**3, "thousand"), (100, "hundred")):
        if value >= size:
            rest = value % size
            return f"{_spelled(value // size)} {name}" + (f" {_spelled(rest)}" if rest else "")
    if value < 20:
        return units[value]
    return tens[value // 10] + (f"-{units[value % 10]}" if value % 10 else "")


@given(st.integers(2, 999_999_999))
def test_every_whole_number_is_read_as_it_is_spelled(value):
    assert [one.value for one in spelled_numbers(_spelled(value))] == [value]


@given(
    st.lists(
        st.sampled_from(
            [
                "a",
                "an",
                "one",
                "two",
                "ten",
                "half",
                "third",
                "thirds",
                "hundred",
                "million",
                "and",
                "point",
                "percent",
            ]
        )
    )
)
def test_any_row_of_such_words_can_be_read(words):
    for one in spelled_numbers(" ".join(words)):
        assert one.value >= 0
        assert one.slack > 0
