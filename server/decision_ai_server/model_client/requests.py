"""The JSON bodies that go to an endpoint."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from decision_ai_server.model_client.capabilities import Capabilities
from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.context import ContextPacket
from decision_ai_server.model_client.messages import build_messages
from decision_ai_server.model_client.replies import RawCall, RawReply
from decision_ai_server.model_client.tool_schemas import build_tool_schemas, decision_schema

EXCERPT_CHARACTERS = 2_000
CODE_CHARACTERS = 12_000
"""A call that carries code is shown longer: a model that sees half of its program repairs the wrong half."""


@dataclass(frozen=True)
class Replay:
    """A malformed reply and what to tell the model about it.

    Attributes:
        reply: what the model sent.
        error: what is wrong with it.
        characters: how much of it to show.
    """

    reply: RawReply
    error: str
    characters: int


def build_body(
    packet: ContextPacket,
    config: HarnessConfig,
    able: Capabilities,
    replays: Sequence[Replay],
    *,
    streamed: bool,
) -> dict[str, Any]:
    """One request.

    Args:
        packet: what the decision is made on.
        config: model, temperature, limit of tokens.
        able: what the endpoint can do.
        replays: malformed replies of this decision so far, oldest first.
        streamed: whether to ask for a stream.
    """
    messages: list[dict[str, Any]] = [*build_messages(packet, native_tools=able.tools)]
    for replay in replays:
        messages += _shown_again(replay, able)
    body: dict[str, Any] = {"model": config.model, "messages": messages}
    if able.temperature:
        body["temperature"] = config.temperature
    if config.max_tokens is not None:
        body[able.limit_field] = config.max_tokens
    body |= _native(packet, able) if able.tools else _json_format(packet, able)
    if streamed:
        body["stream"] = True
        if able.stream_options:
            body["stream_options"] = {"include_usage": True}
    return body


def characters_to_show(reply: RawReply, packet: ContextPacket) -> int:
    """How much of a malformed reply to show: more if its call carries code."""
    called = {call.name for call in reply.calls[:1]}
    return CODE_CHARACTERS if called & _tools_with_code(packet) else EXCERPT_CHARACTERS


def excerpt(text: str, characters: int) -> str:
    """The beginning of a text, and how much is missing."""
    left = len(text) - characters
    return text if left <= 0 else f"{text[:characters]}… ({left:,} more characters)"


def _tools_with_code(packet: ContextPacket) -> set[str]:
    return {tool.name for tool in packet.allowed_tools if '"code": ' in json.dumps(tool.input_schema)}


def _native(packet: ContextPacket, able: Capabilities) -> dict[str, Any]:
    body: dict[str, Any] = {"tools": build_tool_schemas(packet), "tool_choice": able.tool_choice}
    if able.parallel_tool_calls:
        body["parallel_tool_calls"] = False
    return body


def _json_format(packet: ContextPacket, able: Capabilities) -> dict[str, Any]:
    match able.response_format:
        case "json_schema":
            schema = {"name": "decision", "schema": decision_schema(packet)}
            return {"response_format": {"type": "json_schema", "json_schema": schema}}
        case "json_object":
            return {"response_format": {"type": "json_object", "schema": decision_schema(packet)}}
        case "none":
            return {}


def _shown_again(replay: Replay, able: Capabilities) -> list[dict[str, Any]]:
    reply = replay.reply
    if able.tools and able.replayed_calls and reply.calls:
        return _call_again(reply, reply.calls[0], replay)
    shown = reply.content or "".join(f"{call.name}({call.arguments})" for call in reply.calls[:1])
    again = "Call one tool with valid arguments." if able.tools else "Reply with one valid JSON object."
    return [
        # Some endpoints refuse an assistant message without text.
        {"role": "assistant", "content": excerpt(shown.strip(), replay.characters) or "(nothing)"},
        {"role": "user", "content": f"That reply cannot be used: {replay.error}\n{again}"},
    ]


def _call_again(reply: RawReply, call: RawCall, replay: Replay) -> list[dict[str, Any]]:
    key = call.id or "call_0"
    # A name that endpoints would refuse in a request must not come back to them.
    name = re.sub(r"[^a-zA-Z0-9_-]", "_", call.name)[:64] or "unknown"
    function = {"name": name, "arguments": excerpt(call.arguments, replay.characters)}
    return [
        {
            "role": "assistant",
            "content": excerpt(reply.content, replay.characters),
            "tool_calls": [{"id": key, "type": "function", "function": function}],
        },
        {
            "role": "tool",
            "tool_call_id": key,
            "content": f"This call was not run: {replay.error}\n"
            "Call the same action again, this time with valid arguments.",
        },
    ]
