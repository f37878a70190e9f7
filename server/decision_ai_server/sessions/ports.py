"""What a running session needs from a connection, and from whoever counts."""

from typing import Protocol

from decision_ai.wire.codec import Envelope
from decision_ai_server.agent.journal import Note
from decision_ai_server.agent.ports import CallRecord


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

    @property
    def interactive(self) -> bool:
        """Whether somebody is there to answer a question."""
        ...

    def push(self, envelope: Envelope) -> None:
        """Queue an envelope to be sent; never blocks."""
        ...

    def close(self, code: int, reason: str) -> None:
        """Close the socket once everything queued is sent."""
        ...


class Meter(Protocol):
    """Counts what the sessions of a server do, once it is stored."""

    def noted(self, note: Note) -> None:
        """A decision was made or lost, a request sent, a result brought."""
        ...

    def called(self, record: CallRecord) -> None:
        """A tool call has ended."""
        ...


class NoMeter:
    """Counts nothing."""

    def noted(self, note: Note) -> None:
        """Let it pass."""

    def called(self, record: CallRecord) -> None:
        """Let it pass."""
