"""Who of several connections may speak: one has the floor, the others watch.

The first connection gets the free floor. Another one takes it only by asking for it when it connects; the one
displaced stays and watches, and connects again as a watcher, so two clients never snatch it from each other.
"""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

Connection = TypeVar("Connection")


@dataclass
class Floor(Generic[Connection]):
    """The connections of one session, in the order they came, and the one that may speak."""

    connections: list[Connection] = field(default_factory=list)
    holder: Connection | None = None

    def join(self, connection: Connection, *, take: bool = False, watch: bool = False) -> None:
        """Add a connection. `take` asks for the floor, `watch` never wants it, neither takes a free one."""
        self.connections.append(connection)
        if take or (self.holder is None and not watch):
            self.holder = connection

    def leave(self, connection: Connection) -> None:
        """Remove a connection; its floor becomes free and is given to nobody by itself."""
        self.connections.remove(connection)
        if self.holder is connection:
            self.holder = None

    def may_speak(self, connection: Connection) -> bool:
        """Whether prompts and answers of this connection count."""
        return self.holder is connection
