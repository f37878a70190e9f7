"""Requests to scripted endpoints, over plain HTTP so that every byte shows."""

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

sys.path.append(str(Path(__file__).parent))  # for `asking.py`


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
        yield client
