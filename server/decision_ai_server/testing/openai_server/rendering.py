"""A reply as the bytes of an answer: one JSON body, or the events of a stream."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from decision_ai_server.testing.openai_server.replies import Exchange, Failure, Manner, Reply

FORM = {"created": 0, "system_fingerprint": "scripted"}
BLANK, NUL = b" \n \n", b"\0" * 64


@dataclass(frozen=True)
class Answer:
    """What goes over the wire: the body in pieces, and how they travel."""

    status: int
    headers: Mapping[str, str]
    pieces: tuple[bytes, ...]
    manner: Manner


def answer(reply: Reply | Exchange, request: Mapping[str, Any], number: int) -> Answer:
    """The answer to a request.

    Args:
        reply: what the script says.
        request: the body of the request.
        number: how many requests came before; it makes the ids of calls differ.
    """
    if isinstance(reply, Exchange):
        return _replayed(reply, request)
    if reply.failure is not None:
        return _failed(reply, reply.failure)
    streamed = bool(request.get("stream"))
    kind = {"Content-Type": "text/event-stream" if streamed else "application/json"}
    pieces = _pieces(reply, request, number)
    return Answer(200, kind | reply.headers, pieces, reply.manner)


def error_body(status: int, message: str) -> dict[str, Any]:
    """An error in OpenAI's form."""
    kind = "internal_server_error" if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "invalid_request_error"
    return {"error": {"message": message, "type": kind, "param": None, "code": None}}


def _replayed(exchange: Exchange, request: Mapping[str, Any]) -> Answer:
    if bool(request.get("stream")) != bool(exchange.request.get("stream")):
        return answer(Reply.error(400, "recorded with another value of 'stream' than is asked for"), {}, 0)
    pieces = tuple(chunk.data.encode() for chunk in exchange.chunks)
    cut = None if exchange.complete else len(pieces)
    return Answer(exchange.status, exchange.headers, pieces, Manner(cut_after_pieces=cut))


def _failed(reply: Reply, failure: Failure) -> Answer:
    if failure.html:
        kind, text = "text/html", f"<html><body><h1>{failure.status}</h1>{failure.message}</body></html>"
    else:
        kind, text = "application/json", json.dumps(error_body(failure.status, failure.message))
    return Answer(failure.status, {"Content-Type": kind} | reply.headers, (text.encode(),), reply.manner)


def _pieces(reply: Reply, request: Mapping[str, Any], number: int) -> tuple[bytes, ...]:
    manner = reply.manner
    padding = (b"\0" * manner.nul_bytes,) if manner.nul_bytes else ()
    match manner.body:
        case "empty":
            return padding
        case "blank":
            return (*padding, BLANK)
        case "nul":
            return (*padding, NUL)
    if not request.get("stream"):
        body = json.dumps(_completion(reply, request, number)).encode()
        return (*padding, body[: len(body) // 2], body[len(body) // 2 :])
    comments = (b": keep-alive\n\n",) * manner.keep_alive_comments
    events = (_event(chunk) for chunk in _chunks(reply, request, number))
    return (*padding, *comments, *events, *((b"data: [DONE]\n\n",) if manner.done else ()))


def _event(chunk: Mapping[str, Any]) -> bytes:
    return f"data: {json.dumps(chunk)}\n\n".encode()


def _completion(reply: Reply, request: Mapping[str, Any], number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.content}
    if reply.reasoning:
        message[reply.manner.reasoning_field] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = _whole_calls(reply, number)
    choice = {"index": 0, "message": message, "finish_reason": _finish_reason(reply), "logprobs": None}
    return _frame("chat.completion", request, number) | {"choices": [choice]} | _usage(reply)


def _chunks(reply: Reply, request: Mapping[str, Any], number: int) -> Iterator[dict[str, Any]]:
    frame = _frame("chat.completion.chunk", request, number)

    def chunk(delta: Mapping[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
        return frame | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}

    deltas = list(_deltas(reply, number))
    if reply.manner.fragment is None:
        whole = {name: value for delta in deltas for name, value in delta.items()}
        yield chunk(whole, _finish_reason(reply))
    else:
        yield from (chunk(delta) for delta in deltas)
        yield chunk({}, _finish_reason(reply))
    if (request.get("stream_options") or {}).get("include_usage") and reply.usage is not None:
        yield frame | {"choices": []} | _usage(reply)


def _deltas(reply: Reply, number: int) -> Iterator[dict[str, Any]]:
    """The parts of a message in the order of their arrival."""
    manner = reply.manner
    yield {"role": "assistant", "content": None if reply.calls else ""}
    for text in _fragments(reply.reasoning, manner.fragment):
        yield {manner.reasoning_field: text}
    for text in _fragments(reply.content or "", manner.fragment):
        yield {"content": text}
    calls = [
        {"index": index} | whole if manner.call_index else whole
        for index, whole in enumerate(_whole_calls(reply, number))
    ]
    if manner.fragment is None:
        if calls:
            yield {"tool_calls": calls}
        return
    for whole in calls:
        function = whole["function"]
        yield {"tool_calls": [whole | {"function": function | {"arguments": ""}}]}
        index = {"index": whole["index"]} if manner.call_index else {}
        for text in _fragments(function["arguments"], manner.fragment):
            yield {"tool_calls": [index | {"function": {"arguments": text}}]}


def _fragments(text: str, length: int | None) -> list[str]:
    step = length or max(len(text), 1)
    return [text[start : start + step] for start in range(0, len(text), step)]


def _whole_calls(reply: Reply, number: int) -> list[dict[str, Any]]:
    return [
        {
            "id": call.id or f"call_{number}_{position}",
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for position, call in enumerate(reply.calls)
    ]


def _finish_reason(reply: Reply) -> str:
    return reply.finish_reason or ("tool_calls" if reply.calls else "stop")


def _usage(reply: Reply) -> dict[str, Any]:
    if reply.usage is None:
        return {}
    total = reply.usage.prompt_tokens + reply.usage.completion_tokens
    return {"usage": reply.usage.model_dump() | {"total_tokens": total}}


def _frame(kind: str, request: Mapping[str, Any], number: int) -> dict[str, Any]:
    return FORM | {"id": f"chatcmpl-{number}", "object": kind, "model": request.get("model")}
