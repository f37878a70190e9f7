"""How a private server learns that nobody needs it any more.

Every client process holds a shared lock on one file for as long as it lives; the operating system drops the
lock even when the process is killed. The server ends once it could take the file for itself for a while.
"""

import asyncio
import os
from pathlib import Path

from decision_ai.client.file_lock import try_lock, unlock

_POLL_SECONDS = 0.2


class ClientsLock:
    """A client's share of the lock, from `hold` to `release`."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def hold(self) -> bool:
        """Take the share; False while a server is ending, which takes well under a second."""
        return try_lock(self._file, "shared")

    def drop(self) -> bool:
        """Give the share back until the next `hold`; whether nobody else has one."""
        alone = try_lock(self._file, "exclusive")
        unlock(self._file)
        return alone

    def release(self) -> None:
        """Give the share back."""
        os.close(self._file)


async def wait_until_no_clients(path: Path, *, quiet_seconds: float = 1.0) -> int:
    """Wait until no client has held the lock for a while; for the server.

    Returns:
        The locked file: keep it open until the process ends, so that a client that comes meanwhile does not
        join a server that is going away.
    """
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    quiet = 0.0
    try:
        while True:
            await asyncio.sleep(_POLL_SECONDS)
            if not try_lock(file, "exclusive"):
                quiet = 0.0
                continue
            quiet += _POLL_SECONDS
            if quiet >= quiet_seconds:
                return file
            # Given back between polls: a client that starts now must not wait.
            unlock(file)
    except BaseException:
        os.close(file)
        raise
