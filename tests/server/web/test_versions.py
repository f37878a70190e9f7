"""Walking among the versions over HTTP."""

from typing import Any

import httpx
import pytest

from decision_ai.client.schemas.chat_messages.validation import (
    InputDataSchemaValidationFailed,
    ValidationSucceeded,
)
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.findings import Findings, IncompatiblePart
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan

SOFT = {"priority": "B"}
OFF = {"enabled": False}


def path(session: dict[str, Any], rest: str = "") -> str:
    return f"/v1/chat_sessions/{session['id']}{rest}"


@pytest.fixture
async def post(client: httpx.AsyncClient, session: dict[str, Any]) -> Any:
    """Posts to a route of the session."""

    async def send(route: str, **body: Any) -> httpx.Response:
        return await client.post(path(session, f"/{route}"), json=body)

    return send


@pytest.fixture
async def edit(client: httpx.AsyncClient, session: dict[str, Any]) -> Any:
    """Makes a version whose constraint is edited; the answer is its id."""

    async def make(**fields: Any) -> str:
        state = (await client.get(path(session))).json()
        room = {**state["constraints"]["room"], **fields}
        body = {"constraints": {**state["constraints"], "room": room}}
        patched = await client.patch(path(session), json=body, headers={"If-Match": "*"})
        assert patched.status_code == 200, patched.text
        return str((await client.get(path(session, "/versions"))).json()["head"])

    return make


async def test_undo_and_redo_walk_along_the_branch(client: Any, session: Any, post: Any, edit: Any) -> None:
    await edit(**OFF)
    tip = await edit(**SOFT)
    back = await post("undo", steps=2)
    assert (back.status_code, back.json()["constraints"]) == (200, session["constraints"])
    forth = await post("redo")
    assert (forth.json()["constraints"]["room"]["enabled"], forth.headers["etag"]) == (False, '"4"')
    assert (await post("redo", steps=5)).json()["constraints"]["room"]["priority"] == "B"
    listed = (await client.get(path(session, "/versions"))).json()
    assert [(item["number"], item["is_head"]) for item in listed["items"]] == [
        (0, False),
        (1, False),
        (2, True),
    ]
    assert listed["branches"] == [{"name": "main", "tip": tip, "number": 2, "is_present": True}]
    assert listed["items"][1]["summary"] == "changed constraint room"


async def test_branches_are_made_and_checked_out(client: Any, session: Any, post: Any, edit: Any) -> None:
    first = await edit(**OFF)
    assert (await post("branch", name="night shift")).status_code == 200
    second = await edit(**SOFT)
    assert (await post("checkout", version="main")).json()["constraints"]["room"]["priority"] == "hard"
    found = (await client.get(path(session, "/branches"))).json()["items"]
    assert [(item["name"], item["tip"], item["is_present"]) for item in found] == [
        ("main", first, True),
        ("night shift", second, False),
    ]
    for target in (second, 2, "2", "night shift"):
        assert (await post("checkout", version=target)).json()["constraints"]["room"]["priority"] == "B"


@pytest.mark.parametrize(
    ("route", "body", "status", "kind"),
    [
        ("undo", {}, 409, "nothing-to-undo"),
        ("redo", {}, 409, "nothing-to-redo"),
        ("redo", {"steps": 0}, 422, "invalid-request"),
        ("branch", {"name": "main"}, 409, "branch-taken"),
        ("branch", {"name": "1"}, 422, "branch-name"),
        ("checkout", {"version": "x"}, 404, "unknown-version"),
        ("reset", {"id": "room"}, 409, "nothing-to-reset"),
        ("reset", {"id": "rom"}, 422, "program"),
    ],
)
async def test_what_cannot_be_done_is_a_problem(
    post: Any, route: str, body: dict[str, Any], status: int, kind: str
) -> None:
    refused = await post(route, **body)
    assert (refused.status_code, refused.json()["type"].rpartition(":")[2]) == (status, kind)


@pytest.mark.parametrize("route", ["redo", "branch", "checkout", "reset"])
async def test_an_unknown_session_is_a_404(client: httpx.AsyncClient, route: str) -> None:
    body = {"redo": {}, "branch": {"name": "b"}, "checkout": {"version": 0}, "reset": {"id": "x"}}[route]
    answer = await client.post(f"/v1/chat_sessions/unknown/{route}", json=body)
    assert (answer.status_code, answer.json()["detail"]) == (404, "there is no chat session 'unknown'")


