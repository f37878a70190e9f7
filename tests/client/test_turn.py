from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.container import AssistantMessage, ToolMessage, UserMessage
from decision_ai.client.schemas.chat_messages.live import LiveMessage, Presence
from decision_ai.client.schemas.chat_messages.protocol import AskForPrompt
from decision_ai.client.turn import DEFAULT_EXCLUDED, Turn, read_prompt
from decision_ai.errors import ProtocolError

PRESENCE = Presence(connections=1, you_have_the_floor=True)


async def shown(turn: Turn, excluded: Any, *, over: bool = False) -> list[str]:
    return [message.kind async for message in turn.shown(excluded, over=over)]


def kinds(*unions: Any) -> set[str]:
    members = [
        member for union in unions for member in getattr(union.__args__[0], "__args__", union.__args__)
    ]
    return {member.model_fields["kind"].default for member in members if hasattr(member, "model_fields")}


def test_only_what_the_assistant_says_and_does_is_shown_by_default() -> None:
    every = kinds(UserMessage, AssistantMessage, ToolMessage, LiveMessage)
    assert every - DEFAULT_EXCLUDED == {
        "chat_response", "reasoning", "tool_call", "tool_output", "error", "critical_error",
    }  # fmt: skip
    assert every >= DEFAULT_EXCLUDED


async def test_the_reader_ends_with_the_last_message() -> None:
    turn = Turn()
    turn.deliver(ChatResponse(response="x"))
    turn.deliver(AskForPrompt(), last=True)
    assert await shown(turn, DEFAULT_EXCLUDED) == ["chat_response"]


async def test_of_a_turn_that_is_over_only_what_waits_is_shown() -> None:
    turn = Turn()
    turn.deliver(PRESENCE)
    assert await shown(turn, None, over=True) == ["presence"]
    assert await shown(turn, None, over=True) == []


async def test_what_is_live_never_ends_a_turn() -> None:
    turn = Turn()
    turn.deliver(PRESENCE)
    turn.deliver(AskForPrompt(), last=True)
    turn.deliver(PRESENCE)
    assert await shown(turn, [Presence]) == ["ask_for_prompt"]


async def test_an_error_comes_after_the_messages_before_it() -> None:
    turn = Turn()
    turn.deliver(ChatResponse(response="x"))
    turn.fail(LookupError("gone"))
    stream = turn.shown((), over=False)
    assert (await anext(stream)).kind == "chat_response"
    with pytest.raises(LookupError, match="gone"):
        await anext(stream)


def test_a_prompt_is_read() -> None:
    assert read_prompt(" x ") == Prompt(prompt=" x ")
    with pytest.raises(ProtocolError, match="the prompt is empty"):
        read_prompt("\t")


async def test_what_was_said_between_turns_comes_first() -> None:
    said = [ChatResponse(response="old"), AskForPrompt(), ChatResponse(response="new"), AskForPrompt()]
    first, later = Turn(), Turn()
    first.catch_up(said, None)
    later.catch_up(said, 2)
    assert await shown(first, None, over=True) == []
    assert await shown(later, None, over=True) == ["chat_response"]
