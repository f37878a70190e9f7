"""What was left out of a version for its data is said in the chat, once."""

from typing import Any

from decision_ai.client.schemas.chat_messages.protocol import AskForFeedback
from decision_ai.solving.findings import IncompatiblePart
from decision_ai_server.agent.steps import NewVersion
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision

CAP = IncompatiblePart(kind="constraint", id="max_items", reason="the data have no 'limit'")
NOTICE = (
    "In version 1, these parts do not fit the data and are left out until they do:\n"
    "- constraint max_items: the data have no 'limit'"
)


def outside(session: Any, *parts: IncompatiblePart) -> None:
    """Make a version as a PATCH does."""
    head = session.line[0]
    version = NewVersion(
        program=head.program, json_data=head.json_data, changes=(), sentence="", incompatible=parts
    )
    session.grow(version)


def kinds(messages: Any) -> list[str]:
    return [message.kind for message in messages]


async def test_between_turns_it_is_said_at_once_and_once(simulate):
    session = simulate({})
    await session.run()
    outside(session, CAP)

    assert kinds(await session.run()) == ["chat_response", "ask_for_prompt"]
    assert session.last_response == NOTICE
    assert await session.run() == []


async def test_a_later_version_names_only_what_is_new(simulate):
    session = simulate({})
    await session.run()
    outside(session, CAP)
    await session.run()
    outside(session, CAP)
    assert await session.run() == []

    objective = IncompatiblePart(kind="objective", id="total", reason="no")
    outside(session, CAP, objective)
    await session.run()
    assert session.last_response.splitlines()[1:] == ["- objective total: no"]


async def test_an_open_question_stays_open(simulate):
    script = {"hm": [ModelDecision(action=AskUser(question="Which one?"))]}
    session = simulate(script)
    await session.run()
    await session.prompt("hm")
    outside(session, CAP)

    assert kinds(await session.run()) == ["chat_response", "chat_response", "ask_for_feedback"]
    assert session.last_response == "Which one?"
    assert isinstance(session.conversation.messages[-1], AskForFeedback)


async def test_in_the_middle_of_a_turn_it_is_said_at_its_end(simulate, call):
    off = call("propose_changes", edits=[{"op": "switch", "id": "max_items", "enabled": False}])
    session = simulate({"off": [off, ModelDecision(action=FinalAnswer(answer="done"))]})
    await session.run()
    await session.prompt("off")
    outside(session, CAP)

    said = await session.answer(rejected=True, rejection_message="no")

    assert kinds(said) == ["tool_output", "chat_response", "chat_response", "ask_for_prompt"]
    assert session.last_response == NOTICE
