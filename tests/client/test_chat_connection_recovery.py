"""Lost connections, dead peers, continued sessions and the floor."""

import asyncio
from typing import Any

import pytest

from decision_ai.client.approval import Approve
from decision_ai.client.backoff import Backoff
from decision_ai.client.chat_connection import ChatConnection
from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.error import CriticalErrorMessage, UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.live import Presence
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForFeedback,
    AskForPrompt,
)
from decision_ai.errors import ConnectionFailed, ProtocolError, ServerRefused

QUICK = Backoff(first=0.01, longest=0.05, patience=5.0)


def kinds(messages: list[Any]) -> list[str]:
    return [message.kind for message in messages]


async def said(chat: ChatConnection, prompt: str, **options: Any) -> list[Any]:
    return [message async for message in chat.stream_messages(prompt, **options)]


async def until(condition: Any) -> None:
    while not condition():  # noqa: ASYNC110 - what a test waits for has no event
        await asyncio.sleep(0.005)


@pytest.mark.parametrize("lost", ["prompt", "validation_response"])
async def test_what_was_said_when_the_peer_died_is_said_again(
    make_peer: Any, connect: Any, proposing: Any, lost: str
) -> None:
    peer = await make_peer(proposing)
    peer.kill_before_storing = lost
    asked: list[Any] = []
    async with connect(peer, approve=lambda p: asked.append(p) or Approve(), backoff=QUICK) as chat:
        messages = await said(chat, "at most 4")
    assert kinds(messages) == ["tool_call", "tool_output", "chat_response"]
    assert len(asked) == 1
    ids = [frame.message_id for frame in peer.frames if frame.message.kind == lost]
    assert len(ids) == 2
    assert len(set(ids)) == 1


async def test_a_peer_that_dies_while_the_person_decides_asks_once(
    make_peer: Any, connect: Any, proposing: Any
) -> None:
    peer = await make_peer(proposing)
    asked: list[Any] = []

    async def approve(proposal: Any) -> Approve:
        asked.append(proposal)
        await peer.stop()
        await peer.start()
        await until(lambda: len(peer.queries) == 2)
        return Approve()

    async with connect(peer, approve=approve, backoff=QUICK) as chat:
        messages = await said(chat, "at most 4")
    assert kinds(messages)[-1] == "chat_response"
    assert len(asked) == 1
    assert len(peer.answers("validation_response")) == 1


async def test_a_repeated_ask_is_answered_once(make_peer: Any, connect: Any, proposing: Any) -> None:
    peer = await make_peer(proposing)
    asked: list[Any] = []

    async def approve(proposal: Any) -> Approve:
        asked.append(proposal)
        await peer.send(peer.conversation.open_ask)
        await asyncio.sleep(0.05)
        return Approve()

    async with connect(peer, approve=approve) as chat:
        await said(chat, "at most 4")
    assert len(asked) == 1
    assert len(peer.answers("validation_response")) == 1


async def test_a_peer_that_stays_away_ends_the_stream_and_what_was_said_is_kept(
    make_peer: Any, connect: Any, proposing: Any
) -> None:
    peer = await make_peer(proposing)
    impatient = Backoff(first=0.01, longest=0.02, patience=0.1)
    async with connect(peer, approve=lambda p: Approve(), backoff=impatient) as chat:
        await peer.stop()
        with pytest.raises(ConnectionFailed, match=r"stayed away for 0\.1 s"):
            await said(chat, "at most 4")
    await peer.start()
    async with connect(peer, approve=lambda p: Approve(), backoff=QUICK) as chat:
        messages = [message async for message in chat.resume()]
    assert kinds(messages)[-1] == "chat_response"
    assert [prompt.prompt for prompt in peer.answers("prompt")] == ["at most 4"]


async def test_a_refused_prompt_is_settled_and_raised(make_peer: Any, connect: Any, proposing: Any) -> None:
    peer = await make_peer(proposing)
    peer.refuse = lambda message: "another client has the floor"
    async with connect(peer, approve=lambda p: Approve(), backoff=QUICK) as chat:
        with pytest.raises(ServerRefused, match="another client has the floor"):
            await said(chat, "at most 4")
        peer.refuse = lambda message: None
        peer.drop()
        assert kinds(await said(chat, "at most 5"))[-1] == "chat_response"
    assert [prompt.prompt for prompt in peer.answers("prompt")] == ["at most 5"]


async def test_an_open_ask_of_a_continued_session_is_answered_first(
    make_peer: Any, connect: Any, proposing: Any, lines: Any
) -> None:
    peer = await make_peer(proposing)
    for message in (Prompt(prompt="at most 4"), *lines.propose()):
        peer.store(message)
    asked: list[Any] = []
    async with connect(peer, approve=lambda p: asked.append(p) or Approve()) as chat:
        assert asked == []
        messages = [message async for message in chat.resume()]
        assert kinds(messages) == ["tool_output", "chat_response"]
        assert [message async for message in chat.resume()] == []
        assert kinds(await said(chat, "again"))[-1] == "chat_response"


