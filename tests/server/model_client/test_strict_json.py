import json
from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.model_client.errors import DecisionParseError
from decision_ai_server.model_client.strict_json import read_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "Expecting value"),
        ("{'a': 1}", "double quotes"),
        ("NaN", "NaN is no number"),
        ('{"a": -Infinity}', "-Infinity is no number"),
        ("1e999", "the number 1e999 is too large"),
        ("9" * 5000, "digits"),
        ("[" * 100_000, "nested more than 56 deep"),
        ("[" * 60 + "]" * 60, "nested more than 56 deep"),
        ('{"a": 1, "b": 2, "a": 3}', "the key 'a' occurs twice"),
        (r'"\ud800"', "half a surrogate pair"),
        ('"\ud800"', "half a surrogate pair"),
        (r'{"\u0000": 1}', "NUL"),
        (b"\xff", "not"),
        (None, "not"),
    ],
)
def test_what_is_no_json_is_told(text: str, told: str) -> None:
    with pytest.raises(DecisionParseError) as caught:
        read_json(text)
    assert str(caught.value).startswith("not valid JSON: ")
    assert told in str(caught.value)


def test_a_backslash_before_u0000_is_an_ordinary_text() -> None:
    assert read_json(r'"\\u0000"') == "\\u0000"


@given(VALUES.filter(lambda value: "\\u0000" not in json.dumps(value)))
def test_what_json_writes_is_read(value: object) -> None:
    assert read_json(json.dumps(value)) == value


@given(st.text() | st.text(alphabet='{}[]",:\\u0d8"ntf1eE.-', max_size=60))
def test_nothing_but_a_value_or_the_one_error(text: str) -> None:
    with suppress(DecisionParseError):
        json.dumps(read_json(text), allow_nan=False)
