"""A connection of a session that keeps what it is sent."""

from dataclasses import dataclass, field

from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.wire.codec import Envelope
from decision_ai.wire.conversation import REFUSED


@dataclass
class RecordingConnection:
    """A connection of a session that keeps what it is sent; `sent` grows in the order of the wire."""

    live: bool = True
    principal: str = "owner"
    client: str | None = None
    interactive: bool = True
    sent: list[Envelope] = field(default_factory=list)
    closed: tuple[int, str] | None = None

    def push(self, envelope: Envelope) -> None:
        """Keep an envelope."""
        self.sent.append(envelope)

    def close(self, code: int, reason: str) -> None:
        """Keep how it was closed."""
        self.closed = (code, reason)

    @property
    def stored(self) -> list[MessageContainer]:
        """What was sent of the stored history."""
        return [
            envelope
            for envelope in self.sent
            if isinstance(envelope, MessageContainer) and not envelope.message_id.startswith(REFUSED)
        ]

    @property
    def kinds(self) -> list[str]:
        """The kinds of everything sent, in order."""
        return [envelope.message.kind for envelope in self.sent]
