import io
import sys

import pytest

from decision_ai.client.approval import Card, Proposal, Reject
from decision_ai.client.asking import default_approver
from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.terminal import asking


async def no_preview() -> None:
    return None


PROPOSAL = Proposal(
    changes=(ConstraintDiff(),),
    validation=ValidationSucceeded(),
    card=Card(),
    tool_origin=ToolData(name="propose_changes", args={}),
    preview=no_preview,
)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    assert default_approver() is asking.approve


@pytest.mark.parametrize("stdin", [io.StringIO(), None])
def test_a_script_rejects_and_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, stdin: io.StringIO | None
) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    decision = default_approver()(PROPOSAL)
    assert isinstance(decision, Reject)
    assert "approve=" in decision.reason
