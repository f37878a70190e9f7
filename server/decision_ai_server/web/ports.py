"""What the routes need from the live sessions, so that an open question is asked again after a change."""

from typing import Protocol

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai_server.storage.records import SessionRecord


class Sessions(Protocol):
    """The running sessions of this server."""

    async def edit(
        self,
        session_id: str,
        changes: list[ModelChanges],
        *,
        expected_revision: int,
        author: str,
        reasoning_enabled: bool | None = None,
    ) -> SessionRecord:
        """Make one new version of a change set that its author wants without being asked.

        No version without changes; `reasoning_enabled` changes the setting in the same step, None leaves it.

        Raises:
            StaleRevision: if the session is at another revision.
            ProgramError: if a change does not fit.
        """
        ...

    async def undo(self, session_id: str, steps: int) -> SessionRecord:
        """Go back by that many versions, at most to the first.

        Raises:
            NothingToUndo: at the first version.
        """
        ...

    async def close(self, session_id: str) -> None:
        """End what runs for a session and close its connections."""
        ...
