"""A zygote that cannot start says why."""

import sys

import pytest

from decision_ai.sandbox.settings import Settings
from decision_ai.sandbox.workers import ForkingWorkers, SandboxBroken

pytestmark = [pytest.mark.core, pytest.mark.skipif(sys.platform != "linux", reason="forks")]


async def test_a_zygote_that_does_not_start() -> None:
    workers = ForkingWorkers(Settings(extra_imports=("no_such_module",)))
    with pytest.raises(SandboxBroken, match="no_such_module"):
        await workers.start()
    await workers.aclose()


async def test_numbers_of_children_started_together_do_not_mix() -> None:
    workers = ForkingWorkers(Settings())
    children = [await workers.start() for _ in range(5)]
    children[3].kill()
    assert await children[3].exit_code() == -9
    for child in (children[0], children[1], children[2], children[4]):
        child.writer.close()  # the end of its channel ends a child by itself
        assert await child.exit_code() == 0
    children[3].writer.close()
    await workers.aclose()
