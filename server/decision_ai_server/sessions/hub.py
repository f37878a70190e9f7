"""All running sessions of one server; each is brought up when first needed and owned here."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.modeling.comparing import Comparison
from decision_ai.solving.findings import PlanCheck
from decision_ai_server.agent import moving
from decision_ai_server.agent.comparing import Budget, compare
from decision_ai_server.agent.ports import Move, VersionTree
from decision_ai_server.sessions.runner import Parts, SessionRunner, open_runner
from decision_ai_server.storage.records import SessionRecord


class SessionHub:
    """Runs sessions inside `async with`; leaving it closes every connection and ends every turn's work."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._runners: dict[str, SessionRunner] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._opening = asyncio.Lock()
        self._stack = AsyncExitStack()
        self._group = asyncio.TaskGroup()

    async def __aenter__(self) -> Self:
        await self._stack.enter_async_context(self._group)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        for session_id in list(self._runners):
            await self._end(session_id, 1012, "the server restarts; connect again")
        await self._stack.__aexit__(kind, error, traceback)

    @property
    def running(self) -> int:
        """How many sessions are up."""
        return len(self._runners)

    @property
    def connections(self) -> int:
        """How many connections watch them."""
        return sum(runner.connections for runner in self._runners.values())

    async def runner(self, session_id: str) -> SessionRunner:
        """The runner of a session.

        Raises:
            NotFound: if there is no such session.
        """
        async with self._opening:
            if session_id not in self._runners:
                runner = await open_runner(self._parts, session_id)
                self._runners[session_id] = runner
                self._tasks[session_id] = self._group.create_task(runner.run())
            return self._runners[session_id]

    async def edit(
        self,
        session_id: str,
        changes: list[ModelChanges],
        *,
        expected_revision: int,
        author: str,
        reasoning_enabled: bool | None = None,
    ) -> SessionRecord:
        """Make one new version of changes; an open question is asked again on it."""
        runner = await self.runner(session_id)
        return await runner.edit(
            lambda _: changes,
            expected_revision=expected_revision,
            author=author,
            reasoning_enabled=reasoning_enabled,
        )

    async def reset(self, session_id: str, id: str, *, author: str) -> SessionRecord:
        """Bring one component back to what it was when the session was opened.

        Raises:
            ProgramError: if there is no such component.
            NothingToReset: if it is as it was.
        """
        runner = await self.runner(session_id)
        return await runner.edit(lambda tree: moving.reset(tree, id), author=author)

    async def move(self, session_id: str, choose: Callable[[VersionTree], Move]) -> SessionRecord:
        """Go to another version; an open question is asked again on it."""
        return await (await self.runner(session_id)).move(choose)

    async def change_checks(
        self, session_id: str, change: Callable[[tuple[PlanCheck, ...]], tuple[PlanCheck, ...]]
    ) -> tuple[PlanCheck, ...]:
        """Keep other checks; an open question is as it was, the next one knows them."""
        return await (await self.runner(session_id)).change_checks(change)

    async def tree(self, session_id: str) -> VersionTree:
        """All versions and branches of the session."""
        return await (await self.runner(session_id)).tree()

    async def compare(self, session_id: str, pair: tuple[str, str | None], budget: Budget) -> Comparison:
        """What differs between two versions, the present one where the second is None.

        Raises:
            UnknownVersion: if there is no such version.
        """
        return await compare(await self.tree(session_id), pair, budget, self._parts.executor.run)

    async def close(self, session_id: str) -> None:
        """End what runs for a session that is being deleted."""
        async with self._opening:
            await self._end(session_id, 4404, "the session was deleted")

    async def _end(self, session_id: str, code: int, reason: str) -> None:
        runner = self._runners.pop(session_id, None)
        if runner is not None:
            task = self._tasks.pop(session_id)
            await runner.end(code, reason)
            task.cancel()
            await asyncio.wait([task])
