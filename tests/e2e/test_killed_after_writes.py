"""The server is killed after each of its writes, with nobody told, started again, and nothing is lost."""

from collections.abc import Callable
from typing import Any

import pytest
from killed_conversation import WRITES, Person, converse, walk

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]


@pytest.mark.parametrize("gap", range(1, WRITES + 1))
async def test_killed_after(gap: int, new_server: Callable[..., Any]) -> None:
    await walk(gap, new_server, before_storing=False)


async def test_the_walk_reaches_the_end(new_server: Callable[..., Any]) -> None:
    """One write more than the walk covers kills nobody."""
    server = new_server()
    server.start(kill_at=WRITES + 1)

    await converse(server, Person())

    assert server.starts == 1
