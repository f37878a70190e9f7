import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from decision_ai.errors import DataError
from decision_ai.modeling.data import (
    MISSING,
    DataDifference,
    canonical_json,
    data_id,
    differences,
    parse_json,
    program_hash,
)
from decision_ai.solving.parameters import SolveParameters

pytestmark = pytest.mark.core

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_canonical_text_reads_back_and_is_its_own_form(value: Any) -> None:
    text = canonical_json(value)
    assert parse_json(text) == value
    assert canonical_json(parse_json(text)) == text
    assert data_id(text) == data_id(json.dumps(value, indent=3))


def test_the_order_of_keys_counts_and_the_layout_does_not() -> None:
    assert data_id('{"a": 1,\n "b": 2}') == data_id('{"a":1,"b":2}')
    assert data_id('{"b":2,"a":1}') != data_id('{"a":1,"b":2}')
    assert data_id("1").startswith("data-")
    assert len(data_id("1")) == len("data-") + 16


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1,}', "line 1, column"),
        ('{"a": {"b": 1, "b": 2}}', "'b' occurs twice"),
        ("[NaN]", "NaN"),
        ("[-Infinity]", "-Infinity"),
        ("[1e999]", "1e999 is too large"),
        ("[" * 65 + "]" * 65, "deeper than 64"),
        ("[" * 100_000, "deeper than 64"),
        ('{"a":' * 65 + "1" + "}" * 65, "deeper than 64"),
        ("9" * 5000, "a whole number has too many digits"),
        ('"\\ud800"', "no JSON form"),
        ("", "line 1, column 1"),
    ],
)
def test_bad_data_are_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(DataError, match=words):
        parse_json(text)


def test_64_levels_are_allowed() -> None:
    assert parse_json("[" * 64 + "]" * 64)


@pytest.mark.parametrize("value", [{1, 2}, float("nan"), "\ud800"])
def test_what_has_no_json_form_is_refused(value: Any) -> None:
    with pytest.raises(DataError, match="no JSON form"):
        canonical_json(value)


def test_the_hash_names_program_data_and_parameters() -> None:
    plain = program_hash("x", "data-1", None)
    assert plain == program_hash("x", "data-1", None)
    others = {
        program_hash("y", "data-1", None),
        program_hash("x", "data-2", None),
        program_hash("x", "data-1", SolveParameters()),
        program_hash("x", "data-1", SolveParameters(seed=1)),
    }
    assert len(others | {plain}) == 5


def test_differences_name_the_few_values_that_differ() -> None:
    before = {
        "items": {"Tent": {"weight": 7.5, "a.b": 1}},
        "months": ["Jan", "Feb", "Mar"],
        "flag": True,
        "n": 30,
    }
    after = {
        "items": {"Tent": {"weight": 8, "a.b": 2}},
        "months": ["Jan", "Mar"],
        "flag": 1,
        "n": 30.0,
        "new": None,
    }
    assert differences(before, after) == [
        DataDifference("items.Tent.weight", 7.5, 8),
        DataDifference('items.Tent["a.b"]', 1, 2),
        DataDifference("months[1]", "Feb", MISSING),
        DataDifference("flag", True, 1),
        DataDifference("new", MISSING, None),
    ]
    assert repr(MISSING) == "MISSING"


def test_an_element_put_into_a_list_is_one_difference() -> None:
    before = {"shifts": [{"id": 1}, {"id": 3}]}
    after = {"shifts": [{"id": 1}, {"id": 2}, {"id": 3}]}
    assert differences(before, after) == [DataDifference("shifts[1]", MISSING, {"id": 2})]
    assert differences([1, 2, 3], [1, 5, 3]) == [DataDifference("[1]", 2, 5)]
    assert differences(1, "1") == [DataDifference("", 1, "1")]


@given(VALUES, VALUES)
def test_there_is_a_difference_exactly_if_the_texts_differ(before: Any, after: Any) -> None:
    assert differences(before, before) == []
    if differences(before, after) == []:
        assert before == after
