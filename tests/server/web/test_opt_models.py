"""Models over REST."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest


async def test_a_model_is_kept_whole_and_named_after_its_class(
    client: httpx.AsyncClient, source: str
) -> None:
    created = await client.post("/v1/opt_models", json={"source": source})
    assert created.status_code == 201
    model = created.json()
    assert {name: value for name, value in model.items() if name not in ("id", "created_at")} == {
        "name": "Bag",
        "py_class_name_of_model": "Bag",
        "py_class_name_of_input_data": "BagData",
        "py_class_name_of_variables": "BagVariables",
    }
    assert (await client.get(f"/v1/opt_models/{model['id']}")).json() == {**model, "source": source}


async def test_a_model_may_have_a_name_of_its_own(client: httpx.AsyncClient, source: str) -> None:
    created = (await client.post("/v1/opt_models", json={"source": source, "name": "My bag"})).json()
    listed = (await client.get("/v1/opt_models")).json()["items"]
    assert listed == [{name: created[name] for name in ("id", "name", "created_at")}]
    assert listed[0]["name"] == "My bag"


@pytest.mark.parametrize("name", ["", "two\\nlines", "\\u0000", "\\ud800", "x" * 201])
async def test_a_name_is_one_line_of_text(client: httpx.AsyncClient, source: str, name: str) -> None:
    body = f'{{"source": {json.dumps(source)}, "name": "{name}"}}'
    response = await client.post("/v1/opt_models", content=body, headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()["errors"][0]["where"]) == (422, "body.name")


async def test_a_broken_file_is_refused_with_its_line(client: httpx.AsyncClient, source: str) -> None:
    broken = source.replace("<= data.room", "<= data.room)")
    response = await client.post("/v1/opt_models", json={"source": broken})
    assert response.status_code == 422
    problem = response.json()
    line = next(number for number, text in enumerate(broken.splitlines(), 1) if "data.room)" in text)
    assert problem["report"]["line"] == line
    assert f"line {line}" in problem["detail"]
    assert problem["errors"][0]["where"].endswith(f"line {line}")


async def test_a_pulp_script_is_refused_and_never_run(client: httpx.AsyncClient, tmp_path: Path) -> None:
    script = f"import pulp\nopen({str(tmp_path / 'seen')!r}, 'w')\np = pulp.LpProblem()\np.solve()\n"
    response = await client.post("/v1/opt_models", json={"source": script})
    assert response.status_code == 422
    assert "a server does not run scripts" in response.json()["detail"]
    assert "decision-ai import" in response.json()["detail"]
    assert response.json()["report"]["error_type"] == "pulp_script"
    assert not (tmp_path / "seen").exists()


@pytest.mark.parametrize(
    "expression", ["open('/etc/passwd')", "data.__class__.__subclasses__()", "__import__('os')"]
)
async def test_a_hostile_file_is_refused_before_anything_runs(
    client: httpx.AsyncClient, source: str, expression: str
) -> None:
    hostile = source.replace("<= data.room", f"<= {expression}")
    response = await client.post("/v1/opt_models", json={"source": hostile})
    assert response.status_code == 422
    assert response.json()["report"]["line"] is not None
    assert (await client.get("/v1/opt_models")).json()["items"] == []


async def test_a_file_over_the_limit_is_refused(client: httpx.AsyncClient, source: str) -> None:
    response = await client.post("/v1/opt_models", json={"source": source + "#" * 2**20})
    assert response.status_code == 413
    assert "program (bytes)" in response.json()["detail"]


async def test_a_deleted_model_is_gone(client: httpx.AsyncClient, model_id: str) -> None:
    assert (await client.delete(f"/v1/opt_models/{model_id}")).status_code == 204
    assert (await client.get(f"/v1/opt_models/{model_id}")).status_code == 404


async def test_a_model_in_use_stays(
    client: httpx.AsyncClient, model_id: str, session: dict[str, Any]
) -> None:
    response = await client.delete(f"/v1/opt_models/{model_id}")
    assert response.status_code == 409
    assert session["id"] in response.json()["detail"]