async def test_a_reset_is_a_version_of_the_caller(client: Any, session: Any, post: Any, edit: Any) -> None:
    await edit(**OFF)
    done = await post("reset", id="room")
    assert done.json()["constraints"] == session["constraints"]
    newest = (await client.get(path(session, "/versions"))).json()["items"][-1]
    assert (newest["number"], newest["author"], newest["approver"]) == (2, "owner", "owner")


async def test_versions_are_compared(client: Any, session: Any, edit: Any, executor: Any) -> None:
    async def run(job: Job, **_: Any) -> JobResult:
        executor.jobs.append(job)
        objective = float(len(executor.jobs))
        outcome = Outcome(kind=OutcomeKind.OPTIMAL, objective=objective)
        plan = Plan(values={"take": [(("Zelt",), objective)]})
        return JobResult(validation=ValidationSucceeded(), outcome=outcome, plan=plan)

    await edit(**OFF)
    executor.jobs, executor.run = [], run
    answer = (await client.get(path(session, "/compare"), params={"a": 0, "time_limit": 7})).json()
    assert [job.parameters.time_limit for job in executor.jobs] == [7, 7]
    assert [answer[side]["outcome"]["objective"] for side in ("a", "b")] == [1, 2]
    assert [(part["kind"], part["id"]) for part in answer["components"]] == [("constraint", "room")]
    assert answer["plan"] == [{"variable_id": "take", "index": ["Zelt"], "before": 1, "after": 2}]
    await client.get(path(session, "/compare"), params={"a": 0, "b": "main", "solve": False})
    assert len(executor.jobs) == 2
    unknown = await client.get(path(session, "/compare"), params={"a": "x"})
    assert (unknown.status_code, unknown.json()["title"]) == (404, "There is no such version")


async def other_data(client: httpx.AsyncClient, data: dict[str, Any]) -> str:
    return str((await client.post("/v1/opt_input_data", json={**data, "room": 9.0})).json()["id"])


async def test_other_data_mark_what_does_not_build_and_the_chat_says_so(
    client: Any, session: Any, data: Any, executor: Any, post: Any
) -> None:
    tent = IncompatiblePart(kind="constraint", id="room", reason="the data have no 'Zelt'")
    findings = Findings(incompatible=[tent])

    async def run(job: Job, **_: Any) -> JobResult:
        assert job.task == "compatibility"
        assert '"room":9.0' in job.json_data
        return JobResult(validation=ValidationSucceeded(), findings=findings)

    executor.run = run
    new = await other_data(client, data)
    patched = await client.patch(path(session), json={"opt_input_data_id": new}, headers={"If-Match": '"0"'})
    assert patched.status_code == 200, patched.text
    state = patched.json()
    assert state["opt_input_data_id"] == new
    assert state["constraints"]["room"]["incompatible"] is True
    assert state["constraints"]["room"]["incompatibility_reason"] == tent.reason
    program = (await client.get(path(session, "/program"))).json()
    assert "def room" not in program["code"]
    newest = (await client.get(path(session, "/versions"))).json()["items"][-1]
    assert (newest["incompatible"], newest["hash"]) == ([tent.model_dump()], program["hash"])

    findings = Findings()
    again = await client.patch(path(session), json={"constraints": {}}, headers={"If-Match": "*"})
    assert again.status_code == 200, again.text
    assert (await client.get(path(session, "/versions"))).json()["items"][-1]["incompatible"] == []


async def test_data_that_do_not_fit_their_classes_change_nothing(
    client: Any, session: Any, data: Any, executor: Any
) -> None:
    executor.validation = InputDataSchemaValidationFailed(input_data_class_name="BagData", error="no room")
    new = await other_data(client, data)
    refused = await client.patch(path(session), json={"opt_input_data_id": new}, headers={"If-Match": "*"})
    assert (refused.status_code, refused.json()["title"]) == (422, "The model does not build")
    assert (await client.get(path(session))).json() == session
    missing = await client.patch(
        path(session), json={"opt_input_data_id": "data-0"}, headers={"If-Match": "*"}
    )
    assert (missing.status_code, missing.json()["detail"]) == (404, "there is no opt_input_data 'data-0'")
