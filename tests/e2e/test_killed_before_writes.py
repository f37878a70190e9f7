"""The server is killed before each of its writes, started again, and nothing is lost."""

from collections.abc import Callable
from typing import Any

import pytest
from killed_conversation import WRITES, walk

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]


@pytest.mark.parametrize("gap", range(1, WRITES + 1))
async def test_killed_before(gap: int, new_server: Callable[..., Any]) -> None:
    await walk(gap, new_server, before_storing=True)
