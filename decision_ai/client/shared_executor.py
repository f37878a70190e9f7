"""Executors on this machine: one kept warm for the synchronous API, and one that ends with its block."""

import atexit
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from decision_ai.client.loop_thread import run_blocking
from decision_ai.solving.executors.base import Executor

if TYPE_CHECKING:
    from decision_ai.solving.executors.local import LocalExecutor

OpenExecutor: TypeAlias = Callable[[], AbstractAsyncContextManager[Executor]]


def local_executor() -> AbstractAsyncContextManager[Executor]:
    """An executor that ends with its block."""
    from decision_ai.solving.executors.local import LocalExecutor

    return LocalExecutor()


@asynccontextmanager
async def shared_executor() -> AsyncIterator[Executor]:
    """The executor of this process; only for coroutines that `run_blocking` runs."""
    yield _kept(os.getpid())


@cache
def _kept(_process_id: int) -> "LocalExecutor":
    from decision_ai.solving.executors.local import LocalExecutor

    executor = LocalExecutor()
    atexit.register(lambda: run_blocking(executor.aclose()))
    return executor
