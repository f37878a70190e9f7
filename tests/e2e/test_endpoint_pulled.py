"""The endpoint of the language model goes away in mid-turn: the session answers the next prompt."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from decision_ai import Approve, ChatSession, DecisionAI
from decision_ai.client.schemas.chat_messages.chat import ChatResponse
from decision_ai.client.schemas.chat_messages.error import UncriticalErrorMessage
from decision_ai.examples import example
from decision_ai_server.testing import Manner, Reply, Script, ScriptedProcess, scripted_process

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

RULE = {
    "op": "set_rule",
    "id": "at_most_two",
    "description": "At most two items are taken.",
    "left": "pulp.lpSum(v.take.values())",
    "sense": "<=",
    "right": "2",
}
EDIT = Reply.tool_call("propose_changes", {"edits": [RULE]})
ANSWER = Reply.tool_call("final_answer", {"answer": "The rule is in the model."})
HALF = Reply.tool_call(
    "final_answer", {"answer": "This sentence never comes to its end."}, manner=Manner(cut_after_pieces=3)
)
SILENT = Reply.tool_call("final_answer", {"answer": "Too late."}, manner=Manner(stall_seconds=60))
SILENT_INSIDE = Reply.tool_call(
    "final_answer", {"answer": "Too late."}, manner=Manner(stall_seconds=60, stall_after=3)
)


@contextlib.contextmanager
def endpoint(*replies: Reply, port: int = 0) -> Iterator[ScriptedProcess]:
    with scripted_process(Script(replies=replies), port=port) as process:
        yield process


@pytest.fixture
def chat_over(new_server: Callable[..., Any]) -> Iterator[Callable[[str], ChatSession]]:
    """Makes a session of a server whose language model is at an address."""
    with contextlib.ExitStack() as stack:

        def make(base_url: str) -> ChatSession:
            settings = {
                "DECISION_AI_LLM_BASE_URL": base_url,
                "DECISION_AI_LLM_MODEL": "scripted",
                "DECISION_AI_LLM_REQUEST_IDLE_TIMEOUT_SECONDS": "1",
                "DECISION_AI_LLM_TRANSPORT_MAX_RETRIES": "1",
            }
            server = new_server("llm", settings=settings)
            server.start()
            client = stack.enter_context(DecisionAI(server.url, server.key))
            return client.create_chat_session(*example("knapsack"))

        yield make


async def say(session: ChatSession, sentence: str, *, at_once: Callable[[], None] | None = None) -> list[Any]:
    async with session.connect(approve=lambda proposal: Approve()) as chat:
        shown = []
        async for message in chat.stream_messages(sentence):
            shown.append(message)
            if at_once is not None and message.kind == "tool_output":
                at_once()
        return shown


def texts(messages: list[Any], kind: type[Any]) -> list[str]:
    found = [message for message in messages if isinstance(message, kind)]
    return [message.response if kind is ChatResponse else message.error for message in found]


def rules(session: ChatSession) -> set[str]:
    return set(session.state().constraints)


@pytest.mark.parametrize("broken", [HALF, SILENT, SILENT_INSIDE], ids=["half", "silent", "silent inside"])
async def test_a_lost_reply_leaves_a_session_that_answers(
    broken: Reply, chat_over: Callable[[str], ChatSession]
) -> None:
    with endpoint(EDIT, broken, broken, ANSWER) as process:
        session = chat_over(process.base_url)
        lost = await say(session, "take at most two")
        (error,) = texts(lost, UncriticalErrorMessage)
        assert process.base_url in error
        assert "at_most_two" in rules(session)  # approved before the endpoint went away
        assert texts(await say(session, "is it in?"), ChatResponse) == ["The rule is in the model."]


async def test_a_killed_endpoint_leaves_a_session_that_answers(
    chat_over: Callable[[str], ChatSession],
) -> None:
    with endpoint(EDIT, SILENT) as process:
        session = chat_over(process.base_url)
        lost = await say(session, "take at most two", at_once=process.kill)
        (error,) = texts(lost, UncriticalErrorMessage)
        assert process.base_url in error
        assert "at_most_two" in rules(session)
        port = int(process.base_url.rpartition(":")[2].partition("/")[0])
    with endpoint(ANSWER, port=port) as again:
        assert again.base_url == process.base_url
        assert texts(await say(session, "is it in?"), ChatResponse) == ["The rule is in the model."]


async def test_the_person_may_stop_a_silent_endpoint(chat_over: Callable[[str], ChatSession]) -> None:
    with endpoint(SILENT, ANSWER) as process:
        session = chat_over(process.base_url)
        async with session.connect() as chat:
            asyncio.get_running_loop().call_later(0.5, chat.cancel)
            stopped = [message async for message in chat.stream_messages("take at most two")]
            assert texts(stopped, ChatResponse) == ["Stopped. Nothing was changed."]
            again = [message async for message in chat.stream_messages("is it in?")]
        assert texts(again, ChatResponse) == ["The rule is in the model."]
