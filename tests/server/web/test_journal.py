"""The journal over HTTP: by kind, by place, in pages, with clear refusals."""

from typing import Any

import httpx
import pytest

from decision_ai_server.agent.journal import Entry, Note
from decision_ai_server.storage.records import Append
from decision_ai_server.storage.store import Store


@pytest.fixture
async def url(session: dict[str, Any], store: Store) -> str:
    """The journal of a session with five entries."""
    kinds: Any = ["request", "decision", "result", "request", "loss"]
    entries = tuple(Entry(at, Note(kind, {"n": at})) for at, kind in enumerate(kinds, 1))
    await store.append(session["id"], Append(journal=entries), now=77)
    return f"/v1/chat_sessions/{session['id']}/journal"


async def read(client: httpx.AsyncClient, url: str) -> list[int]:
    return [item["at"] for item in (await client.get(url)).json()["items"]]


async def test_entries_come_oldest_first_with_their_place_and_time(
    client: httpx.AsyncClient, url: str
) -> None:
    body = (await client.get(url)).json()
    assert body["items"][1] == {
        "number": 2,
        "at": 2,
        "kind": "decision",
        "payload": {"n": 2},
        "created_at": 77,
    }
    assert ([item["at"] for item in body["items"]], body["next"]) == ([1, 2, 3, 4, 5], None)


async def test_entries_are_chosen_by_kind_and_place(client: httpx.AsyncClient, url: str) -> None:
    assert await read(client, f"{url}?kinds=request") == [1, 4]
    assert await read(client, f"{url}?kinds=decision,loss") == [2, 5]
    assert await read(client, f"{url}?since=3") == [3, 4, 5]
    assert await read(client, f"{url}?kinds=request,%20decision&since=2") == [2, 4]


async def test_pages_hold_every_entry_once(client: httpx.AsyncClient, url: str) -> None:
    seen: list[int] = []
    after: int | None = 0
    while after is not None:
        page = (await client.get(url, params={"limit": 2, "after": after})).json()
        seen += [item["at"] for item in page["items"]]
        after = page["next"]
    assert seen == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("kinds=requests", 400, "'requests' must be some of request, decision, result, loss"),
        ("kinds=", 400, "must be some of request, decision, result, loss"),
        ("since=-1", 422, "query.since: Input should be greater than or equal to 0"),
        ("since=x", 422, "query.since: Input should be a valid integer"),
        ("limit=0", 422, "query.limit: Input should be greater than or equal to 1"),
        ("limit=1001", 422, "query.limit: Input should be less than or equal to 1000"),
        ("after=9223372036854775808", 422, "query.after: Input should be less than"),
    ],
)
async def test_what_cannot_be_read_is_refused_with_its_name(
    client: httpx.AsyncClient, url: str, query: str, status: int, said: str
) -> None:
    response = await client.get(f"{url}?{query}")
    assert (response.status_code, said in response.json()["detail"]) == (status, True), response.text


async def test_a_session_that_is_not_there_has_none(client: httpx.AsyncClient) -> None:
    assert (await client.get("/v1/chat_sessions/nobody/journal")).status_code == 404


async def test_the_key_is_needed(client: httpx.AsyncClient, url: str) -> None:
    assert (await client.get(url, headers={"Authorization": ""})).status_code == 401
