"""A response as it is written, on a screen of memory and with the events of a script."""

import io
import time
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Reasoning
from decision_ai.client.schemas.chat_messages.error import UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta, Presence, ReasoningDelta
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData
from decision_ai.terminal.backstage import Over, Said
from decision_ai.terminal.chat import TerminalChat
from decision_ai.terminal.screen import Screen

PRESENCE = Presence(connections=2, you_have_the_floor=True)


class ScriptedBackstage:
    """Plays messages; after each of them it waits until the screen had the time to draw it."""

    def __init__(self, messages: list[Any], *, pause: float = 0.0) -> None:
        self._events: Iterator[Any] = iter([*map(Said, messages), Over()])
        self._pause = pause

    def begin(self, prompt: str | None) -> None:
        pass

    def next_event(self) -> Any:
        time.sleep(self._pause)
        return next(self._events)


def played(messages: list[Any], *, live: bool, pause: float = 0.15) -> str:
    out = io.StringIO()
    screen = Screen(out, io.StringIO())
    if live:
        screen.console = Console(file=out, force_terminal=True, width=60, height=20, _environ={})
        screen.live = True
    backstage: Any = ScriptedBackstage(messages, pause=pause if live else 0.0)
    commands: Any = None
    TerminalChat(screen, backstage, commands)._turn("hello")
    return out.getvalue()


WRITTEN = [
    ReasoningDelta(delta="first the tent"),
    ChatResponseDelta(delta="The wrong"),
    ChatResponseDelta(delta="", restart=True),
    ChatResponseDelta(delta="The plan "),
    PRESENCE,
    ChatResponseDelta(delta="is cheap."),
    ChatResponse(response="The plan is cheap."),
]


def test_in_a_pipe_only_what_was_said_in_full_is_written() -> None:
    assert played(WRITTEN, live=False) == "\nThe plan is cheap.\n"


def test_on_a_terminal_it_grows_and_stands_there_once(on_screen: Any) -> None:
    raw = played(WRITTEN, live=True)
    for piece in ("first the tent", "The wrong", "The plan", "writing …"):
        assert piece in raw
    assert on_screen(raw) == ["", "The plan is cheap."]


def test_a_response_longer_than_the_screen_leaves_nothing_behind(on_screen: Any) -> None:
    lines = [f"{n} {'word ' * 30}".strip() for n in range(40)]
    pieces = [ChatResponseDelta(delta=f"{line}\n") for line in lines]
    raw = played([*pieces, ChatResponse(response="Short.")], live=True, pause=0.03)
    assert "39 word" in raw
    assert on_screen(raw) == ["", "Short."]


def test_reasoning_is_said_once_and_the_response_goes_on_below(on_screen: Any) -> None:
    thought = "first the tent"
    messages = [ReasoningDelta(delta=thought), ChatResponseDelta(delta="The"), Reasoning(content=thought)]
    assert on_screen(played([*messages, ChatResponse(response="The plan.")], live=True)) == [
        thought, "", "The plan.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (UncriticalErrorMessage(error="the model does not answer"), "Error: the model does not answer"),
        (ToolCall(tool_data=[ToolData(name="solve", args={}, preface="I solve it.")]), "I solve it."),
    ],
)
def test_what_comes_instead_of_the_response_takes_its_place(message: Any, words: str, on_screen: Any) -> None:
    assert on_screen(played([ChatResponseDelta(delta="The pl"), message], live=True)) == [words]


def test_a_turn_begins_with_a_clean_sheet(on_screen: Any) -> None:
    raw = played([ChatResponseDelta(delta="cut off")], live=True)
    assert "cut off" in raw
    assert on_screen(raw) == []
