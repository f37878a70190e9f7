"""Health needs no key."""

import httpx

from decision_ai import __version__


async def test_health_tells_the_version_without_a_key(client: httpx.AsyncClient) -> None:
    response = await client.get("/healthz", headers={"Authorization": ""})
    told = {"status": "ok", "version": __version__, "modeller": "custom", "model": None}
    assert (response.status_code, response.json()) == (200, told)
