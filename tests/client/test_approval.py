from typing import Any

import pytest

from decision_ai.client.approval import Approve, Reject


def test_decisions_are_values() -> None:
    assert Approve() == Approve()
    assert Reject("a") != Reject("b")
    decision: Any = Reject("a")
    with pytest.raises(AttributeError):
        decision.reason = "b"
