"""Input data over REST."""

import json
from typing import Any

import httpx
import pytest


async def test_data_come_back_as_they_were_with_the_order_of_their_keys(
    client: httpx.AsyncClient, data: dict[str, Any], data_id: str
) -> None:
    found = (await client.get(f"/v1/opt_input_data/{data_id}")).json()
    assert found["json_data"] == json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    assert found["size"] == len(found["json_data"].encode())
    assert found["created_at"] > 1_700_000_000_000


async def test_the_same_data_have_the_same_id_however_they_are_sent(
    client: httpx.AsyncClient, data: dict[str, Any], data_id: str
) -> None:
    wrapped = await client.post("/v1/opt_input_data", json={"json_data": json.dumps(data, indent=4)})
    assert wrapped.status_code == 201
    assert wrapped.json()["id"] == data_id
    listed = (await client.get("/v1/opt_input_data")).json()["items"]
    assert [set(item) for item in listed] == [{"id", "created_at", "size"}]


@pytest.mark.parametrize("body", [{"json_data": {"a": 1}}, {"json_data": "1", "other": 2}, [1, 2], 7])
async def test_data_that_only_look_like_the_wrapper_are_data(client: httpx.AsyncClient, body: object) -> None:
    created = (await client.post("/v1/opt_input_data", json=body)).json()
    found = (await client.get(f"/v1/opt_input_data/{created['id']}")).json()
    assert json.loads(found["json_data"]) == body


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'{"a": 1, "a": 2}', "occurs twice"),
        (b'{"a": NaN}', "NaN"),
        (b"{", "line 1"),
        (b'{"a": "\xff"}', "not UTF-8 at byte 7"),
        (b"[" * 70 + b"]" * 70, "deeper than 64"),
        (b'{"json_data": "{"}', "line 1"),
    ],
)
async def test_what_is_not_data_is_refused_with_the_place(
    client: httpx.AsyncClient, body: bytes, told: str
) -> None:
    response = await client.post("/v1/opt_input_data", content=body)
    assert response.status_code == 422
    assert told in response.json()["detail"]


async def test_data_may_be_larger_than_other_bodies_up_to_their_own_limit(client: httpx.AsyncClient) -> None:
    fits, too_large = ["x" * (5 * 2**20)], ["x" * (6 * 2**20)]
    assert (await client.post("/v1/opt_input_data", json=fits)).status_code == 201
    response = await client.post("/v1/opt_input_data", json=too_large)
    assert response.status_code == 413
    assert "input data (bytes) is 6,291,460, the limit is 6,291,456" in response.json()["detail"]
    response = await client.post("/v1/opt_models", json={"source": fits[0]})
    assert response.status_code == 413


async def test_deleted_data_are_gone(client: httpx.AsyncClient, data_id: str) -> None:
    assert (await client.delete(f"/v1/opt_input_data/{data_id}")).status_code == 204
    assert (await client.get(f"/v1/opt_input_data/{data_id}")).status_code == 404
    assert (await client.delete(f"/v1/opt_input_data/{data_id}")).status_code == 404


async def test_data_in_use_stay(client: httpx.AsyncClient, data_id: str, session: dict[str, Any]) -> None:
    response = await client.delete(f"/v1/opt_input_data/{data_id}")
    assert response.status_code == 409
    assert session["id"] in response.json()["detail"]
