"""Ask an endpoint and read what comes."""

import json
from typing import Any

import httpx

TOOLS = [{"type": "function", "function": {"name": "solve", "parameters": {"type": "object"}}}]


def body(**more: Any) -> dict[str, Any]:
    """A request for a completion."""
    return {"model": "m", "messages": [{"role": "user", "content": "hello"}]} | more


async def ask(http: httpx.AsyncClient, base_url: str, **more: Any) -> httpx.Response:
    """The whole answer to a request."""
    return await http.post(f"{base_url}/chat/completions", json=body(**more))


def message(response: httpx.Response) -> dict[str, Any]:
    """The message of a reply that was not streamed."""
    found: dict[str, Any] = response.json()["choices"][0]["message"]
    return found


def events(stream: str) -> list[dict[str, Any]]:
    """The events of a stream, `[DONE]` left out."""
    datas = [line.removeprefix("data: ") for line in stream.split("\n") if line.startswith("data: ")]
    return [json.loads(data) for data in datas if data != "[DONE]"]


def deltas(stream: str) -> list[dict[str, Any]]:
    """What the events of a stream add, each."""
    return [event["choices"][0]["delta"] for event in events(stream) if event["choices"]]


def joined(stream: str, field: str = "content") -> str:
    """A text that came in pieces."""
    return "".join(delta.get(field) or "" for delta in deltas(stream))


def arguments(stream: str, index: int = 0) -> str:
    """The arguments of a tool call that came in pieces."""
    calls = [call for delta in deltas(stream) for call in delta.get("tool_calls", ())]
    return "".join(call["function"]["arguments"] for call in calls if call["index"] == index)
