"""The application put together from its real parts, in a process of its own."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from decision_ai.errors import DecisionAIError
from decision_ai_server.app import create_app, serve
from decision_ai_server.settings import LlmSettings, Settings

KEY = "the-key-of-this-test"
SOURCE = """
import pulp
from decision_ai import InputData, OptModel, Var, Variables, continuous, constraint, objective

class Need(InputData):
    litres: float

class Amounts(Variables):
    bought: Var = continuous()

class Buying(OptModel[Need, Amounts]):
    @constraint()
    def enough(self, data, v):
        return v.bought >= data.litres

    @objective("minimize")
    def cost(self, data, v):
        return 2 * v.bought

    def solution_to_str(self, data, v):
        return str(v.bought.value())
"""
SERVE = """
import os
from decision_ai_server.app import serve
from decision_ai_server.settings import Settings
serve(Settings(port=0), on_ready=lambda port: print(port, flush=True), until=lambda: os.read(0, 1))
"""
MODELLER = """
class Silent:
    async def decide(self, context):
        raise NotImplementedError
"""


@dataclass(frozen=True)
class Running:
    process: subprocess.Popen[str]
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def running(folder: Path) -> Iterator[Running]:
    (folder / "silent_modeller.py").write_text(MODELLER)
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder),
        "DECISION_AI_SERVER_API_KEY": KEY,
        "DECISION_AI_SERVER_MODELLER": "silent_modeller:Silent",
        "DECISION_AI_SERVER_DATABASE_URL": f"sqlite+aiosqlite:///{folder}/test.db",
    }
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        yield Running(process, int(line))
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("server")) as server:
        yield server


def test_the_server_answers_whom_it_should(server: Running) -> None:
    health = httpx.get(f"{server.url}/healthz").json()
    assert (health["status"], health["modeller"], health["model"]) == ("ok", "custom", None)
    assert httpx.get(f"{server.url}/v1/opt_models").status_code == 401
    headers = {"Authorization": f"Bearer {KEY}"}
    assert httpx.get(f"{server.url}/v1/opt_models", headers=headers).status_code == 200
    assert httpx.get(f"{server.url}/healthz", headers={"Host": "evil.example"}).status_code == 421


@pytest.mark.parametrize(("litres", "status"), [(3.5, 201), ("many", 422)])
def test_a_session_starts_where_the_sandbox_can_build_the_model(
    server: Running, litres: object, status: int
) -> None:
    with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {KEY}"}) as client:
        model = client.post("/v1/opt_models", json={"source": SOURCE}).json()
        data = client.post("/v1/opt_input_data", json={"litres": litres}).json()
        body = {"opt_model_id": model["id"], "opt_input_data_id": data["id"]}
        response = client.post("/v1/chat_sessions", json=body)
    assert response.status_code == status, response.text
    if status == 422:
        assert "litres" in response.json()["detail"]


def test_a_server_ends_quietly_when_what_it_waits_for_returns(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        out, err = server.process.communicate("", timeout=10)
        assert (server.process.returncode, out, err) == (0, "", "")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": f"Bearer {KEY}"}, 404),
        ({"Authorization": f"Bearer {KEY}", "Origin": "https://evil.example"}, 403),
    ],
    ids=["no key", "wrong key", "no such session", "foreign page"],
)
async def test_a_refused_handshake_says_why(server: Running, headers: dict[str, str], status: int) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(
            f"ws://127.0.0.1:{server.port}/v1/chat_sessions/unknown/ws",
            additional_headers=headers,
            subprotocols=["decision-ai.v1"],  # type: ignore[list-item]
            proxy=None,
        )
    response = refused.value.response
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    assert json.loads(response.body)["status"] == status


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_server_may_open_as_many_files_as_the_system_allows(server: Running) -> None:
    limits = Path(f"/proc/{server.process.pid}/limits").read_text().splitlines()
    soft, hard = next(line for line in limits if line.startswith("Max open files")).split()[3:5]
    assert soft == hard


def test_a_server_without_a_key_is_not_made() -> None:
    with pytest.raises(DecisionAIError, match="needs a key"):
        create_app(Settings(api_key=None))


@pytest.mark.parametrize("modeller", ["nonsense", "no.such.module:X", "json:nothing", ":x", "json:"])
def test_a_modeller_that_cannot_be_loaded_is_named(modeller: str) -> None:
    with pytest.raises(DecisionAIError, match=f"the setting modeller is '{modeller}'"):
        create_app(Settings(api_key=SecretStr(KEY), modeller=modeller))


def app_with(**given: Any) -> FastAPI:
    return create_app(Settings(api_key=SecretStr(KEY), database_url="sqlite+aiosqlite://", **given))


LLM = LlmSettings(base_url="http://127.0.0.1:9/v1", model="some-model", api_key=SecretStr("the-llm-key"))


@pytest.mark.parametrize(
    ("given", "kind", "model"),
    [
        ({}, "offline", None),
        ({"llm": LLM}, "llm", "some-model"),
        ({"llm": LLM, "modeller": "llm"}, "llm", "some-model"),
        ({"llm": LLM, "modeller": "offline"}, "offline", None),
        ({"modeller": "decision_ai_server.modellers.offline:OfflineModeller"}, "custom", None),
    ],
)
async def test_who_writes_changes_follows_from_the_settings_and_is_told_without_secrets(
    given: dict[str, Any], kind: str, model: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-alone-it-means-nothing")
    app = app_with(**given)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            response = await client.get("/healthz")
    health = response.json()
    assert (health["modeller"], health["model"]) == (kind, model)
    assert "the-llm-key" not in response.text
    assert "127.0.0.1" not in response.text


def test_a_language_model_that_is_not_set_cannot_be_the_modeller() -> None:
    with pytest.raises(DecisionAIError, match="there is no language model: set DECISION_AI_LLM_BASE_URL"):
        app_with(modeller="llm")


def test_the_extra_is_asked_for_at_the_start_and_nothing_else_is_used_instead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("decision_ai_server.modellers.configured.find_spec", lambda name: None)
    with pytest.raises(
        DecisionAIError, match=r"the extra `openai` is not installed; run: .*decision-ai\[openai\]"
    ):
        app_with(llm=LLM)


def test_a_port_that_is_taken_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            DecisionAIError, match=f"cannot listen on 127.0.0.1, port {port}: Address already"
        ):
            serve(Settings(api_key=SecretStr(KEY), port=port))
