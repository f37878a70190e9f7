"""A streamed reply put together from its chunks, and what of it a person may see on the way."""

from collections.abc import Iterator
from typing import Any

from decision_ai_server.model_client.decisions import DecisionUsage
from decision_ai_server.model_client.errors import StreamingUnsupportedError
from decision_ai_server.model_client.events import AnswerDelta, ReasoningDelta
from decision_ai_server.model_client.partial_text import PartialText
from decision_ai_server.model_client.replies import (
    Failure,
    RawCall,
    RawReply,
    arguments_text,
    checked,
    failure_in_body,
    part,
    parts,
    text,
    usage_in,
)
from decision_ai_server.model_client.tool_schemas import DECISION_ACTIONS, readable


class _GrowingCall:
    """A tool call that is still arriving; its first fragment says what it is."""

    def __init__(self, key: str, name: str) -> None:
        self.key, self.name = key, name
        self.arguments: list[str] = []


class Assembly:
    """Takes the chunks of one stream, in order.

    Args:
        native: whether the reply is a tool call; if not, its content is the decision.
    """

    def __init__(self, *, native: bool) -> None:
        self._native = native
        self._content: list[str] = []
        self._calls: list[_GrowingCall] = []
        self._places: dict[int, _GrowingCall] = {}
        self._answer = PartialText(tuple(DECISION_ACTIONS.values()))
        self._finish_reason: str | None = None
        self._failure: Failure | None = None
        self._is_begun = False
        self.usage: DecisionUsage | None = None

    def feed(self, chunk: Any) -> Iterator[AnswerDelta | ReasoningDelta]:
        """Take one chunk and tell what became readable.

        Raises:
            StreamingUnsupportedError: if tool calls come in a form that cannot be put together.
        """
        self._is_begun = True
        self.usage = usage_in(chunk) or self.usage
        if (error := part(chunk, "error")) is not None:
            self._failure = failure_in_body(error)
        for choice in list(parts(part(chunk, "choices")))[:1]:
            self._finish_reason = text(part(choice, "finish_reason")) or self._finish_reason
            yield from self._take(part(choice, "delta"))

    def reply(self) -> RawReply | Failure:
        """What the stream brought, now that it has ended."""
        if self._failure is not None:
            return self._failure
        if not self._is_begun:
            return Failure("empty", "")
        if self._finish_reason is None:
            return Failure("cut", "", usage=self.usage)
        calls = tuple(RawCall(call.key, call.name, "".join(call.arguments)) for call in self._calls)
        return checked(RawReply("".join(self._content), calls, self._finish_reason, self.usage))

    def _take(self, delta: Any) -> Iterator[AnswerDelta | ReasoningDelta]:
        if reasoning := text(part(delta, "reasoning_content")) or text(part(delta, "reasoning")):
            yield ReasoningDelta(readable(reasoning))
        if content := text(part(delta, "content")) or text(part(delta, "refusal")):
            yield from self._take_content(content)
        for fragment in parts(part(delta, "tool_calls")):
            yield from self._take_call(fragment)

    def _take_content(self, content: str) -> Iterator[AnswerDelta | ReasoningDelta]:
        self._content.append(content)
        if not self._native:
            yield from self._answered(content)
        elif self._calls:
            yield ReasoningDelta(readable(content))

    def _take_call(self, fragment: Any) -> Iterator[AnswerDelta | ReasoningDelta]:
        is_first = not self._calls
        call = self._call_of(fragment)
        if is_first and self._native and (beside := "".join(self._content)).strip():
            # Content is a thought only beside a call; without one it may be the decision itself.
            yield ReasoningDelta(readable(beside))
        arguments = arguments_text(part(part(fragment, "function"), "arguments"))
        call.arguments.append(arguments)
        if call is self._calls[0] and call.name in DECISION_ACTIONS:
            yield from self._answered(arguments)

    def _call_of(self, fragment: Any) -> _GrowingCall:
        """The call a fragment belongs to: by its index, or without one by its id."""
        index, key = part(fragment, "index"), text(part(fragment, "id"))
        if isinstance(index, int):
            if index in self._places:
                return self._places[index]
            if not self._places and index != 0:
                raise StreamingUnsupportedError(f"the first tool call of the stream has the index {index}")
            self._places[index] = self._begun(fragment, key)
            return self._places[index]
        if self._calls and key in {"", self._calls[-1].key}:
            return self._calls[-1]
        return self._begun(fragment, key)

    def _begun(self, fragment: Any, key: str) -> _GrowingCall:
        name = text(part(part(fragment, "function"), "name"))
        if not key or not name:
            missing = "id" if name else "name"
            raise StreamingUnsupportedError(f"the first fragment of a streamed tool call has no {missing}")
        self._calls.append(_GrowingCall(key, name))
        return self._calls[-1]

    def _answered(self, fragment: str) -> Iterator[AnswerDelta]:
        if readable := self._answer.feed(fragment):
            yield AnswerDelta(readable)
