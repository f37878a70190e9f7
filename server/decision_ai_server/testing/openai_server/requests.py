"""What is wrong with a request, told as OpenAI's endpoint tells it; and what an endpoint does not support."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from decision_ai_server.testing.openai_server.replies import Feature, Peer

ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})
TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")

Request = Mapping[str, Any]

_REFUSALS: dict[Feature, tuple[Callable[[Request], bool], str]] = {
    "stream": (
        lambda request: bool(request.get("stream")),
        "Streaming is not supported for this model.",
    ),
    "stream_options": (
        lambda request: "stream_options" in request,
        "Unrecognized request argument supplied: stream_options",
    ),
    "tools": (
        lambda request: "tools" in request,
        "This model does not support tools.",
    ),
    "tool_choice": (
        lambda request: request.get("tool_choice") not in (None, "auto", "none"),
        "'tool_choice' of this kind is not supported: only 'auto' and 'none' are.",
    ),
    "json_schema": (
        lambda request: (request.get("response_format") or {}).get("type") == "json_schema",
        "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    ),
    "parallel_tool_calls": (
        lambda request: "parallel_tool_calls" in request,
        "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
    ),
}


def refusal(request: Request, peer: Peer) -> str | None:
    """Why this endpoint does not take the request, or None if it does."""
    for feature, (is_asked_for, message) in _REFUSALS.items():
        if feature in peer.refuses and is_asked_for(request):
            return message
    return None


def fault(request: Any) -> str | None:
    """What is wrong with a request whatever the endpoint, or None."""
    if not isinstance(request, dict):
        return "the body is not a JSON object"
    if not isinstance(request.get("model"), str):
        return "you must provide a model parameter"
    if "stream_options" in request and not request.get("stream"):
        return "The 'stream_options' parameter is only allowed when 'stream' is enabled."
    return _fault_of_messages(request.get("messages")) or _fault_of_tools(request)


def _fault_of_messages(messages: Any) -> str | None:
    if not isinstance(messages, list) or not messages:
        return "'messages' must be an array of at least one message."
    waiting: frozenset[str] = frozenset()
    for number, message in enumerate(messages):
        if problem := _fault_of_message(message, waiting):
            return f"'messages[{number}]': {problem}"
        called = {call.get("id") for call in message.get("tool_calls") or ()}
        waiting = (waiting | called) - {message.get("tool_call_id")}
    return _unanswered(waiting)


def _fault_of_message(message: Any, waiting: frozenset[str]) -> str | None:
    """What is wrong with a message, when the calls with the ids `waiting` have no answer yet."""
    role = message.get("role") if isinstance(message, dict) else None
    if role not in ROLES:
        return f"invalid role {role!r}."
    if role == "tool":
        if message.get("tool_call_id") in waiting:
            return None
        return "a message with role 'tool' must answer a preceding message with 'tool_calls'."
    if message.get("content") is None and not message.get("tool_calls"):
        return "invalid content: expected a string, got null."
    return _unanswered(waiting)


def _unanswered(waiting: frozenset[str]) -> str | None:
    names = ", ".join(sorted(waiting))
    return f"these tool calls did not have response messages: {names}" if waiting else None


def _fault_of_tools(request: Request) -> str | None:
    tools = request.get("tools")
    if tools is None:
        asked = next((name for name in ("tool_choice", "parallel_tool_calls") if name in request), None)
        return f"'{asked}' is only allowed when 'tools' are specified." if asked else None
    if not isinstance(tools, list) or not tools:
        return "'tools' must be an array of at least one tool."
    for number, tool in enumerate(tools):
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict) or tool.get("type") != "function":
            return f"Invalid value for 'tools[{number}]': expected a function."
        if not TOOL_NAME.fullmatch(str(function.get("name"))):
            return f"Invalid 'tools[{number}].function.name': {function.get('name')!r}."
    return None
