"""The local executor keeps the contract, and what is its own: places, and nothing left behind."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

sys.path.append(str(Path(__file__).parent))
from contract import ExecutorContract, boxes, report

from decision_ai.solving.executors.local import LocalExecutor

pytestmark = pytest.mark.core


@pytest.fixture
async def executor() -> AsyncIterator[LocalExecutor]:
    async with LocalExecutor(jobs=4) as executor:
        yield executor


class TestLocalExecutor(ExecutorContract):
    """The suite."""


async def test_a_job_stopped_while_it_waits_takes_no_place() -> None:
    endless = boxes(source="while True:\n    pass\n")
    stop_first, stop_second = asyncio.Event(), asyncio.Event()
    async with LocalExecutor(jobs=1) as executor:
        first = asyncio.ensure_future(executor.run(endless, stop=stop_first))
        second = asyncio.ensure_future(executor.run(boxes(), stop=stop_second))
        await asyncio.sleep(0.1)
        stop_second.set()
        assert report(await second).error_type == "interrupted"
        assert not first.done()
        stop_first.set()
        assert report(await first).error_type == "interrupted"
        assert (await executor.run(boxes())).solution_str == "p and q"


async def test_a_cancelled_job_gives_its_place_back() -> None:
    async with LocalExecutor(jobs=1) as executor:
        running = asyncio.ensure_future(executor.run(boxes(source="while True:\n    pass\n")))
        await asyncio.sleep(0.2)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert (await executor.run(boxes())).solution_str == "p and q"


async def test_close_leaves_no_process() -> None:
    before = {child.pid for child in psutil.Process(os.getpid()).children(recursive=True)}
    async with LocalExecutor() as executor:
        await executor.run(boxes())
    after = {child.pid for child in psutil.Process(os.getpid()).children(recursive=True)}

    assert after <= before


async def test_entering_begins_to_start_what_jobs_are_forked_from() -> None:
    def children() -> set[int]:
        return {child.pid for child in psutil.Process(os.getpid()).children(recursive=True)}

    before = children()
    async with LocalExecutor():
        while children() <= before:  # noqa: ASYNC110 - a process that starts has no event
            await asyncio.sleep(0.01)
    assert children() <= before
