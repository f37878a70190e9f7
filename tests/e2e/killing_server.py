"""The real server, which kills itself around storing a certain message: before it, or after it and unsent."""

import os
import signal
from typing import Any

from decision_ai_server.__main__ import main
from decision_ai_server.storage.records import Append, SessionRecord
from decision_ai_server.storage.store import Store

KILL_AT = int(os.environ["TEST_KILL_AT"])
BEFORE = bool(os.environ["TEST_KILL_BEFORE"])
store_append = Store.append
counts: list[int] = []


async def append(self: Store, session_id: str, step: Append, **named: Any) -> SessionRecord:
    stored = sum(counts)
    due = stored < KILL_AT <= stored + len(step.messages)
    if due and BEFORE:
        os.kill(os.getpid(), signal.SIGKILL)
    record = await store_append(self, session_id, step, **named)
    counts.append(len(step.messages))
    if due:
        os.kill(os.getpid(), signal.SIGKILL)
    return record


if __name__ == "__main__":
    Store.append = append  # type: ignore[method-assign]
    main()
