"""What the routes need from the live sessions, so that an open question is asked again after a change."""

from collections.abc import Callable
from typing import Protocol

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.modeling.comparing import Comparison
from decision_ai.solving.findings import PlanCheck
from decision_ai_server.agent.comparing import Budget
from decision_ai_server.agent.ports import Move, VersionTree
from decision_ai_server.storage.records import SessionRecord


class Sessions(Protocol):
    """The running sessions of this server."""

    @property
    def running(self) -> int:
        """How many sessions are up."""
        ...

    @property
    def connections(self) -> int:
        """How many connections watch them."""
        ...

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
            DoesNotBuild: if the data do not fit their classes afterwards.
        """
        ...

    async def reset(self, session_id: str, id: str, *, author: str) -> SessionRecord:
        """Bring one component back to what it was when the session was opened, as a version of its author.

        Raises:
            ProgramError: if there is no such component.
            NothingToReset: if it is as it was.
        """
        ...

    async def move(self, session_id: str, choose: Callable[[VersionTree], Move]) -> SessionRecord:
        """Go to another version, which `choose` picks; what it raises is passed on."""
        ...

    async def change_checks(
        self, session_id: str, change: Callable[[tuple[PlanCheck, ...]], tuple[PlanCheck, ...]]
    ) -> tuple[PlanCheck, ...]:
        """Keep the checks that `change` makes of those that are kept; what it raises is passed on."""
        ...

    async def tree(self, session_id: str) -> VersionTree:
        """All versions and branches of the session."""
        ...

    async def compare(self, session_id: str, pair: tuple[str, str | None], budget: Budget) -> Comparison:
        """What differs between two versions; None is the present one.

        Raises:
            UnknownVersion: if there is no such version.
        """
        ...

    async def close(self, session_id: str) -> None:
        """End what runs for a session and close its connections."""
        ...
