"""Exports over REST."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import unquote

import httpx
import pytest

from decision_ai.client.schemas.chat_messages.validation import FormulationValidationFailed
from decision_ai.modeling.exporting.exports import EXPORT_FORMATS, MEDIA_TYPES
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job
from decision_ai.solving.executors.local import LocalExecutor


async def get(client: httpx.AsyncClient, session: dict[str, Any], **query: str) -> httpx.Response:
    return await client.get(f"/v1/chat_sessions/{session['id']}/export", params=query)


class RealExecutor:
    """Runs what it is given, and remembers it."""

    def __init__(self, executor: LocalExecutor) -> None:
        self.executor = executor
        self.jobs: list[Job] = []

    async def run(self, job: Job, **options: Any) -> Any:
        self.jobs.append(job)
        return await self.executor.run(job, **options)

    async def aclose(self) -> None:
        pass


class TestWithARealExecutor:
    @pytest.fixture
    async def executor(self) -> AsyncIterator[RealExecutor]:
        async with LocalExecutor() as executor:
            yield RealExecutor(executor)

    async def test_every_format_has_its_type_and_a_file_name(
        self, client: httpx.AsyncClient, session: dict[str, Any]
    ) -> None:
        beginnings = {"lp": b"\\ Bag", "mps": b"* Bag", "xlsx": b"PK", "md": b"# Bag"}
        for format in EXPORT_FORMATS:
            response = await get(client, session, format=format)
            assert response.status_code == 200, response.text
            assert response.headers["content-type"] == MEDIA_TYPES[format]
            disposition = response.headers["content-disposition"]
            assert unquote(disposition).startswith("attachment; filename*=UTF-8''Bag.")
            assert response.content.startswith(beginnings.get(format, b""))

    async def test_a_version_is_named_by_number_branch_or_id(
        self, client: httpx.AsyncClient, session: dict[str, Any], source: str
    ) -> None:
        versions = (await client.get(f"/v1/chat_sessions/{session['id']}/versions")).json()
        for version in ("0", "main", versions["head"]):
            response = await get(client, session, format="py", version=version)
            assert Program.parse(response.text).composed() == Program.parse(source).composed()


async def test_an_unknown_session_version_or_format_is_a_problem(
    client: httpx.AsyncClient, session: dict[str, Any]
) -> None:
    assert (await get(client, {"id": "nobody"}, format="py")).status_code == 404
    response = await get(client, session, format="py", version="7")
    assert response.headers["content-type"] == "application/problem+json"
    assert "there is no version '7'" in response.json()["detail"]
    response = await get(client, session, format="doc")
    assert response.status_code == 422
    assert "format" in response.json()["detail"]


async def test_a_model_that_does_not_build_is_a_problem(
    client: httpx.AsyncClient, session: dict[str, Any], executor: Any
) -> None:
    executor.validation = FormulationValidationFailed(error="it fell over")
    response = await get(client, session, format="lp")
    assert (response.status_code, response.json()["title"]) == (422, "The model does not build")


async def test_nobody_without_a_key_gets_a_model(client: httpx.AsyncClient, session: dict[str, Any]) -> None:
    url = f"/v1/chat_sessions/{session['id']}/export"
    response = await client.get(url, params={"format": "py"}, headers={"Authorization": ""})
    assert response.status_code == 401
