"""What a client may send to the routes of versions by mistake or on purpose: always a clear problem."""

import asyncio
import json
from typing import Any

import httpx
import pytest

BODIES = [
    b"null",
    b"[]",
    b"{",
    b"\xff\xfe",
    b'{"steps": true}',
    b'{"steps": "2"}',
    b'{"steps": NaN}',
    b'{"steps": 1e400}',
    b'{"steps": ' + b"9" * 5000 + b"}",
    b'{"name": 5}',
    b'{"name": "\\u0000"}',
    b'{"name": "\\ud800"}',
    b'{"version": true}',
    b'{"version": 1.0}',
    b'{"version": -1}',
    b'{"version": "\\ud800"}',
    b'{"version": "' + b"z" * 100_000 + b'"}',
    b'{"id": "\\ud800"}',
    b'{"id": "../x"}',
    b'{"id": "__class__"}',
]
JSON = {"Content-Type": "application/json"}


def is_problem(answer: httpx.Response) -> bool:
    kind = answer.headers["content-type"]
    return 400 <= answer.status_code < 500 and kind == "application/problem+json" and len(answer.text) < 1000


@pytest.mark.parametrize("route", ["undo", "redo", "branch", "checkout", "reset"])
async def test_no_body_breaks_a_route(client: httpx.AsyncClient, session: Any, route: str) -> None:
    for body in BODIES:
        answer = await client.post(f"/v1/chat_sessions/{session['id']}/{route}", content=body, headers=JSON)
        assert is_problem(answer) or body == b"null", (body, answer.status_code, answer.text)
    assert (await client.get(f"/v1/chat_sessions/{session['id']}")).json() == session


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ("{", "body.1: this is no JSON: Expecting property name enclosed in double quotes"),
        ("[]", "body: give a JSON object"),
        ("{}", "body.name: this is missing"),
        (
            '{"name": "a", "nmae": 1}',
            "body.nmae: there is no such field here; check its spelling or leave it out",
        ),
        ('{"name": "\\ud800"}', "the body has a lone surrogate; send valid Unicode"),
    ],
)
async def test_a_body_of_another_form_is_told_so(
    client: httpx.AsyncClient, session: Any, body: str, detail: str
) -> None:
    answer = await client.post(f"/v1/chat_sessions/{session['id']}/branch", content=body, headers=JSON)
    assert answer.json()["detail"] == detail


@pytest.mark.parametrize("route", ["undo", "redo"])
async def test_without_a_body_it_is_one_step(client: httpx.AsyncClient, session: Any, route: str) -> None:
    answer = await client.post(f"/v1/chat_sessions/{session['id']}/{route}")
    assert answer.json()["type"].endswith(f"nothing-to-{route}")


async def test_half_a_character_in_an_edit_is_refused(client: httpx.AsyncClient, session: Any) -> None:
    answer = await client.patch(
        f"/v1/chat_sessions/{session['id']}",
        content='{"opt_input_data_id": "\\ud800"}',
        headers=JSON | {"If-Match": "*"},
    )
    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        "the body has a lone surrogate; send valid Unicode",
    )


@pytest.mark.parametrize(
    "query", ["a=", "a=0&b=", "a=99", "a=main&b=%00", "a=%F0%9F%98%80", f"a={'x' * 5000}"]
)
async def test_an_unknown_version_to_compare_is_a_problem(
    client: httpx.AsyncClient, session: Any, query: str
) -> None:
    answer = await client.get(f"/v1/chat_sessions/{session['id']}/compare?{query}")
    assert is_problem(answer)
    assert answer.status_code == 404


async def test_any_printable_name_of_a_branch_works_everywhere(
    client: Any, session: Any, executor: Any
) -> None:
    for name in ("../../etc/passwd", "Nachtschicht ☾", "a b&c=d?#%00", "½", "'; drop table versions; --"):
        made = await client.post(f"/v1/chat_sessions/{session['id']}/branch", json={"name": name})
        assert made.status_code == 200, made.text
        path = f"/v1/chat_sessions/{session['id']}"
        assert (await client.post(f"{path}/checkout", json={"version": name})).status_code == 200
        assert (await client.get(f"{path}/compare", params={"a": name})).status_code == 200
        assert (await client.get(f"{path}/program", params={"version": name})).status_code == 200


async def test_the_routes_are_listed(client: httpx.AsyncClient) -> None:
    paths = (await client.get("/openapi.json")).json()["paths"]
    below = {path.removeprefix("/v1/chat_sessions/{chat_session_id}/") for path in paths}
    routes = (
        "undo redo branch checkout reset compare versions branches export checks checks/{name} plans/check"
    )
    assert set(routes.split()) <= below


async def test_the_list_of_versions_holds_other_data_in_brief(
    client: httpx.AsyncClient, session: Any, data: Any
) -> None:
    large = {**data, "things": data["things"] | {f"t{n}": {"weight": n, "worth": 1} for n in range(5000)}}
    new = (await client.post("/v1/opt_input_data", json=large)).json()["id"]
    path = f"/v1/chat_sessions/{session['id']}"
    done = await client.patch(path, json={"opt_input_data_id": new}, headers={"If-Match": "*"})
    assert done.status_code == 200, done.text

    listed = await client.get(f"{path}/versions")

    (change,) = listed.json()["items"][1]["changes"]
    assert (change["kind"], change["before"], change["after"]) == (
        "data_change",
        session["opt_input_data_id"],
        new,
    )
    assert (change["count"], len(change["values"])) == (5000, 20)
    assert len(listed.content) < 10_000 < len(json.dumps(large))


async def test_of_two_edits_of_one_state_one_is_written(client: httpx.AsyncClient, session: Any) -> None:
    def edit(priority: str) -> Any:
        room = {**session["constraints"]["room"], "priority": priority}
        path = f"/v1/chat_sessions/{session['id']}"
        return client.patch(path, json={"constraints": {"room": room}}, headers={"If-Match": '"0"'})

    answers = await asyncio.gather(*(edit(priority) for priority in "ABC"))

    assert sorted(answer.status_code for answer in answers) == [200, 412, 412]
    listed = (await client.get(f"/v1/chat_sessions/{session['id']}/versions")).json()["items"]
    assert len(listed) == 2
