import asyncio
from collections.abc import AsyncIterator
from typing import Any

import IPython
import pytest

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Reasoning
from decision_ai.client.schemas.chat_messages.error import UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta, Options, ReasoningDelta
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData, ToolOutput
from decision_ai.notebook.talk import talk

PAUSE = 0.12


class Cell:
    """The outputs of a cell, each as its texts in the order in which they were shown."""

    def __init__(self) -> None:
        self.outputs: list[list[str]] = []
        self.html = ""

    def display(self, forms: dict[str, str], *, raw: bool, display_id: bool) -> "Output":
        assert raw
        assert display_id
        self.outputs.append([])
        output = Output(self, self.outputs[-1])
        output.update(forms, raw=raw)
        return output


class Output:
    def __init__(self, cell: Cell, texts: list[str]) -> None:
        self._cell, self._texts = cell, texts

    def update(self, forms: dict[str, str], *, raw: bool) -> None:
        assert raw
        self._texts.append(forms["text/plain"])
        self._cell.html = forms["text/html"]


class Chat:
    """A connection that says what it is told to."""

    def __init__(self, messages: list[Any]) -> None:
        self.messages = messages
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True

    async def stream_messages(self, prompt: str, excluded: Any) -> AsyncIterator[Any]:
        assert prompt == "hello"
        for message in self.messages:
            if message.kind not in excluded:
                await asyncio.sleep(PAUSE)
                yield message


class Shell:
    kernel = "a kernel"


@pytest.fixture
def talked(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a cell shows of messages: in a kernel, or where nothing can be updated."""

    async def run(*messages: Any, shell: Any = Shell) -> Cell:
        cell, chat = Cell(), Chat(list(messages))
        monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
        monkeypatch.setattr("IPython.display.display", cell.display)
        await talk(chat, "hello")  # type: ignore[arg-type]
        return cell

    return run


async def test_a_response_grows_in_one_output(talked: Any) -> None:
    cell = await talked(
        ReasoningDelta(delta="hm"),
        ChatResponseDelta(delta="Wrong"),
        ChatResponseDelta(delta="The ", restart=True),
        ChatResponseDelta(delta="plan"),
        ChatResponse(response="The plan."),
    )
    assert cell.outputs == [["hm", "hm\n\nWrong", "The", "The plan", "The plan."]]


@pytest.mark.parametrize("shell", [None, "a terminal"])
async def test_where_nothing_can_be_updated_only_what_is_said_is_shown(talked: Any, shell: Any) -> None:
    cell = await talked(ChatResponseDelta(delta="The "), ChatResponse(response="The plan."), shell=shell)
    assert cell.outputs == [["The plan."]]


async def test_whatever_is_said_has_an_output_of_its_own(talked: Any) -> None:
    call = ToolData(name="solve", id="c", args={}, preface="I solve it.")
    cell = await talked(
        Reasoning(content="first"),
        ToolCall(tool_data=[call]),
        ToolOutput(tool_id="c", tool_output="a long table"),
        Options(options=["a", "b"]),
        UncriticalErrorMessage(error="the model does not answer"),
    )
    assert cell.outputs == [["first"], ["I solve it."], ["- a\n- b"], ["Error: the model does not answer"]]


async def test_what_was_withdrawn_does_not_stay(talked: Any) -> None:
    silent = ToolCall(tool_data=[ToolData(name="solve", id="c", args={})])
    cell = await talked(ChatResponseDelta(delta="Wrong"), silent, ChatResponse(response="The plan."))
    assert cell.outputs == [["Wrong", "", "The plan."]]


async def test_what_is_said_is_no_markup(talked: Any, evil: str) -> None:
    cell = await talked(ChatResponse(response=f"{evil} \x1b[2J"))
    assert "<script" not in cell.html
    assert cell.outputs == [[f"{evil} \\x1b[2J"]]


async def test_a_front_end_is_not_flooded(talked: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.PAUSE", 0)
    pieces = [ChatResponseDelta(delta="x")] * 1000
    ((*grown, last),) = (await talked(*pieces, ChatResponse(response="x" * 1000))).outputs
    assert len(grown) < 20
    assert last == "x" * 1000


async def test_an_interrupted_cell_stops_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IPython, "get_ipython", lambda: None)
    chat: Any = Chat([ChatResponse(response="too late")])
    cell = asyncio.ensure_future(talk(chat, "hello"))
    await asyncio.sleep(PAUSE / 2)
    cell.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cell
    assert chat.cancelled
