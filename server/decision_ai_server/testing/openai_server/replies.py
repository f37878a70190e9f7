"""What a scripted endpoint answers, as values; all of them but `Answering` can be written in a JSON file."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

Feature: TypeAlias = Literal[
    "stream", "stream_options", "tools", "tool_choice", "json_schema", "parallel_tool_calls"
]
"""A part of a request that an endpoint may refuse."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Usage(_Value):
    """Tokens as the endpoint reports them."""

    prompt_tokens: int = 20
    completion_tokens: int = 5


class Call(_Value):
    """One tool call of a reply."""

    name: str
    arguments: str
    """JSON text, or whatever a broken model writes there."""
    id: str = ""
    """"" = one is given."""


class Failure(_Value):
    """An answer that is an error."""

    status: int
    message: str = "the script says so"
    html: bool = False
    """A page, as a proxy in front of the endpoint sends it, instead of OpenAI's JSON."""


class Manner(_Value):
    """How a reply travels. Its pieces are the events of a stream, or two halves of a plain body."""

    fragment: int | None = Field(default=8, ge=1)
    """Characters of text or arguments in one event of a stream; None = the whole reply in one event."""
    delay_seconds: float = 0
    """Pause before every piece but the first."""
    stall_seconds: float = 0
    """One long silence, after `stall_after` pieces."""
    stall_after: int = 0
    """0 = before the first byte, headers included."""
    cut_after_bytes: int | None = None
    """Close the connection after so many bytes of the whole answer; 0 = before the first."""
    cut_after_pieces: int | None = None
    """Close the connection after so many pieces; 0 = after the headers."""
    body: Literal["whole", "empty", "blank", "nul"] = "whole"
    """What the body is made of: the reply, or nothing, or white space, or NUL bytes."""
    nul_bytes: int = 0
    """NUL bytes in front of the reply, as a gateway sends to keep a connection open."""
    keep_alive_comments: int = 0
    """Comment lines in front of the first event of a stream."""
    call_index: bool = True
    """Whether fragments of a tool call say which call they belong to."""
    done: bool = True
    """Whether a stream ends with `[DONE]`."""
    reasoning_field: Literal["reasoning_content", "reasoning"] = "reasoning_content"
    """Where the model's thoughts are put; endpoints differ."""


class Reply(_Value):
    """One answer to a request: streamed where the request asks for it, else one JSON body."""

    content: str | None = None
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    finish_reason: str = ""
    """"" = `tool_calls` or `stop`, as the reply is."""
    usage: Usage | None = Usage()
    """None = the endpoint does not report any."""
    failure: Failure | None = None
    headers: dict[str, str] = Field(default_factory=dict)
    """Further headers, such as `Retry-After`."""
    manner: Manner = Manner()

    @classmethod
    def text(cls, content: str, **fields: Any) -> "Reply":
        """A reply in words; `fields` are further fields of `Reply`."""
        return cls(content=content, **fields)

    @classmethod
    def tool_call(cls, name: str, arguments: str | dict[str, Any], **fields: Any) -> "Reply":
        """A reply that calls one tool; arguments that are no string are written as JSON."""
        return cls(calls=(call(name, arguments),), **fields)

    @classmethod
    def tool_calls(cls, *calls: Call, **fields: Any) -> "Reply":
        """A reply with several calls at once."""
        return cls(calls=calls, **fields)

    @classmethod
    def written_call(
        cls,
        name: str,
        arguments: dict[str, Any],
        dress: Literal["plain", "fenced", "tagged", "doubled"] = "plain",
        **fields: Any,
    ) -> "Reply":
        """A call that the model wrote into its text instead of calling; `dress` is how it looks there."""
        written = json.dumps({"name": name, "arguments": arguments})
        dressed = {
            "plain": written,
            "fenced": f"```json\n{written}\n```",
            "tagged": f"<tool_call>\n{written}\n</tool_call>",
            "doubled": written.replace("{", "{{").replace("}", "}}"),
        }
        return cls(content=dressed[dress], **fields)

    @classmethod
    def error(
        cls,
        status: int,
        message: str = "the script says so",
        headers: dict[str, str] | None = None,
        **fields: Any,
    ) -> "Reply":
        """An error; `html=True` answers with a page instead of JSON."""
        html = fields.pop("html", False)
        failure = Failure(status=status, message=message, html=html)
        return cls(failure=failure, headers=headers or {}, **fields)


class Chunk(_Value):
    """A part of a recorded body."""

    at: float
    """Seconds since the request."""
    data: str
    """The line or lines as they came, secrets removed."""


class Exchange(_Value):
    """A recorded request and what came back; played, it answers as it was, without the waiting."""

    request: dict[str, Any]
    status: int
    headers: dict[str, str] = Field(default_factory=dict)
    """Only those that a client acts upon: the type of the content and `Retry-After`."""
    chunks: tuple[Chunk, ...]
    """The body: the lines of a stream, or one chunk."""
    complete: bool = True
    """Whether the body came to its end; a cut one is cut again when it is played."""


@dataclass(frozen=True)
class Answering:
    """A reply that depends on the request; only for a server in the same process.

    What the function raises ends the connection, and is raised again when the server ends.
    """

    reply: Callable[[dict[str, Any]], "Reply | Exchange"]


Played: TypeAlias = Reply | Exchange | Answering


class Peer(_Value):
    """What the endpoint is like, whatever it replies."""

    refuses: frozenset[Feature] = frozenset()
    refusal_status: int = 400
    """llama-cpp-python answers 500 where others say 400."""
    models: tuple[str, ...] = ("scripted",)
    api_key: str | None = None
    """The bearer key it wants; None = anybody may ask."""
    repeat_last: bool = False
    """Whether the last reply is given again and again; otherwise a request after it is refused."""


class Script(_Value):
    """The file of a scripted endpoint in a process of its own."""

    replies: tuple[Reply | Exchange, ...]
    peer: Peer = Peer()


def call(name: str, arguments: str | dict[str, Any]) -> Call:
    """A tool call; arguments that are no string are written as JSON."""
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return Call(name=name, arguments=written)
