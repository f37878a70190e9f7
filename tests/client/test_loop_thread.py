import asyncio
import contextvars
import threading
import time

import pytest

from decision_ai.client.loop_thread import call_in_thread, run_blocking


async def answer() -> int:
    await asyncio.sleep(0)
    return 42


def test_a_plain_script_gets_the_result() -> None:
    assert run_blocking(answer()) == 42


async def test_it_works_inside_a_running_loop() -> None:
    assert run_blocking(answer()) == 42


def test_an_error_is_raised_to_the_caller() -> None:
    async def fail() -> None:
        raise LookupError("gone")

    with pytest.raises(LookupError, match="gone"):
        run_blocking(fail())


async def test_a_blocking_function_does_not_block_the_loop() -> None:
    release = threading.Event()

    def wait(word: str) -> str:
        release.wait()
        return word + threading.current_thread().name

    call = asyncio.ensure_future(call_in_thread(wait, "by "))
    await asyncio.sleep(0.01)
    release.set()
    assert await call == "by decision-ai-call"


async def test_context_and_errors_come_along() -> None:
    variable = contextvars.ContextVar("variable", default=0)
    variable.set(7)
    assert await call_in_thread(lambda _: variable.get(), None) == 7
    with pytest.raises(ZeroDivisionError):
        await call_in_thread(lambda x: x / 0, 1)
    with pytest.raises(RuntimeError, match="StopIteration"):
        await call_in_thread(next, iter([]))


async def test_a_cancelled_call_leaves_its_thread_alone() -> None:
    done = threading.Event()

    def slow(_: None) -> None:
        time.sleep(0.05)
        done.set()

    call = asyncio.ensure_future(call_in_thread(slow, None))
    await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert await asyncio.to_thread(done.wait, 5)
