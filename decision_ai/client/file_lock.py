"""Locks on open files that end with the process, however it ends."""

import sys
from typing import Literal

if sys.platform == "win32":

    def try_lock(file_descriptor: int, mode: Literal["shared", "exclusive"]) -> bool:  # noqa: ARG001
        """Windows has no shared file locks: everything counts as free."""
        return True

    def unlock(file_descriptor: int) -> None:
        """Nothing was locked."""

else:
    import fcntl

    def try_lock(file_descriptor: int, mode: Literal["shared", "exclusive"]) -> bool:
        """Take or convert a lock without waiting.

        Returns:
            False if another process holds one that excludes it.
        """
        kind = fcntl.LOCK_SH if mode == "shared" else fcntl.LOCK_EX
        try:
            fcntl.flock(file_descriptor, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(file_descriptor: int) -> None:
        """Give a lock back."""
        fcntl.flock(file_descriptor, fcntl.LOCK_UN)
