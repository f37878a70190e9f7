"""What is live over a connection: shown to who asks for it, and never part of the conversation."""

import asyncio
from typing import Any

import pytest

from decision_ai.client.backoff import Backoff
from decision_ai.client.draft import Draft
from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.error import UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.live import Cancel, ChatResponseDelta, ReasoningDelta
from decision_ai.client.schemas.chat_messages.protocol import AskForPrompt
from decision_ai.client.turn import DEFAULT_EXCLUDED

PIECES = [
    ReasoningDelta(delta="hm"),
    ChatResponseDelta(delta="The wrong"),
    ChatResponseDelta(delta="The ", restart=True),
    ChatResponseDelta(delta="plan."),
]


async def heard(peer: Any, *texts: str) -> None:
    async with asyncio.timeout(5):
        while [message.prompt for message in peer.answers("prompt")] != list(texts):  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def answered(peer: Any, chat: Any, pieces: list[Any], excluded: Any) -> list[Any]:
    """What a stream shows of a turn that is written in pieces."""
    stream = chat.stream_messages("hello", excluded)

    async def write() -> None:
        await heard(peer, "hello")
        for piece in pieces:
            await peer.say_live(piece)
        await peer.say(ChatResponse(response="The plan."), AskForPrompt())

    async with asyncio.TaskGroup() as group:
        group.create_task(write())
        return [message async for message in stream]


async def test_deltas_are_left_out_unless_they_are_asked_for(make_peer: Any, connect: Any) -> None:
    for excluded, expected in (
        (DEFAULT_EXCLUDED, ["chat_response"]),
        (DEFAULT_EXCLUDED - {"chat_response_delta"}, [*["chat_response_delta"] * 3, "chat_response"]),
        (DEFAULT_EXCLUDED - {"reasoning_delta"}, ["reasoning_delta", "chat_response"]),
    ):
        peer = await make_peer(lambda peer, message: None)
        async with connect(peer) as chat:
            messages = await answered(peer, chat, PIECES, excluded)
        assert [message.kind for message in messages] == expected


async def test_deltas_never_get_into_the_conversation(make_peer: Any, connect: Any) -> None:
    peer = await make_peer(lambda peer, message: None)
    async with connect(peer) as chat:
        messages = await answered(peer, chat, PIECES, None)
        assert tuple(chat.messages) == peer.conversation.messages
        assert {message.kind for message in chat.messages}.isdisjoint({"chat_response_delta"})
    draft = Draft()
    for message in messages[: messages.index(ChatResponse(response="The plan."))]:
        draft = draft.after(message)
    assert draft == Draft(response="The plan.")


async def test_a_long_response_arrives_piece_by_piece(make_peer: Any, connect: Any) -> None:
    pieces = [ChatResponseDelta(delta="word " * 100)] * 500
    peer = await make_peer(lambda peer, message: None)
    async with connect(peer) as chat:
        messages = await answered(peer, chat, pieces, DEFAULT_EXCLUDED - {"chat_response_delta"})
    assert len(messages) == 501


async def test_deltas_between_turns_and_after_a_cancel_belong_to_no_turn(
    make_peer: Any, connect: Any
) -> None:
    peer = await make_peer(lambda peer, message: None)
    async with connect(peer) as chat:
        shown = []
        await peer.say_live(ChatResponseDelta(delta="before"))
        async for message in chat.stream_messages("hello", DEFAULT_EXCLUDED - {"prompt"}):
            shown.append(message.kind)
            chat.cancel()
        await peer.say_live(ChatResponseDelta(delta="late"))
        assert peer.live == [Cancel()]
        peer.script = lambda peer, message: [ChatResponse(response="new"), AskForPrompt()]
        everything = [message async for message in chat.stream_messages("again", None)]
    assert shown == ["prompt"]
    assert {message.kind for message in everything}.isdisjoint({"chat_response_delta"})


async def test_what_was_written_before_a_lost_connection_is_withdrawn(make_peer: Any, connect: Any) -> None:
    peer = await make_peer(lambda peer, message: None)
    draft, drafts = Draft(), []
    async with connect(peer, backoff=Backoff(first=0.01, longest=0.05, patience=5.0)) as chat:
        async for message in chat.stream_messages("hello", None):
            draft = draft.after(message)
            drafts.append(draft.response)
            if message == Prompt(prompt="hello"):
                await peer.say_live(ChatResponseDelta(delta="The "))
            elif draft.response == "The ":
                peer.drop()
            elif message == ChatResponseDelta(delta="", restart=True):
                await peer.say_live(ChatResponseDelta(delta="is cheap."))
                await peer.say(ChatResponse(response="The plan is cheap."), AskForPrompt())
    assert [text for text in dict.fromkeys(drafts) if text] == ["The ", "is cheap."]


async def test_an_error_of_the_model_is_shown_once_and_the_next_prompt_works(
    make_peer: Any, connect: Any
) -> None:
    def script(peer: Any, message: Any) -> Any:
        if message == Prompt(prompt="fail"):
            return [UncriticalErrorMessage(error="the model does not answer"), AskForPrompt()]
        return [ChatResponse(response="fine"), AskForPrompt()]

    peer = await make_peer(script)
    async with connect(peer) as chat:
        failed = [message async for message in chat.stream_messages("fail")]
        after = [message async for message in chat.stream_messages("again")]
    assert failed == [UncriticalErrorMessage(error="the model does not answer")]
    assert after == [ChatResponse(response="fine")]


@pytest.mark.parametrize(("options", "said"), [({}, None), ({"interactive": False}, ["false"])])
async def test_it_says_that_nobody_is_there_at_every_connect(
    make_peer: Any, connect: Any, proposing: Any, options: Any, said: list[str] | None
) -> None:
    peer = await make_peer(proposing)
    async with connect(peer, **options) as chat:
        peer.drop()
        async with asyncio.timeout(5):
            while len(peer.queries) < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        assert chat.messages
    assert [query.get("interactive") for query in peer.queries] == [said, said]
