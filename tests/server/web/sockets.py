"""A session on a running server, and what its sockets say."""

import asyncio
import json

from websockets.asyncio.client import ClientConnection, connect

KEY = "the-key-of-the-tests"
BEARER = {"Authorization": f"Bearer {KEY}"}
LIVE, STRICT = "decision-ai.v1.live", "decision-ai.v1"


class Chat:
    """A session on a running server."""

    def __init__(self, port: int, session_id: str) -> None:
        self.port, self.session_id = port, session_id

    def open(
        self,
        query: str = "",
        *,
        offer: tuple[str, ...] = (LIVE, STRICT),
        key: str = KEY,
        id: str | None = None,
    ) -> connect:
        return connect(
            f"ws://127.0.0.1:{self.port}/v1/chat_sessions/{id or self.session_id}/ws{query}",
            subprotocols=list(offer) or None,
            additional_headers={"Authorization": f"Bearer {key}"},
            proxy=None,
        )

    def prompt(self, text: str, message_id: str = "p1") -> str:
        message = {"kind": "prompt", "prompt": text}
        return json.dumps({"chat_session_id": self.session_id, "message": message, "message_id": message_id})


async def kinds(socket: ClientConnection, last: str) -> list[str]:
    """The kinds that arrive up to and with `last`."""
    seen: list[str] = []
    async with asyncio.timeout(5):
        while last not in seen:
            seen.append(json.loads(await socket.recv())["message"]["kind"])
    return seen
