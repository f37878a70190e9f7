"""The executor on this machine: fenced child processes, a few at once."""

import asyncio
import contextlib
import os
from collections.abc import Callable
from types import TracebackType
from typing import Self

from decision_ai.sandbox.runner import Runner
from decision_ai.sandbox.settings import SandboxPolicy
from decision_ai.sandbox.workers import SandboxBroken
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.outcome import SolveProgress


class LocalExecutor:
    """Runs each job in a child process of its own; at most `jobs` at once, the others wait.

    Make it inside a running event loop and close it there: `async with LocalExecutor() as executor`. Entering
    begins to start what jobs are forked from, so that the first one need not wait for it.
    """

    def __init__(self, policy: SandboxPolicy | None = None, *, jobs: int | None = None) -> None:
        self._runner = Runner(policy)
        self._places = asyncio.Semaphore(jobs or os.cpu_count() or 1)
        self._warming: asyncio.Task[None] | None = None

    async def run(
        self,
        job: Job,
        *,
        on_progress: Callable[[SolveProgress], None] | None = None,
        stop: asyncio.Event | None = None,
    ) -> JobResult:
        """Run one job to its end; see the port."""
        stop = stop or asyncio.Event()
        placed = await self._placed(stop)
        try:
            # A job that was stopped while it waited ends here at once, without a process.
            return await self._runner.run(job, on_progress=on_progress, stop=stop)
        finally:
            if placed:
                self._places.release()

    async def _placed(self, stop: asyncio.Event) -> bool:
        """Wait for a place or the stop; True if there is a place."""
        acquiring = asyncio.ensure_future(self._places.acquire())
        stopping = asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait((acquiring, stopping), return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            if acquiring.done():
                self._places.release()
            raise
        finally:
            stopping.cancel()
            if not acquiring.done():
                acquiring.cancel()
        return acquiring.done() and not acquiring.cancelled()

    async def layers(self) -> dict[str, bool]:
        """Layer of protection → whether it holds on this system."""
        return await self._runner.layers()

    async def aclose(self) -> None:
        """End all processes; running jobs end as interrupted."""
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.wait([self._warming])
        await self._runner.aclose()

    async def _warm(self) -> None:
        with contextlib.suppress(SandboxBroken):  # told to the first job
            await self._runner.layers()

    async def __aenter__(self) -> Self:
        self._warming = asyncio.get_running_loop().create_task(self._warm())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()
