"""Kept checks and brought plans over HTTP."""

from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

from decision_ai.client.schemas.chat_messages.validation import FormulationValidationFailed
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai_server.agent.kept_checks import MOST_CHECKS

BOTH = "v.take['Zelt'] + v.take['Öfen'] <= 1"


def path(session: dict[str, Any], rest: str) -> str:
    return f"/v1/chat_sessions/{session['id']}{rest}"


async def test_a_check_is_kept_replaced_listed_and_removed(client: httpx.AsyncClient, session: Any) -> None:
    before = await client.get(path(session, ""))
    await client.put(path(session, "/checks/few"), json={"code": BOTH})
    await client.put(
        path(session, "/checks/light"), json={"code": "v.take['Zelt'] <= 0", "sentence": "Light"}
    )
    put = await client.put(path(session, "/checks/few"), json={"code": BOTH, "sentence": "Zelt oder Öfen"})
    assert put.status_code == 200, put.text
    code = f"def few(self, data, v):\n    return {BOTH}"
    assert put.json()["items"][0] == {"name": "few", "sentence": "Zelt oder Öfen", "code": code}
    assert (await client.get(path(session, "/checks"))).json() == put.json()
    left = await client.delete(path(session, "/checks/few"))
    assert [check["name"] for check in left.json()["items"]] == ["light"]
    after = await client.get(path(session, ""))
    assert after.headers["etag"] == before.headers["etag"]


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("few", "v.take['Zelt'] <=", "a check is an expression"),
        ("few", "def few(self, data, v):\n    import os\n    return True", "line 2"),
        ("few", "open('/etc/passwd')", "open"),
        ("two words", BOTH, "cannot be the name of a check"),
    ],
)
async def test_what_may_not_run_is_refused(
    client: Any, session: Any, name: str, code: str, words: str
) -> None:
    refused = await client.put(path(session, f"/checks/{name}"), json={"code": code})
    assert refused.status_code == 422
    assert words in refused.json()["detail"]
    assert (await client.get(path(session, "/checks"))).json() == {"items": []}


async def test_what_is_too_long_or_too_much_is_refused(client: Any, session: Any) -> None:
    long = await client.put(path(session, "/checks/few"), json={"code": "1 + " * 2000 + "1"})
    assert (long.status_code, long.json()["title"]) == (413, "It is too large")
    for n in range(MOST_CHECKS):
        kept = await client.put(path(session, f"/checks/c{n}"), json={"code": BOTH})
    assert len(kept.json()["items"]) == MOST_CHECKS
    assert (await client.put(path(session, "/checks/more"), json={"code": BOTH})).status_code == 413
    assert (await client.put(path(session, "/checks/c7"), json={"code": BOTH})).status_code == 200


async def test_what_does_not_exist_is_a_problem(client: Any, session: Any) -> None:
    gone = await client.delete(path(session, "/checks/few"))
    assert (gone.status_code, gone.json()["type"]) == (404, "urn:decision-ai:problem:unknown-check")
    for method, rest in (("get", "checks"), ("put", "checks/few"), ("delete", "checks/few")):
        body = {"json": {"code": BOTH}} if method == "put" else {}
        missing = await getattr(client, method)(f"/v1/chat_sessions/no-such/{rest}", **body)
        assert missing.json()["type"] == "urn:decision-ai:problem:not-found"


class TestWithARealExecutor:
    @pytest.fixture
    async def executor(self) -> AsyncIterator[LocalExecutor]:
        async with LocalExecutor() as executor:
            yield executor

    async def test_a_plan_is_priced_with_what_it_breaks(self, client: Any, session: Any) -> None:
        await client.put(path(session, "/checks/few"), json={"code": BOTH})
        values = {"take": [[["Zelt"], 1], [["Öfen"], 2], [["Boot"], 1]]}
        priced = await client.post(path(session, "/plans/check"), json={"plan": {"values": values}})
        assert priced.status_code == 200, priced.text
        found = priced.json()
        assert found["objective"] == 34
        assert [(row["constraint_id"], row["violation"]) for row in found["rows"]] == [("room", 6)]
        assert [member["index"] for member in found["members"]] == [["Öfen"]]
        assert (found["missing"], found["unknown"]) == ([], ["take[Boot]"])
        assert [(check["name"], check["holds"]) for check in found["checks"]] == [("few", False)]

    async def test_what_is_no_plan_is_refused(self, client: Any, session: Any) -> None:
        refused = await client.post(path(session, "/plans/check"), json={"plan": {"values": {"take": 3}}})
        assert refused.status_code == 422


async def test_a_model_that_does_not_build_is_a_problem(client: Any, session: Any, executor: Any) -> None:
    executor.validation = FormulationValidationFailed(error="it is broken")
    refused = await client.post(path(session, "/plans/check"), json={"plan": {"values": {}}})
    assert (refused.status_code, refused.json()["detail"]) == (422, "it is broken")
