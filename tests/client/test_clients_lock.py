import asyncio
import os
from pathlib import Path

import pytest

from decision_ai.client.clients_lock import ClientsLock, wait_until_no_clients


async def test_waits_for_the_last_client(tmp_path: Path) -> None:
    one, other = ClientsLock(tmp_path / "lock"), ClientsLock(tmp_path / "lock")
    assert one.hold()
    assert other.hold()
    waiting = asyncio.ensure_future(wait_until_no_clients(tmp_path / "lock", quiet_seconds=0.3))
    await asyncio.sleep(0.5)
    one.release()
    await asyncio.sleep(0.5)
    assert not waiting.done()
    other.release()
    file = await waiting
    late = ClientsLock(tmp_path / "lock")
    assert not late.hold(), "a client must not join a server that is ending"
    os.close(file)
    assert late.hold()
    late.release()


async def test_a_client_that_comes_in_the_quiet_time_keeps_it(tmp_path: Path) -> None:
    waiting = asyncio.ensure_future(wait_until_no_clients(tmp_path / "lock", quiet_seconds=1.0))
    await asyncio.sleep(0.5)
    lock = ClientsLock(tmp_path / "lock")
    assert lock.hold()
    await asyncio.sleep(1.0)
    assert not waiting.done()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    lock.release()


def test_a_share_that_is_dropped_tells_whether_it_was_the_last(tmp_path: Path) -> None:
    one, other = ClientsLock(tmp_path / "lock"), ClientsLock(tmp_path / "lock")
    assert one.hold()
    assert other.hold()
    assert not one.drop()
    assert other.drop()
    assert one.hold()
    one.release()
    other.release()
