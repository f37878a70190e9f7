"""What a running session needs from a connection."""

from typing import Protocol

from decision_ai.wire.codec import Envelope


class Connection(Protocol):
    """One socket that watches a session."""

    @property
    def live(self) -> bool:
        """Whether it speaks `decision-ai.v1.live`."""
        ...

    @property
    def principal(self) -> str:
        """Who is behind it."""
        ...

    @property
    def client(self) -> str | None:
        """What the client calls itself; the same before and after it reconnects. None if it does not say."""
        ...

    def push(self, envelope: Envelope) -> None:
        """Queue an envelope to be sent; never blocks."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Close the socket once everything queued is sent."""
        ...
