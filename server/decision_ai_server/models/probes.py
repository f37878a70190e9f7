"""Small requests that tell what an endpoint can do, and how their replies are read. No I/O."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from decision_ai_server.model_client.parsing import find_decision
from decision_ai_server.model_client.replies import RawReply

_TOOL = {
    "type": "function",
    "function": {
        "name": "note",
        "description": "Write down one word.",
        "parameters": {
            "type": "object",
            "properties": {"word": {"type": "string"}},
            "required": ["word"],
            "additionalProperties": False,
        },
    },
}
_SCHEMA = {
    "type": "object",
    "properties": {"word": {"enum": ["ready"]}, "count": {"type": "integer"}},
    "required": ["word", "count"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Verdict:
    """Whether a reply is what was asked for, and what to say about it."""

    works: bool
    detail: str


@dataclass(frozen=True)
class Probe:
    """One request.

    Attributes:
        name: what it finds out.
        body: of the request, without the model and the limit of tokens.
        judge: reads the reply.
    """

    name: str
    body: dict[str, Any]
    judge: Callable[[RawReply], Verdict]


def _asking(sentence: str, **further: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": sentence}], **further}


def _said(reply: RawReply) -> Verdict:
    if not reply.content.strip():
        # A model that reasons first may need more tokens than a probe grants.
        return Verdict(works=reply.is_cut_off, detail="no text within the tokens of this probe")
    return Verdict(works=True, detail=f"said {_short(reply.content)!r}")


def _called(reply: RawReply) -> Verdict:
    if reply.calls:
        call = reply.calls[0]
        works = call.name == "note" and isinstance(_object(call.arguments), dict)
        return Verdict(works=works, detail=f"called {call.name}({_short(call.arguments)})")
    if find_decision(reply.content, {"note"}) is not None:
        return Verdict(works=False, detail="the call came as text; it is understood, and JSON is surer")
    return Verdict(works=False, detail=f"no call; it said {_short(reply.content)!r}")


def _had_to_call(reply: RawReply) -> Verdict:
    if reply.calls:
        return Verdict(works=True, detail="enforced")
    return Verdict(works=False, detail="accepted, not enforced")


def _fits_schema(reply: RawReply) -> Verdict:
    value = _object(reply.content)
    fits = (
        isinstance(value, dict)
        and set(value) == {"word", "count"}
        and value["word"] == "ready"
        and type(value["count"]) is int
    )
    return Verdict(works=fits, detail=f"{'' if fits else 'not enforced: '}{_short(reply.content)}")


PLAIN = Probe("plain reply", _asking("Reply with the one word: ready"), _said)
STREAMED = Probe(
    "streamed reply",
    _asking("Reply with the one word: ready", stream=True, stream_options={"include_usage": True}),
    _said,
)
NATIVE_CALL = Probe(
    "native tool call",
    _asking("Call the tool `note` with the word: ready", tools=[_TOOL], tool_choice="auto"),
    _called,
)
REQUIRED_CALL = Probe(
    "tool_choice required",
    _asking("Hello, how are you?", tools=[_TOOL], tool_choice="required"),
    _had_to_call,
)
_JSON_PLEASE = "Reply with a JSON object about the word ready: its `word`, and its `count` of letters."
JSON_SCHEMA = Probe(
    "json_schema",
    _asking(
        _JSON_PLEASE,
        response_format={"type": "json_schema", "json_schema": {"name": "answer", "schema": _SCHEMA}},
    ),
    _fits_schema,
)
JSON_OBJECT = Probe(
    "json_object with schema",
    _asking(_JSON_PLEASE, response_format={"type": "json_object", "schema": _SCHEMA}),
    _fits_schema,
)


def _object(written: str) -> Any:
    try:
        return json.loads(written)
    except ValueError:
        return None


def _short(words: str) -> str:
    line = " ".join("".join(c if c.isprintable() else " " for c in words).split())
    return line if len(line) <= 60 else f"{line[:60]}…"
