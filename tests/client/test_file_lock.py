import os
from pathlib import Path

from decision_ai.client.file_lock import try_lock, unlock


def test_shares_exclude_the_exclusive_lock(tmp_path: Path) -> None:
    one, other, third = (os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT) for _ in range(3))
    assert try_lock(one, "shared")
    assert try_lock(other, "shared")
    assert not try_lock(third, "exclusive")
    unlock(one)
    assert not try_lock(third, "exclusive")
    os.close(other)
    assert try_lock(third, "exclusive")
    assert not try_lock(one, "shared")
    os.close(one)
    os.close(third)
