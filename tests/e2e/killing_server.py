"""The real server, which kills itself around one write to its store: before it, or after it and unsent."""

import os
import signal
from typing import Any

from decision_ai_server.__main__ import main
from decision_ai_server.storage.records import Append, SessionRecord
from decision_ai_server.storage.store import Store

KILL_AT = int(os.environ["TEST_KILL_AT"])
BEFORE = bool(os.environ["TEST_KILL_BEFORE"])
store_append = Store.append
writes: list[Append] = []


async def append(self: Store, session_id: str, step: Append, **named: Any) -> SessionRecord:
    writes.append(step)
    due = len(writes) == KILL_AT
    if due and BEFORE:
        os.kill(os.getpid(), signal.SIGKILL)
    record = await store_append(self, session_id, step, **named)
    if due:
        os.kill(os.getpid(), signal.SIGKILL)
    return record


if __name__ == "__main__":
    Store.append = append  # type: ignore[method-assign]
    main()
