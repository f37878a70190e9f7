"""Real server and real client in two processes: the whole conversation, on three examples."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from decision_ai import Approve, DecisionAI, Proposal, Reject
from decision_ai.client.schemas.chat_messages.protocol import AskForValidation, ValidationResponse
from decision_ai.client.schemas.chat_messages.validation import FormulationValidationFailed
from decision_ai.examples import example

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

CONVERSATIONS = {
    "knapsack": ("Take five items at most.", "The ladder has to come along.", 139, 149),
    "transportation": (
        "Southfield and Westend must not both be open.",
        "Nothing may go from Southfield to Kelpoint.",
        38970,
        38530,
    ),
    "diet": ("No more than 3 portions of any single food.", "Leave the almonds out.", 4.549467, 4.373094),
}
CONTINUE = """
import sys
from decision_ai import DecisionAI
with DecisionAI(sys.argv[1], sys.argv[2]) as client:
    session = client.continue_chat_session(sys.argv[3])
    print(session.solve().objective_value)
"""


class Person:
    """Rejects the first proposal with a reason and approves the rest; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Proposal] = []

    def __call__(self, proposal: Proposal) -> Approve | Reject:
        self.asked.append(proposal)
        return Reject("we tried that last year") if len(self.asked) == 1 else Approve()


async def say(chat: Any, sentence: str) -> list[Any]:
    return [message async for message in chat.stream_messages(sentence, exclude_message_types=None)]


@pytest.mark.parametrize("name", CONVERSATIONS)
async def test_the_whole_conversation(name: str, new_server: Callable[..., Any], tmp_path: Path) -> None:
    rejected, approved, objective, base_objective = CONVERSATIONS[name]
    server = new_server()
    server.start()
    person = Person()
    with DecisionAI(server.url, server.key) as client:
        session = client.create_chat_session(*example(name))
        async with session.connect(approve=person) as chat:
            said = await say(chat, rejected)
            # The first try is broken on purpose: its check fails and it is repaired, unseen by the person.
            checks = [message for message in said if isinstance(message, ValidationResponse)]
            assert isinstance(checks[0].validation, FormulationValidationFailed)
            assert [check.rejected for check in checks] == [False, True]
            assert checks[1].rejection_message == "we tried that last year"
            assert len(person.asked) == 1
            assert session.state().user_constraint_ids == set()

            said = await say(chat, approved)
            assert sum(isinstance(message, AskForValidation) for message in said) == 2
            assert len(person.asked) == 2
            assert len(session.state().user_constraint_ids) == 1

            await say(chat, "solve")
            assert chat.current_solution.objective_value == pytest.approx(objective, rel=1e-4)

            await say(chat, "undo")
            assert session.state().user_constraint_ids == set()
    continued = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", CONTINUE, server.url, server.key, session.id],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert float(continued.stdout) == pytest.approx(base_objective, rel=1e-6)
