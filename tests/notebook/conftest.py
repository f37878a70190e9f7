import asyncio
from collections.abc import Callable
from importlib.util import find_spec

import pytest

from decision_ai.client.approval import Card, Preview, Proposal
from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff, ConstraintSnapshot
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.solving.findings import CheckResult
from decision_ai.solving.outcome import Outcome, OutcomeKind

# Where only the core is installed.
collect_ignore = [] if find_spec("IPython") else ["test_talk.py"]

EVIL = "<script>alert(1)</script>"
PREVIEW = Preview(
    before=Outcome(kind=OutcomeKind.OPTIMAL, objective=149),
    after=Outcome(kind=OutcomeKind.OPTIMAL, objective=104),
    sense="maximize",
    rows_added=1,
    checks=(CheckResult(name="few", sentence=f"at most 3 {EVIL}", holds=False, message="4 > 3"),),
)


@pytest.fixture
def evil() -> str:
    """Text that would run if anything took it for markup."""
    return EVIL


@pytest.fixture
def make_proposal() -> Callable[..., Proposal]:
    """Makes a proposal with markup in every text; its preview waits for an event, where one is given."""

    def make(preview_after: asyncio.Event | None = None) -> Proposal:
        async def preview() -> Preview | None:
            if preview_after is not None:
                await preview_after.wait()
            return PREVIEW

        rule = ConstraintSnapshot(
            constraint_id=f"limit{EVIL}",
            code=f"def limit(self, data, v):\n    return {EVIL}",
            math_formulation=EVIL,
            description=EVIL,
        )
        return Proposal(
            changes=(ConstraintDiff(added=rule),),
            validation=ValidationSucceeded(),
            card=Card(sentence=EVIL, reading=EVIL, unused_words=(EVIL,), warnings=(EVIL,), doubt=EVIL),
            tool_origin=ToolData(name="propose_changes", args={}),
            preview=preview,
        )

    return make
