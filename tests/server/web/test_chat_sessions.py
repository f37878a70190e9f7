"""Chat sessions over REST."""

from typing import Any

import httpx
import pytest

from decision_ai.client.schemas.chat_messages.chat import Prompt, SystemPrompt
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    InputDataSchemaValidationFailed,
    Validation,
)
from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai.modeling.program import Program
from decision_ai_server.storage.records import Append
from decision_ai_server.storage.store import Store

NEW_CONSTRAINT = '''@constraint(r"\\sum_i take_i \\le 2")
def at_most_two(self, data, v):
    """At most two things are taken."""
    return pulp.lpSum(v.take[i] for i in data.things) <= 2
'''


def path(session: dict[str, Any], rest: str = "") -> str:
    return f"/v1/chat_sessions/{session['id']}{rest}"


async def etag(client: httpx.AsyncClient, session: dict[str, Any]) -> str:
    return str((await client.get(path(session))).headers["etag"])


async def write(
    client: httpx.AsyncClient, session: dict[str, Any], body: dict[str, Any], tag: str | None = None
) -> httpx.Response:
    headers = {"If-Match": tag or await etag(client, session)}
    return await client.patch(path(session), json=body, headers=headers)


async def test_a_new_session_is_the_base_model_on_the_data(
    client: httpx.AsyncClient, session: dict[str, Any], model_id: str, data_id: str
) -> None:
    state = ChatSessionState.model_validate(session)
    assert (state.opt_model_id, state.opt_input_data_id) == (model_id, data_id)
    assert (state.base_constraint_ids, state.user_constraint_ids) == ({"room"}, set())
    assert state.py_class_name_of_model == "Bag"
    assert state.created_at == state.updated_at > 1_700_000_000_000
    response = await client.get(path(session))
    assert response.json() == session
    assert response.headers["etag"] == '"0"'


async def test_the_composed_model_is_built_once_on_the_data_before_the_session_exists(
    executor: Any, source: str, session: dict[str, Any]
) -> None:
    (job,) = executor.jobs
    assert (job.task, job.source) == ("build", Program.parse(source).composed())
    assert "load_input_data" not in job.source
    assert job.json_data.startswith('{"room":5.0')


@pytest.mark.parametrize(
    ("validation", "where", "detail"),
    [
        (
            InputDataSchemaValidationFailed(input_data_class_name="BagData", error="room: field required"),
            "BagData",
            "the data do not fit BagData: room: field required",
        ),
        (
            FormulationValidationFailed(
                error=FormulationErrorReport(
                    component="constraint", component_id="room", error_type="nonlinear", message="no", line=3
                )
            ),
            "constraint room, line 3",
            "line 3: no",
        ),
    ],
)
async def test_a_model_that_does_not_build_on_the_data_gets_no_session(
    client: httpx.AsyncClient,
    executor: Any,
    model_id: str,
    data_id: str,
    validation: Validation,
    where: str,
    detail: str,
) -> None:
    executor.validation = validation
    body = {"opt_model_id": model_id, "opt_input_data_id": data_id}
    response = await client.post("/v1/chat_sessions", json=body)
    assert response.status_code == 422
    problem = response.json()
    assert problem["detail"] == detail
    assert problem["errors"][0]["where"] == where
    assert (await client.get("/v1/chat_sessions")).json()["items"] == []


@pytest.mark.parametrize("missing", ["opt_model_id", "opt_input_data_id"])
async def test_a_session_of_something_unknown_is_a_404(
    client: httpx.AsyncClient, model_id: str, data_id: str, missing: str
) -> None:
    body = {"opt_model_id": model_id, "opt_input_data_id": data_id} | {missing: "unknown"}
    response = await client.post("/v1/chat_sessions", json=body)
    assert (response.status_code, "'unknown'" in response.json()["detail"]) == (404, True)


@pytest.mark.parametrize("id", ["", "\\ud800", "\\u0000", "x" * 65])
async def test_what_cannot_be_an_id_is_refused(client: httpx.AsyncClient, data_id: str, id: str) -> None:
    body = f'{{"opt_model_id": "{id}", "opt_input_data_id": "{data_id}"}}'
    response = await client.post(
        "/v1/chat_sessions", content=body, headers={"Content-Type": "application/json"}
    )
    assert (response.status_code, response.json()["errors"][0]["where"]) == (422, "body.opt_model_id")


