"""No figure that nothing supports gets past."""
# Characters that look alike are what is tested.
# ruff: noqa: RUF001

import math
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import pytest
from hypothesis import assume, given, strategies as st

from decision_ai_server.agent.figures import Allowed, numbers_in, numbers_of, unsupported
from decision_ai_server.agent.known_names import names_of
from decision_ai_server.agent.placeholders import fill

RESULT = {
    "objective": 104.0,
    "bound": -7.25,
    "gap": 0.004,
    "items": 1234567,
    "third": 1 / 3,
    "growth_percent": 12.5,
    "note": "plan B2 of 17 items",
}
ALLOWED = Allowed(numbers_of(RESULT), names_of(["at_most_4", "Tour 3"]))

SUPPORTED = """
104|the value is 104.0|7.25 or -7.25|about 7.3|7|0.4% (0.40 %)|0.004|1,234,567|1 234 567|1'234'567
1.23 million|1.2M|1.2346 × 10^6|1.234567e6|12,34,567|one hundred and four|12.5%|13 percent|1/3|a third|⅓
\\frac{1}{3}|１０４|1\u200b0\u200b4|&#49;04|𝟏𝟎𝟒|1**0**4|at_most_4 and Tour 3|17 items
twelve and a half percent|this one and one of those|104 m²|(104)|$104$|104 — the best|0.1k
"""
SMUGGLED = """
105|104.4|-104|minus 104|−104|+7.25|8|0.4|4%|0.004%|104%|104 million|104k|1,234|1 234|1.234|1,04|10,4
ten|fifteen|two dozen|two hundred|half|double|twice|two thirds|2/3|1 in 3|twenty-five percent|hundreds
１０５|1\u200b0\u200b5|&#49;&#48;5|𝟏𝟎𝟓|1**0**5|1<b>0</b>5|1*0*5|{1}{0}{5}|\\frac{2}{3}|⅔|½|⑤|Ⅷ|八|1️⃣0️⃣5️⃣|🔟|💯
at_most_5|Tour 33|Tour 3.5|Tour 3%|x5|10^3|5²⁰|1e999|99999999999999999999999|one zero five|3–5
"""


def each(table):
    return [text for line in table.strip().split("\n") for text in line.split("|")]


@pytest.mark.parametrize("text", each(SUPPORTED))
def test_what_a_result_supports(text):
    assert unsupported(text, ALLOWED) == []


@pytest.mark.parametrize("text", each(SMUGGLED))
def test_what_nothing_supports(text):
    assert unsupported(text, ALLOWED) != []


def test_figures_in_tables_are_looked_at_one_by_one():
    table = "| plan | value |\n|---|---|\n| A | 104 |\n| B | 98 |\n"

    assert unsupported(table, ALLOWED) == ["98"]


def test_each_wrong_figure_is_named_once_as_written():
    assert unsupported("5, then -6 and 5 and twenty percent", ALLOWED) == ["5", "-6", "twenty percent"]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("1. Solve\n2. Compare\n3. Ask", []),
        ("1) a\n   1) b\n   2) c\n2) d", []),
        ("Step 1: a\n**Step 2:** b", []),
        ("It costs\n98. That is much", ["98"]),
        ("1. a\n3. b", ["3"]),
        ("1. a\n2. it costs 98", ["98"]),
        ("The best is\n1.", ["1"]),
    ],
)
def test_marks_of_lists_are_no_figures(text, wrong):
    assert unsupported(text, ALLOWED) == wrong


def test_percentages_are_looked_for_among_percentages_only():
    allowed = Allowed(numbers_of({"share": 0.25, "objective": 30.0}) | numbers_in("at most 10% of it"))

    assert unsupported("25%, 10 percent, a quarter, 0.25, 10", allowed) == []
    assert unsupported("30%", allowed) == ["30%"]


def test_a_text_supports_each_way_to_read_it():
    allowed = Allowed().with_text("rows 10 200\nsum 1,234.5 (−3)")

    assert unsupported("10, 200, 10 200, 1234.5 and -3", allowed) == []


