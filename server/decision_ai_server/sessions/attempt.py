"""One step while it is being worked out: what is told and noted meanwhile, and how it is stopped."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import replace

from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta
from decision_ai.errors import DecisionAIError
from decision_ai_server.agent.journal import Entry, Note, checked
from decision_ai_server.agent.ports import Delta, SessionView
from decision_ai_server.agent.steps import Step

_LOG = logging.getLogger(__name__)
_TRIES = 3
_PATIENCE = 0.5
"""Seconds that a cancelled step has to end; then it is cancelled once more."""


class Attempt:
    """Works out one step. Stopped, it tells nothing more and withdraws what it told.

    Args:
        view: the session as it is now.
        tell: shows a delta to whoever watches live.
    """

    def __init__(self, view: SessionView, tell: Callable[[Delta], None]) -> None:
        self._tell = tell
        self.view = replace(view, tell=self.tell, note=self.note)
        """What the step is worked out on."""
        self._told = self._over = False
        self._stopped = asyncio.Event()
        self.entries: list[Entry] = []
        """What was noted; it is kept whatever becomes of the step, for it was paid for."""

    def tell(self, delta: Delta) -> None:
        """Show a piece of what is being written."""
        if not self._over:
            self._told = True
            self._tell(delta)

    def note(self, note: Note) -> None:
        """Keep evidence as it is now; what cannot be kept raises where it was made."""
        self.entries.append(Entry(len(self.view.messages), checked(note)))

    def stop(self) -> None:
        """Throw the step away."""
        if not self._over:
            self._over = True
            self._stopped.set()
            if self._told:
                self._tell(ChatResponseDelta(delta="", restart=True))

    async def work(self, thinking: Coroutine[None, None, Step]) -> Step | None:
        """The step, or None if it was stopped; what thinks has ended then, unless it refuses to."""
        task = asyncio.ensure_future(thinking)
        stopping = asyncio.ensure_future(self._stopped.wait())
        try:
            await asyncio.wait((task, stopping), return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopping.cancel()
            await _end(task)
        if self._over:
            return None
        if task.cancelled():
            raise DecisionAIError("the assistant broke off by itself; please try again")
        return task.result()


async def _end(task: asyncio.Task[Step]) -> None:
    """Cancel a task until it ends; one that swallows every cancellation is left behind."""
    task.add_done_callback(_seen)
    for _ in range(_TRIES):
        if task.done():
            return
        task.cancel()
        await asyncio.wait([task], timeout=_PATIENCE)
    if not task.done():
        _LOG.warning("a step does not end when it is cancelled; it is left behind: %s", task.get_coro())


def _seen(task: asyncio.Task[Step]) -> None:
    if not task.cancelled():
        task.exception()
