from collections.abc import Callable
from typing import Any

import pytest

from decision_ai_server.modellers.offline.grammar.remarks import read_remarks


@pytest.mark.parametrize("text", ["OK, not possible", "too strict I guess", "that is too expensive"])
def test_a_remark_has_no_meaning(best: Callable[..., Any], text: str) -> None:
    assert best(read_remarks, "knapsack", text).meanings == ()


@pytest.mark.parametrize("text", ["not the tent", "it is not possible to take both", "not more than 3"])
def test_what_is_more_than_a_remark(best: Callable[..., Any], text: str) -> None:
    assert best(read_remarks, "knapsack", text) is None