async def test_pages_lead_from_one_to_the_next(
    client: httpx.AsyncClient, model_id: str, data_id: str
) -> None:
    body = {"opt_model_id": model_id, "opt_input_data_id": data_id}
    made = [(await client.post("/v1/chat_sessions", json=body)).json() for _ in range(5)]
    seen: list[dict[str, Any]] = []
    query: dict[str, Any] = {"limit": 2}
    for size in (2, 2, 1):
        page = (await client.get("/v1/chat_sessions", params=query)).json()
        assert len(page["items"]) == size
        seen += page["items"]
        query["before"] = page["next"]
    assert query["before"] is None
    assert sorted(state["id"] for state in seen) == sorted(state["id"] for state in made)
    assert [state["created_at"] for state in seen] == sorted((s["created_at"] for s in made), reverse=True)


@pytest.mark.parametrize("limit", [0, 101, "x"])
async def test_a_page_has_a_sensible_size(client: httpx.AsyncClient, limit: object) -> None:
    response = await client.get(f"/v1/chat_sessions?limit={limit}")
    assert (response.status_code, response.json()["errors"][0]["where"]) == (422, "query.limit")


@pytest.mark.parametrize(
    ("method", "rest"),
    [
        ("GET", ""),
        ("PATCH", ""),
        ("DELETE", ""),
        ("GET", "/messages"),
        ("GET", "/versions"),
        ("GET", "/program"),
        ("POST", "/undo"),
    ],
)
async def test_an_unknown_session_is_a_404_everywhere(
    client: httpx.AsyncClient, method: str, rest: str
) -> None:
    body: dict[str, Any] | None = {} if method in ("PATCH", "POST") else None
    response = await client.request(
        method, f"/v1/chat_sessions/unknown{rest}", json=body, headers={"If-Match": '"0"'}
    )
    assert response.status_code == 404
    assert response.json()["detail"] == "there is no chat session 'unknown'"


async def test_the_edited_state_becomes_a_version_approved_by_the_caller(
    client: httpx.AsyncClient, session: dict[str, Any]
) -> None:
    state = ChatSessionState.model_validate(session)
    state.disable_constraint("room")
    response = await write(client, session, state.model_dump())
    assert response.status_code == 200, response.text
    assert response.json()["constraints"]["room"]["enabled"] is False
    assert response.headers["etag"] == '"1"'
    listed = (await client.get(path(session, "/versions"))).json()
    first, second = listed["items"]
    assert (first["parent"], second["parent"], listed["head"]) == (None, first["id"], second["id"])
    assert second["approver"] == "owner"
    assert [change["kind"] for change in second["changes"]] == ["constraint_diff"]


async def test_only_the_edited_fields_need_to_be_written(
    client: httpx.AsyncClient, session: dict[str, Any]
) -> None:
    constraints = {**session["constraints"], "at_most_two": {"code": NEW_CONSTRAINT}}
    state = (await write(client, session, {"constraints": constraints})).json()
    assert state["constraints"]["at_most_two"]["is_user_constraint"] is True
    assert state["constraints"]["room"] == session["constraints"]["room"]
    assert "at_most_two" in (await client.get(path(session, "/program"))).json()["code"]


async def test_writing_what_is_there_makes_no_version(
    client: httpx.AsyncClient, session: dict[str, Any]
) -> None:
    response = await write(client, session, session)
    assert (response.status_code, response.headers["etag"]) == (200, '"0"')


async def test_what_is_said_in_between_does_not_lock_out_a_write(
    client: httpx.AsyncClient, store: Store, session: dict[str, Any]
) -> None:
    said = MessageContainer(chat_session_id=session["id"], message=SystemPrompt(content="Help."))
    await store.append(session["id"], Append(messages=(said,)), now=session["updated_at"] + 7)
    constraints = {**session["constraints"], "at_most_two": {"code": NEW_CONSTRAINT}}
    written = await write(client, session, {**session, "constraints": constraints}, tag='"0"')
    assert written.status_code == 200, written.text


async def test_reasoning_can_be_switched(client: httpx.AsyncClient, session: dict[str, Any]) -> None:
    response = await write(client, session, {"reasoning_enabled": True})
    assert response.json()["reasoning_enabled"] is True
    assert (await client.get(path(session))).json()["reasoning_enabled"] is True
    assert len((await client.get(path(session, "/versions"))).json()["items"]) == 1


