"""What is written live over a real socket: who sees it, and when it ends."""

import asyncio
import json
from typing import Any

import httpx
import pytest
from sockets import BEARER, STRICT, Chat, kinds

from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta
from decision_ai_server.agent.ports import TurnContext
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision
from decision_ai_server.settings import Settings

STATE: dict[str, asyncio.Event] = {}


class Writing:
    """Writes two pieces, waits in between until the test lets it go on, and asks back about `which?`."""

    async def decide(self, context: TurnContext) -> ModelDecision:
        if context.sentence == "which?":
            return ModelDecision(action=AskUser(question="the tent?"))
        context.tell(ChatResponseDelta(delta="The plan "))
        await STATE["go on"].wait()
        context.tell(ChatResponseDelta(delta="is cheap."))
        return ModelDecision(action=FinalAnswer(answer="The plan is cheap."))


@pytest.fixture
def settings(settings: Settings) -> Settings:
    STATE["go on"] = asyncio.Event()
    return settings.model_copy(update={"modeller": f"{__name__}:Writing"})


async def messages(socket: Any, last: str) -> list[dict[str, Any]]:
    """What arrives up to and with the first message of kind `last`."""
    seen: list[dict[str, Any]] = []
    async with asyncio.timeout(5):
        while not seen or seen[-1]["kind"] != last:
            seen.append(json.loads(await socket.recv())["message"])
    return seen


async def test_a_strict_connection_never_sees_a_delta_and_a_late_watcher_sees_the_rest(chat: Chat) -> None:
    async with chat.open() as speaker, chat.open("?floor=watch", offer=(STRICT,)) as strict:
        await kinds(speaker, "ask_for_prompt")
        await kinds(strict, "ask_for_prompt")
        await speaker.send(chat.prompt("go"))
        assert (await messages(speaker, "chat_response_delta"))[-1]["delta"] == "The plan "
        async with chat.open("?floor=watch") as late:
            await messages(late, "prompt")
            STATE["go on"].set()
            late_kinds = [message["kind"] for message in await messages(late, "ask_for_prompt")]
        seen = await messages(speaker, "ask_for_prompt")
        assert await kinds(strict, "ask_for_prompt") == ["prompt", "chat_response", "ask_for_prompt"]
    pieces = [message.get("delta") for message in seen if message["kind"] == "chat_response_delta"]
    assert pieces == ["is cheap."]
    assert [kind for kind in late_kinds if kind != "presence"] == [
        "chat_response_delta", "chat_response", "ask_for_prompt",
    ]  # fmt: skip


async def test_nothing_that_was_only_written_is_kept(chat: Chat) -> None:
    async with chat.open() as socket:
        await kinds(socket, "ask_for_prompt")
        await socket.send(chat.prompt("go"))
        await messages(socket, "chat_response_delta")
        STATE["go on"].set()
        await messages(socket, "ask_for_prompt")
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{chat.port}", headers=BEARER) as client:
        stored = (await client.get(f"/v1/chat_sessions/{chat.session_id}/messages")).json()["items"]
    assert [item["message"]["kind"] for item in stored] == [
        "system_prompt", "ask_for_prompt", "prompt", "chat_response", "ask_for_prompt",
    ]  # fmt: skip


async def test_what_was_written_is_withdrawn_by_a_cancel_and_nothing_follows(chat: Chat) -> None:
    async with chat.open() as socket:
        await kinds(socket, "ask_for_prompt")
        await socket.send(chat.prompt("go"))
        await messages(socket, "chat_response_delta")
        await socket.send(json.dumps({"chat_session_id": chat.session_id, "message": {"kind": "cancel"}}))
        after = await messages(socket, "cancelled")
        STATE["go on"].set()
        (withdrawn,) = [message for message in after if message["kind"] == "chat_response_delta"]
        assert (withdrawn["delta"], withdrawn["restart"]) == ("", True)
        await socket.send(chat.prompt("which?", "p2"))
        assert "chat_response_delta" not in await kinds(socket, "ask_for_feedback")


@pytest.mark.parametrize(
    ("query", "response", "ask"),
    [
        ("", "the tent?", "ask_for_feedback"),
        ("?interactive=true", "the tent?", "ask_for_feedback"),
        ("?interactive=false", "Blocked: I would have to ask: the tent?", "ask_for_prompt"),
    ],
)
async def test_where_nobody_can_answer_a_question_ends_the_turn(
    chat: Chat, query: str, response: str, ask: str
) -> None:
    async with chat.open(query) as socket:
        await kinds(socket, "ask_for_prompt")
        await socket.send(chat.prompt("which?"))
        *_, said, _last = await messages(socket, ask)
    assert said["response"] == response
