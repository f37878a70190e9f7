"""Opening a database. Everything that only SQLite needs is in this file."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import Connection, event
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

P = ParamSpec("P")
R = TypeVar("R")

_READS = "decision_ai_reads"
_PRAGMAS = (
    "PRAGMA busy_timeout = 30000",  # first, so that switching to WAL waits as well
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # a message that was answered survives a power cut
    "PRAGMA foreign_keys = ON",
)


class Database:
    """An engine, its reading view, and what keeps writers of this process apart."""

    def __init__(self, url: str) -> None:
        address = make_url(url)
        is_sqlite = address.get_backend_name() == "sqlite"
        if is_sqlite and address.database:
            _make_private(Path(address.database))
        # Errors of the driver are logged; what people said is not.
        self.writer: AsyncEngine = create_async_engine(address, hide_parameters=True)
        self.reader: AsyncEngine = self.writer.execution_options(**{_READS: True})
        self.write_lock: AbstractAsyncContextManager[Any] = asyncio.Lock() if is_sqlite else nullcontext()
        """SQLite has one writer: waiting here is fair and free, while its busy handler sleeps and starves."""
        if is_sqlite:
            event.listen(self.writer.sync_engine, "connect", _on_connect)
            event.listen(self.writer.sync_engine, "begin", _on_begin)

    async def aclose(self) -> None:
        """Close all connections."""
        await self.writer.dispose()


def unbroken(method: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Let a transaction come to its end when its caller is cancelled, and pass the cancellation on then.

    A statement that runs in the driver's thread cannot be called back: a `BEGIN` that nobody waits for any
    more would keep the database locked for everybody.
    """

    @wraps(method)
    async def whole(*args: P.args, **kwargs: P.kwargs) -> R:
        task = asyncio.ensure_future(method(*args, **kwargs))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            while not task.done():
                with suppress(asyncio.CancelledError):
                    await asyncio.wait([task])
            if not task.cancelled():
                task.exception()  # seen: the cancellation is what the caller hears of
            raise

    return whole


def _make_private(path: Path) -> None:
    """Make the file, and the folder above it, for its owner only; SQLite's own files follow its mode."""
    if path.name != ":memory:":
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with suppress(OSError):  # opening it says what is wrong
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def _on_connect(dbapi_connection: Any, _record: object) -> None:
    dbapi_connection.isolation_level = None  # the driver must not open transactions by itself
    cursor = dbapi_connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _on_begin(connection: Connection) -> None:
    # A transaction that reads first and writes later fails at once when another process wrote in between;
    # taking the write lock at the start waits for it instead.
    reads = connection.get_execution_options().get(_READS, False)
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")