async def test_a_write_without_or_with_an_old_revision_changes_nothing(
    client: httpx.AsyncClient, session: dict[str, Any]
) -> None:
    body = {"reasoning_enabled": True}
    missing = await client.patch(path(session), json=body)
    assert (missing.status_code, "If-Match" in missing.json()["detail"]) == (428, True)
    assert (await write(client, session, body)).status_code == 200
    stale = await write(client, session, {"reasoning_enabled": False}, tag='"0"')
    assert stale.status_code == 412
    assert "is at revision 1, not 0" in stale.json()["detail"]
    assert (await write(client, session, {"reasoning_enabled": False}, tag="x")).status_code == 400
    assert (await client.get(path(session))).json()["reasoning_enabled"] is True
    assert (await write(client, session, {"reasoning_enabled": False}, tag="*")).status_code == 200


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        ({"opt_model_id": "other"}, "opt_model_id"),
        ({"unknown": 1}, "unknown"),
        ({"constraints": 7}, "constraints"),
        ({"constraints": {"room": {"code": "nonsense"}}}, "nonsense"),
    ],
)
async def test_what_cannot_be_edited_is_refused_by_name(
    client: httpx.AsyncClient, session: dict[str, Any], edit: dict[str, Any], told: str
) -> None:
    response = await write(client, session, edit)
    assert response.status_code == 422
    assert response.headers["content-type"] == "application/problem+json"
    assert (await client.get(path(session))).json() == session


async def test_undo_goes_back_and_loses_nothing(client: httpx.AsyncClient, session: dict[str, Any]) -> None:
    constraints = {**session["constraints"], "at_most_two": {"code": NEW_CONSTRAINT}}
    await write(client, session, {"constraints": constraints})
    response = await client.post(path(session, "/undo"), json={"steps": 1})
    assert response.status_code == 200
    assert response.json()["constraints"] == session["constraints"]
    assert response.headers["etag"] == '"2"'
    assert len((await client.get(path(session, "/versions"))).json()["items"]) == 2
    assert (await client.post(path(session, "/undo"), json={"steps": 0})).status_code == 422


async def test_nothing_to_undo_is_said(client: httpx.AsyncClient, session: dict[str, Any]) -> None:
    refused = await client.post(path(session, "/undo"), json={})
    assert (refused.status_code, refused.json()["type"].rpartition(":")[2]) == (409, "nothing-to-undo")
    assert refused.json()["title"] == "There is nothing to undo"


async def test_a_setting_and_a_change_by_turns(client: httpx.AsyncClient, session: dict[str, Any]) -> None:
    for revision, edit in enumerate(
        [
            {"reasoning_enabled": True},
            {"constraints": {**session["constraints"], "at_most_two": {"code": NEW_CONSTRAINT}}},
            {"reasoning_enabled": False, "constraints": session["constraints"]},
        ]
    ):
        tag = {"If-Match": f'"{revision}"'}
        response = await client.patch(path(session), json=edit, headers=tag)
        assert (response.status_code, response.headers["etag"]) == (200, f'"{revision + 1}"'), response.text
    assert response.json()["reasoning_enabled"] is False


async def test_messages_after_one(client: httpx.AsyncClient, store: Store, session: dict[str, Any]) -> None:
    said = [
        MessageContainer(
            chat_session_id=session["id"], message=Prompt(prompt=f"prompt {i}"), message_id=f"m{i}"
        )
        for i in range(3)
    ]
    await store.append(session["id"], Append(messages=tuple(said)), now=1)
    found = (await client.get(path(session, "/messages"))).json()["items"]
    assert [MessageContainer.model_validate(item) for item in found] == said
    found = (await client.get(path(session, "/messages"), params={"after": "m1"})).json()["items"]
    assert [item["message_id"] for item in found] == ["m2"]


async def test_the_program_is_what_runs(
    client: httpx.AsyncClient, session: dict[str, Any], source: str, data_id: str
) -> None:
    found = (await client.get(path(session, "/program"))).json()
    versions = (await client.get(path(session, "/versions"))).json()
    assert found["code"] == Program.parse(source).composed()
    assert found["opt_input_data_id"] == data_id
    assert found["json_data"].startswith('{"room":5.0')
    assert (found["version_id"], found["hash"]) == (versions["head"], versions["items"][0]["hash"])


async def test_data_too_large_for_the_wire_are_left_to_their_own_address(
    client: httpx.AsyncClient, model_id: str, data: dict[str, Any]
) -> None:
    large = {**data, "things": {"x" * (2 * 2**20): {"weight": 1, "worth": 1}}}
    large_id = (await client.post("/v1/opt_input_data", json=large)).json()["id"]
    body = {"opt_model_id": model_id, "opt_input_data_id": large_id}
    session = (await client.post("/v1/chat_sessions", json=body)).json()
    found = (await client.get(path(session, "/program"))).json()
    assert (found["json_data"], found["opt_input_data_id"]) == (None, large_id)


async def test_a_deleted_session_is_gone(
    client: httpx.AsyncClient, session: dict[str, Any], model_id: str, data_id: str
) -> None:
    assert (await client.delete(path(session))).status_code == 204
    assert (await client.get(path(session))).status_code == 404
    assert (await client.delete(f"/v1/opt_models/{model_id}")).status_code == 204
    assert (await client.delete(f"/v1/opt_input_data/{data_id}")).status_code == 204