def test_numbers_written_into_an_expression_have_to_be_exact():
    assert ALLOWED.has(104)
    assert ALLOWED.has(-7.25)
    assert not ALLOWED.has(7)
    assert not ALLOWED.has(-104)


def test_an_input_is_read_with_its_names():
    allowed = Allowed().with_value([{"id": "limit_8", "code": "x <= 12"}])

    assert unsupported("limit_8 holds it at 12", allowed) == []


values = st.floats(-1e9, 1e9, allow_nan=False).map(lambda value: round(value, 6))


@given(values, st.integers(0, 6), st.sampled_from([ROUND_HALF_EVEN, ROUND_HALF_UP]), st.booleans())
def test_a_rounded_result_always_passes(value, decimals, rounding, grouped):
    rounded = Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), rounding=rounding)
    text = f"It is {rounded:{',' if grouped else ''}f} now."

    assert unsupported(text, Allowed(numbers_of({"x": value}))) == []


@given(values, st.integers(0, 4), st.integers(1, 1000), st.booleans())
def test_a_figure_beyond_the_rounding_is_caught(value, decimals, units, up):
    step = Decimal(1).scaleb(-decimals)
    wrong = Decimal(repr(value)).quantize(step) + step * units * (1 if up else -1)
    assume(abs(abs(wrong) - abs(Decimal(repr(value)))) > step * Decimal("0.501"))

    assert unsupported(f"It is {abs(wrong):f} now.", Allowed(numbers_of({"x": value}))) == [f"{abs(wrong):f}"]


sizes = st.floats(1e-280, 1e300) | st.just(0.0)


@given(sizes | sizes.map(lambda value: -value), st.none() | st.integers(0, 8))
def test_a_filled_placeholder_always_passes(value, decimals):
    wish = "" if decimals is None else f":{decimals}"
    text = fill(f"It is {{solve.x{wish}}} now.", {"solve.x": value})

    assert unsupported(text, Allowed(numbers_of({"x": value}))) == []


@given(
    st.integers(0, 10**9),
    st.integers(0, 9),
    st.sampled_from(["\u200b", "&#x200d;", "**", "<i>", "\u00ad", ""]),
)
def test_digits_cannot_be_hidden_from_each_other(value, digit, between):
    wrong = int(f"{value}{digit}")
    assume(wrong != value)
    allowed = Allowed(numbers_of({"x": float(value), "digit": float(digit)}))
    text = f"{between}".join(f"{value}{digit}")

    assert unsupported(text, allowed) or wrong in (value, digit)


@given(st.text(), st.floats(allow_nan=False))
def test_any_text_can_be_checked(text, value):
    assert isinstance(unsupported(text, Allowed(numbers_of({"x": value}))), list)
    assert all(math.isfinite(one) for one in numbers_in(text).plain)


LISTS = Allowed(names=names_of(["Ana", "Ben", "Cem", "capacity", "few"])).with_lists(
    "Mon: Ana, Ben, Cem\n- capacity: a\n- few: b"
)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("On Mon there are three people, and two rules hold.", []),
        ("The two rules capacity and few; Ana, Ben and Cem, all three.", []),
        ("There are four people: Ana, Ben, Cem and Ana.", []),
        ("There are four people: Ana, Ben and Cem.", ["four"]),
        ("It is three.", ["three"]),
        ("3% people", ["3%"]),
        ("-3 people", ["-3"]),
        ("3 million people", ["3 million"]),
    ],
)
def test_a_count_of_what_is_listed_is_no_claim(text, wrong):
    assert unsupported(text, LISTS) == wrong


@pytest.mark.parametrize("suffix", ["grand", "Tsd.", "tausend", "Millionen", "T€", "millones", "miliardi"])
def test_a_suffix_of_any_language_is_part_of_the_figure(suffix):
    assert unsupported(f"104 {suffix}", ALLOWED) == [f"104 {suffix.rstrip('.')}".rstrip("€")]
