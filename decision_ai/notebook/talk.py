"""A turn in a cell's output: what is said, and the response as it is written."""

import asyncio
from html import escape
from importlib import import_module
from typing import Any

from decision_ai.client.chat_connection import ChatConnection
from decision_ai.client.draft import Draft
from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Reasoning
from decision_ai.client.schemas.chat_messages.error import CriticalErrorMessage, UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta, Options, ReasoningDelta
from decision_ai.client.schemas.chat_messages.tool import ToolCall
from decision_ai.client.turn import DEFAULT_EXCLUDED, StreamedMessage
from decision_ai.terminal.wording import visible

_HIDDEN = DEFAULT_EXCLUDED - {"chat_response_delta", "reasoning_delta", "options"}
_UPDATE_SECONDS = 0.1
"""A front end that is told more often only flickers."""


async def talk(chat: ChatConnection, prompt: str) -> None:
    """Say something and display what follows.

    A response grows where a front end can show it; elsewhere it is displayed once it is said. An interrupt of
    the cell stops the turn.

    Args:
        chat: an open connection.
        prompt: what to say.

    Raises:
        DecisionAIError: as `ChatConnection.stream_messages`.
    """
    output, draft = _Output(), Draft()
    try:
        async for message in chat.stream_messages(prompt, _HIDDEN):
            draft = draft.after(message)
            if isinstance(message, ChatResponseDelta | ReasoningDelta):
                output.grow(draft)
            else:
                output.say(_text(message))
    except asyncio.CancelledError:
        chat.cancel()  # nobody waits for the rest, which would cost time and money
        raise


class _Output:
    """The output of the cell; what grows is written over by what is said."""

    def __init__(self) -> None:
        display = import_module("IPython.display")
        self._display = display.display
        shell = import_module("IPython").get_ipython()
        self._grows = getattr(shell, "kernel", None) is not None
        self._handle: Any = None
        self._updated = 0.0

    def grow(self, draft: Draft) -> None:
        """Show what is being written."""
        now = asyncio.get_running_loop().time()
        if self._grows and now >= self._updated + _UPDATE_SECONDS:
            self._updated = now
            self._show(f"{draft.reasoning}\n\n{draft.response}".strip())

    def say(self, text: str) -> None:
        """Show what is said, if anything, in place of what was being written."""
        if text or self._handle is not None:
            self._show(text)
        if text:
            self._handle = None

    def _show(self, text: str) -> None:
        shown = visible(text)
        # The classes keep MathJax from reading dollar signs in labels as formulas.
        frame = "class='mathjax_ignore tex2jax_ignore' style='white-space:pre-wrap'"
        forms = {"text/plain": shown, "text/html": f"<div {frame}>{escape(shown)}</div>"}
        if self._handle is None:
            self._handle = self._display(forms, raw=True, display_id=True)
        else:
            self._handle.update(forms, raw=True)


def _text(message: StreamedMessage) -> str:
    """What a message says to the person; empty for those that say nothing."""
    match message:
        case ChatResponse(response=text) | Reasoning(content=text):
            return text
        case ToolCall(tool_data=calls):
            return "\n".join(call.preface for call in calls if call.preface)
        case Options(options=choices):
            return "\n".join(f"- {choice}" for choice in choices)
        case UncriticalErrorMessage(error=text) | CriticalErrorMessage(error=text):
            return f"Error: {text}"
    return ""