async def test_a_prompt_in_a_continued_session_comes_after_the_open_turn(
    make_peer: Any, connect: Any, proposing: Any, lines: Any
) -> None:
    peer = await make_peer(proposing)
    for message in (Prompt(prompt="first"), *lines.propose("call-0")):
        peer.store(message)

    def script(peer: Any, message: Any) -> Any:
        if isinstance(message, Prompt):
            return [ChatResponse(response="hello"), AskForFeedback()]
        return lines.settle("call-0", "applied")

    peer.script = script
    async with connect(peer, approve=lambda p: Approve()) as chat:
        messages = await said(chat, "second")
    assert [getattr(m, "response", m.kind) for m in messages] == ["tool_output", "applied", "hello"]


async def test_the_words_of_the_open_turn_are_not_said_again(
    make_peer: Any, connect: Any, proposing: Any, lines: Any
) -> None:
    """A notebook's cell that was interrupted at the card is run again."""
    peer = await make_peer(proposing)
    for message in (Prompt(prompt="at most 4"), *lines.propose()):
        peer.store(message)
    async with connect(peer, approve=lambda p: Approve()) as chat:
        assert kinds(await said(chat, "at most 4")) == ["tool_output", "chat_response"]
        assert len(peer.answers("prompt")) == 1
        await said(chat, "at most 4")
    assert len(peer.answers("prompt")) == 2


async def test_a_watcher_answers_nothing(make_peer: Any, connect: Any, proposing: Any, lines: Any) -> None:
    peer = await make_peer(proposing)
    peer.has_floor = False
    for message in (Prompt(prompt="at most 4"), *lines.propose()):
        peer.store(message)
    async with connect(peer, approve=lambda p: pytest.fail("asked"), floor="watch") as chat:
        turn = asyncio.ensure_future(anext(chat.resume(exclude_message_types=None)))
        await asyncio.sleep(0.1)
        await peer.say(*lines.settle("call-1"))
        await turn
    assert [query.get("floor") for query in peer.queries] == [["watch"]]
    assert peer.answers("validation_response") == []


async def test_who_was_displaced_comes_back_as_a_watcher(
    make_peer: Any, connect: Any, proposing: Any
) -> None:
    peer = await make_peer(proposing)
    async with connect(peer, approve=lambda p: Approve(), floor="take", backoff=QUICK) as chat:
        await said(chat, "at most 4")
        peer.has_floor = False
        await peer.say_live(Presence(connections=2, you_have_the_floor=False))
        await asyncio.sleep(0.05)
        peer.drop()
        await until(lambda: len(peer.queries) == 2)
    assert [query.get("floor") for query in peer.queries] == [["take"], ["watch"]]


async def test_a_critical_error_ends_the_turn_and_the_next_prompt_resumes(
    make_peer: Any, connect: Any, lines: Any
) -> None:
    def script(peer: Any, message: Any) -> Any:
        if message.prompt == "break":
            return [CriticalErrorMessage(error="out of paper")]
        return [ChatResponse(response="fine"), AskForPrompt()]

    peer = await make_peer(script)
    async with connect(peer, backoff=QUICK) as chat:
        messages = await said(chat, "break")
        assert kinds(messages) == ["critical_error"]
        peer.store(UncriticalErrorMessage(error="the turn broke off"))
        peer.store(AskForPrompt())
        assert kinds(await said(chat, "go on")) == ["error", "chat_response"]


async def test_data_are_fetched_once(make_peer: Any, connect: Any, lines: Any) -> None:
    def script(peer: Any, message: Any) -> Any:
        number = len(peer.answers("prompt"))
        if isinstance(message, Prompt):
            return lines.request_solve(f"solve-{number}")
        return lines.settle(f"solve-{number}")

    peer = await make_peer(script)
    async with connect(peer) as chat:
        await said(chat, "solve")
        await said(chat, "solve")
    assert len([path for path in peer.fetched if "opt_input_data" in path]) == 1


async def test_a_fetch_that_fails_for_good_is_raised_and_the_ask_stays_open(
    make_peer: Any, connect: Any, solving: Any
) -> None:
    peer = await make_peer(solving)
    peer.head = None
    async with connect(peer, backoff=QUICK) as chat:
        peer.data["data-1"] = None
        with pytest.raises(ProtocolError, match="is not understood"):
            await said(chat, "solve")
        peer.data["data-1"] = "{}"
        assert [m.kind async for m in chat.resume()] == ["tool_output", "chat_response"]
