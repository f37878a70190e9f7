"""A context packet as chat messages, laid out so that consecutive requests share the longest prefix."""

import json
import re
from functools import cache
from importlib import resources
from typing import Any

from decision_ai_server.model_client.context import ContextPacket, Evidence
from decision_ai_server.model_client.tool_schemas import build_tool_schemas

# Servers read these in any text as the end of a message; a label of somebody's data must not end one.
_CONTROL = re.compile(
    r"<(?=\||/?(?:s|bos|eos|start_of_turn|end_of_turn|tool_call|tool_response)>)|\[(?=/?INST\])"
)
# Small models repeat a word such as "answer" and do not know what it asks of them.
_PHASES = {
    "answer": "Done so far. If nothing else was asked, give the final answer now, in few sentences.",
    "repair": "The last call failed. Mend it and call again, or ask the person.",
    "rejected": "The person rejected the last proposal. Propose what they want instead, or ask, or answer.",
}
# Keywords, unless their value is a schema: then they are names of fields.
_FOR_VALIDATORS = ("additionalProperties", "pattern", "default", "minItems", "maxItems")


def build_messages(context: ContextPacket, *, native_tools: bool = False) -> list[dict[str, str]]:
    """The messages of one decision: system, the conversation so far, one message of the person.

    The part that never changes comes first, then what changes with a version, then the conversation; within
    a turn the last message only grows before its end.

    Args:
        context: the packet.
        native_tools: whether the request carries the tools itself. If not, the prompt lists them and tells
            how a decision is written.

    Returns:
        Messages of `role` and `content`; neighbours have different roles, as some templates demand.
    """
    system = [context.instructions, _prompt("native_protocol.md" if native_tools else "protocol.md")]
    if not native_tools:
        system.append(_tool_list(context))
    system.append(_inert(context.background))
    if context.summary:
        system.append(f"## Earlier in this conversation\n{_inert(context.summary)}")
    messages = [_message("system", system)]
    for turn in context.conversation:
        _say(messages, turn.role, _inert(turn.text))
    _say(messages, "user", _request(context))
    return messages


@cache
def _prompt(name: str) -> str:
    return resources.files("decision_ai_server.model_client").joinpath(name).read_text(encoding="utf-8")


def _message(role: str, parts: list[str]) -> dict[str, str]:
    return {"role": role, "content": "\n\n".join(part.strip() for part in parts if part.strip())}


def _say(messages: list[dict[str, str]], role: str, text: str) -> None:
    last = messages[-1]
    if last["role"] == role:
        messages[-1] = _message(role, [last["content"], text])
    else:
        messages.append(_message(role, [text]))


def _tool_list(context: ContextPacket) -> str:
    """The tools in words; what only a validator needs is left out, since small models read slowly."""
    allowed = {tool.name for tool in context.allowed_tools}
    entries = [entry["function"] for entry in build_tool_schemas(context)]
    lines = [
        f"- `{entry['name']}`: {entry['description']} Input: {_compact(_told(entry['parameters']))}"
        for entry in entries
        if entry["name"] in allowed
    ]
    return "\n".join(["## Tools", *lines]) if lines else ""


def _told(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_told(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _told(item)
        for key, item in schema.items()
        if key not in _FOR_VALIDATORS or isinstance(item, dict)
    }


def _request(context: ContextPacket) -> str:
    """The goal alone at first: small models repeat whatever else stands around it."""
    parts = [_inert(context.goal)]
    parts += [_evidence(n, item) for n, item in enumerate(context.recent_evidence, start=1)]
    if context.recent_evidence:
        parts.append(_PHASES.get(context.phase, f"Phase: {context.phase}"))
    if context.latest_error:
        parts.append(f"Your last reply was sent back: {_inert(context.latest_error)}\nDecide again.")
    return "\n\n".join(parts)


def _evidence(number: int, item: Evidence) -> str:
    head = f"Call {number}: `{item.tool}` {_inert(_compact(item.input))}"
    return f"{head}\nIts result:\n{_inert(item.result)}"


def _inert(text: str) -> str:
    """A text in which nothing is a control token of a chat template."""
    return _CONTROL.sub(lambda found: f"{found[0]} ", text)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
