from typing import Any

import pytest
from hypothesis import given, strategies as st

from decision_ai.errors import LimitExceeded
from decision_ai.wire.limits import check_size, nesting

pytestmark = pytest.mark.core


@pytest.mark.parametrize(
    ("value", "depth"),
    [(1, 0), ("[[[", 0), ([], 1), ({}, 1), ([1, {"a": []}], 3), ({"a": {"b": 1}, "c": []}, 2)],
)
def test_nesting_counts_the_containers_around_the_deepest_value(value: Any, depth: int) -> None:
    assert nesting(value) == depth


@given(st.text(max_size=40), st.integers(0, 200))
def test_a_size_is_counted_in_bytes(text: str, limit: int) -> None:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size <= limit:
        check_size("prompt", text, limit)
    else:
        with pytest.raises(LimitExceeded) as refused:
            check_size("prompt", text, limit)
        assert (refused.value.limit, refused.value.actual) == (limit, size)
