"""What the README promises of a language model: figures come from the solver, and you see what leaves."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from decision_ai import Approve, ChatSession, DecisionAI
from decision_ai.client.schemas.chat_messages.chat import ChatResponse
from decision_ai.examples import example
from decision_ai_server.testing import Peer, Reply, Script, scripted_process

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

PAGE = 100
"""Entries of a journal that the server sends at once, unless told otherwise."""
RULE = {
    "op": "set_rule",
    "id": "at_most_four",
    "description": "At most four items are taken.",
    "left": "pulp.lpSum(v.take.values())",
    "sense": "<=",
    "right": "4",
}


def answer(text: str) -> Reply:
    return Reply.tool_call("final_answer", {"answer": text})


@pytest.fixture
def session_with(new_server: Callable[..., Any]) -> Iterator[Callable[..., ChatSession]]:
    """Makes a session on the knapsack whose language model plays a script."""
    with ExitStack() as stack:

        def make(*replies: Reply, **settings: str) -> ChatSession:
            endpoint = stack.enter_context(scripted_process(Script(replies=replies)))
            given = {f"DECISION_AI_LLM_{name}": value for name, value in settings.items()}
            server = new_server(
                "llm",
                settings={
                    "DECISION_AI_LLM_BASE_URL": endpoint.base_url,
                    "DECISION_AI_LLM_MODEL": "scripted",
                    **given,
                },
            )
            server.start()
            client = stack.enter_context(DecisionAI(server.url, server.key))
            return client.create_chat_session(*example("knapsack"))

        yield make


async def say(session: ChatSession, sentence: str) -> list[str]:
    async with session.connect(approve=lambda proposal: Approve()) as chat:
        stream = chat.stream_messages(sentence)
        return [message.response async for message in stream if isinstance(message, ChatResponse)]


async def test_figures_come_from_the_solver(session_with: Callable[..., ChatSession]) -> None:
    session = await asyncio.to_thread(
        session_with,
        Reply.tool_call("propose_changes", {"edits": [RULE]}),
        Reply.tool_call("solve", {}),
        answer("At most 4 items are taken now; the best value is {solve.objective}."),
        Reply.tool_call("solve", {}),
        answer("The best plan is worth 105 points."),
        answer("The best plan is worth a hundred and five points."),
    )

    assert await say(session, "take at most 4 items and solve") == [
        "At most 4 items are taken now; the best value is 104."
    ]
    (told,) = await say(session, "how good is it?")
    assert "105" not in told
    assert "104" in told
    usage = session.state().usage
    assert usage is not None
    assert (usage.prompt_tokens, usage.completion_tokens) == (120, 30)  # six replies of 20 and 5


async def test_the_data_stay_at_home_where_you_say_so(session_with: Callable[..., ChatSession]) -> None:
    session = await asyncio.to_thread(
        session_with,
        Reply.tool_call("solve", {}),
        answer("The best value is {solve.objective}."),
        DATA_VISIBILITY="schema",
    )

    assert await say(session, "solve it") == ["The best value is 149."]
    sent = json.dumps([request.body for request in session.sent_to_model("all")])
    data = json.loads(example("knapsack")[1])
    assert len(data["items"]) > 5
    assert [label for label in data["items"] if label in sent] == []
    assert "149" not in sent


async def test_what_was_sent_is_still_told_after_a_killed_server(new_server: Callable[..., Any]) -> None:
    script = Script(replies=(answer("Fine."),), peer=Peer(repeat_last=True))
    with scripted_process(script) as endpoint:
        address = {"DECISION_AI_LLM_BASE_URL": endpoint.base_url, "DECISION_AI_LLM_MODEL": "scripted"}
        server = new_server("llm", settings=address)
        server.start()
        with DecisionAI(server.url, server.key) as client:
            session = client.create_chat_session(*example("knapsack"))
            async with session.connect() as chat:
                for n in range(PAGE // 2 + 1):  # a prompt leaves two entries: a request and a decision
                    async for _ in chat.stream_messages(f"question {n}"):
                        pass
            server.kill()
            server.start()
            again = client.continue_chat_session(session.id)
            sent = again.sent_to_model("all")
            (first,), (last,) = again.sent_to_model(0), again.sent_to_model()
            usage = again.state().usage

    assert [request.turn for request in sent] == list(range(PAGE // 2 + 1))
    assert (first, last) == (sent[0], sent[-1])
    assert "question 0" in first.text()
    assert f"question {PAGE // 2}" in last.text()
    assert usage is not None
    assert usage.decisions == len(sent)
