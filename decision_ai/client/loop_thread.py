"""Bridges between synchronous and asynchronous code.

`run_blocking` is the synchronous API: coroutines run on one event loop in a background thread, so it works in
a plain script and inside a notebook whose own loop is running. `call_in_thread` is the way back: a blocking
function, such as one of the user that calls `input()`, runs beside the loop in a daemon thread, because a
person or a server that never answers must not keep the process alive.
"""

import asyncio
import contextvars
import os
import threading
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")
S = TypeVar("S")


@cache
def _background_loop(_process_id: int) -> asyncio.AbstractEventLoop:
    """The loop of the synchronous API; its thread ends with the process and does not survive a fork."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="decision-ai", daemon=True).start()
    return loop


def run_blocking(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the background loop and wait for it; an interrupt cancels it."""
    future = asyncio.run_coroutine_threadsafe(coroutine, _background_loop(os.getpid()))
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


async def call_in_thread(function: Callable[[S], T], argument: S) -> T:
    """Call a blocking function in a daemon thread; cancelled, its result is dropped when it comes."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def settle(result: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(result)  # type: ignore[arg-type]
        else:
            future.set_exception(error)

    def run() -> None:
        result: T | None = None
        error: BaseException | None = None
        try:
            result = context.run(function, argument)
        except StopIteration as stop:  # a future cannot carry it
            error = RuntimeError(f"{function!r} raised StopIteration({stop.value!r})")
        except BaseException as raised:
            error = raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, name="decision-ai-call", daemon=True).start()
    return await future
