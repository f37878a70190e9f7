"""Everybody who watches one session, and what each of them is told."""

from decision_ai.client.schemas.chat_messages.live import LiveContainer, LiveMessage, Presence
from decision_ai.wire.codec import Envelope
from decision_ai.wire.floor import Floor
from decision_ai_server.sessions.ports import Connection


class Audience:
    """The connections of one session and which of them has the floor."""

    def __init__(self, session_id: str) -> None:
        self._session_id = session_id
        self._floor: Floor[Connection] = Floor()

    def __len__(self) -> int:
        return len(self._floor.connections)

    @property
    def interactive(self) -> bool:
        """Whether somebody is there to answer a question; with nobody connected, it waits for somebody."""
        holder = self._floor.holder
        return holder is None or holder.interactive

    def join(self, connection: Connection, *, take: bool, watch: bool) -> None:
        """Add a connection and tell everybody."""
        self._replace_lost(connection)
        self._floor.join(connection, take=take, watch=watch)
        self._tell_presence()

    def leave(self, connection: Connection) -> None:
        """Remove a connection, if it is there, and tell the others."""
        if connection in self._floor.connections:
            self._floor.leave(connection)
            self._tell_presence()

    def may_speak(self, connection: Connection) -> bool:
        """Whether what this connection says counts."""
        return self._floor.may_speak(connection)

    def tell(self, envelope: Envelope) -> None:
        """Send an envelope to everybody."""
        for connection in self._floor.connections:
            connection.push(envelope)

    def tell_live(self, message: LiveMessage) -> None:
        """Send a message of the server to whoever speaks live."""
        for connection in self._floor.connections:
            if connection.live:
                connection.push(LiveContainer(chat_session_id=self._session_id, message=message))

    def pass_on(self, envelope: LiveContainer, speaker: Connection) -> None:
        """Send what one says live to the others who speak live."""
        for other in self._floor.connections:
            if other.live and other is not speaker:
                other.push(envelope)

    def close(self, code: int, reason: str) -> None:
        """Close every connection."""
        for connection in self._floor.connections:
            connection.close(code, reason)

    def _replace_lost(self, connection: Connection) -> None:
        """Free the floor if its holder is an older connection of the same client, which it lost unnoticed."""
        holder = self._floor.holder
        if holder is not None and connection.client is not None and holder.client == connection.client:
            holder.close(1001, "the same client has connected again")
            self._floor.leave(holder)

    def _tell_presence(self) -> None:
        for connection in self._floor.connections:
            if connection.live:
                presence = Presence(
                    connections=len(self), you_have_the_floor=self._floor.may_speak(connection)
                )
                connection.push(LiveContainer(chat_session_id=self._session_id, message=presence))
