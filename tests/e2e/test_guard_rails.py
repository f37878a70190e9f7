"""Checks that a person keeps, in a real session: who approves sees which of them a proposal would break."""

from collections.abc import Callable
from typing import Any

import pytest

from decision_ai import Approve, DecisionAI, Proposal, Reject
from decision_ai.examples import example
from decision_ai.solving.findings import CheckResult

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

MODELLER = """
from decision_ai_server.model_client.decisions import ModelDecision, ToolCall
from decision_ai_server.testing import ScriptedModeller

LADDER = '''@constraint(r"take_{ladder} = 1")
def ladder(self, data, v):
    "The ladder comes along."
    return v.take["Ladder"] == 1
'''


def call(name, /, **args):
    return [ModelDecision(action=ToolCall(name=name, input=args))]


def scripted():
    few = {"name": "few", "sentence": "Seven items.", "code": "sum(v.take.values()) == 7"}
    return ScriptedModeller({
        "Watch that it is seven items.": call("keep_check", **few),
        "The ladder has to come along.": call(
            "propose_changes", edits=[{"op": "set_constraint", "code": LADDER}]
        ),
    })
"""


class Person:
    """Answers what it is told to, and keeps what it saw of its checks."""

    def __init__(self, *answers: Approve | Reject) -> None:
        self._answers = list(answers)
        self.seen: list[tuple[CheckResult, ...]] = []

    def __call__(self, proposal: Proposal) -> Approve | Reject:
        assert proposal.preview_result is not None
        self.seen.append(proposal.preview_result.checks)
        return self._answers.pop(0)


async def test_who_approves_sees_the_broken_check_and_decides(new_server: Callable[..., Any]) -> None:
    server = new_server("scripted_modeller:scripted", {"scripted_modeller.py": MODELLER})
    server.start()
    person = Person(Reject("not without the kettle"), Approve())
    with DecisionAI(server.url, server.key) as client:
        session = client.create_chat_session(*example("knapsack"))
        kept = session.keep_check("no_ladder", "The ladder stays here.", "v.take['Ladder'] <= 0")
        assert [check.holds for check in session.test_checks()] == [True]
        async with session.connect(approve=person) as chat:
            await said(chat, "The ladder has to come along.")
            assert session.state().user_constraint_ids == set()
            answer = await said(chat, "Watch that it is seven items.")
            assert "The check few (Seven items.) is kept." in answer
            await said(chat, "The ladder has to come along.")
        assert session.state().user_constraint_ids == {"ladder"}
        assert [check.name for check in session.checks()] == [kept[0].name, "few"]
        now = session.test_checks()
    first, second = person.seen
    assert [(check.name, check.holds) for check in first] == [("no_ladder", False)]
    assert first[0].sentence == "The ladder stays here."
    assert "1 must be at most 0" in first[0].message
    assert [check.name for check in second] == ["no_ladder", "few"]
    assert list(second) == now


async def said(chat: Any, sentence: str) -> str:
    messages = [message async for message in chat.stream_messages(sentence, exclude_message_types=None)]
    return "\n".join(getattr(message, "tool_output", "") for message in messages)


async def test_a_check_and_a_lock_outlive_the_server(new_server: Callable[..., Any]) -> None:
    server = new_server("offline")
    server.start()
    with DecisionAI(server.url, server.key) as client:
        session = client.create_chat_session(*example("knapsack"))
        session.keep_check("no_ladder", "The ladder stays here.", "v.take['Ladder'] <= 0")
        session.lock("take[Ladder]", 1)
        server.kill()
        server.start()
        again = client.continue_chat_session(session.id)
        assert again.locks() == {"take": {"Ladder": 1}}
        (check,) = again.test_checks()
        assert (check.name, check.holds) == ("no_ladder", False)
