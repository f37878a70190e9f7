"""Who calls is known before a route runs."""

import httpx
import pytest
from fastapi import FastAPI


@pytest.mark.parametrize("key", ["", "Bearer wrong", "Basic eDp5"])
async def test_every_route_but_health_wants_the_key(
    app: FastAPI, client: httpx.AsyncClient, key: str
) -> None:
    asked = 0
    for path, methods in app.openapi()["paths"].items():
        for method in methods:
            response = await client.request(method, path, headers={"Authorization": key})
            if path == "/healthz":
                assert response.status_code == 200
                continue
            assert response.status_code == 401, (method, path)
            assert response.headers["www-authenticate"] == "Bearer"
            assert response.headers["content-type"] == "application/problem+json"
            asked += 1
    assert asked >= 16
