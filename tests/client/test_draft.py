from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from decision_ai.client.draft import Draft
from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Reasoning
from decision_ai.client.schemas.chat_messages.error import UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.live import (
    Cancelled,
    ChatResponseDelta,
    Options,
    Presence,
    ReasoningDelta,
)
from decision_ai.client.schemas.chat_messages.protocol import AskForPrompt
from decision_ai.client.schemas.chat_messages.tool import ToolCall


def drafted(messages: Sequence[Any]) -> Draft:
    draft = Draft()
    for message in messages:
        draft = draft.after(message)
    return draft


@given(st.lists(st.text()), st.lists(st.text()))
def test_pieces_make_the_whole_and_what_was_withdrawn_is_gone(lost: list[str], kept: list[str]) -> None:
    pieces = [ChatResponseDelta(delta=text) for text in lost]
    pieces += [ChatResponseDelta(delta="", restart=True)]
    pieces += [ChatResponseDelta(delta=text) for text in kept]
    assert drafted([ReasoningDelta(delta="hm"), *pieces]) == Draft(response="".join(kept))


def test_a_restart_may_bring_the_first_piece() -> None:
    pieces = [ChatResponseDelta(delta="ol"), ChatResponseDelta(delta="ne", restart=True)]
    assert drafted([*pieces, ChatResponseDelta(delta="w")]).response == "new"


@pytest.mark.parametrize(
    "message",
    [
        ChatResponse(response="half a"),
        UncriticalErrorMessage(error="the model does not answer"),
        ToolCall(tool_data=[]),
        AskForPrompt(),
        Cancelled(),
    ],
)
def test_what_is_said_in_full_ends_a_draft(message: Any) -> None:
    assert not drafted([ReasoningDelta(delta="x"), ChatResponseDelta(delta="half a"), message])


def test_what_is_no_part_of_it_leaves_a_draft_alone() -> None:
    draft = Draft(response="half a", reasoning="hm")
    assert draft.after(Presence(connections=2, you_have_the_floor=True)) == draft
    assert draft.after(Options(options=["a"])) == draft
    assert draft.after(Reasoning(content="hm")) == Draft(response="half a")
