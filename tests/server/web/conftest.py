"""A whole application over a real SQLite file, called without a socket."""

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from pydantic import SecretStr

from decision_ai.client.schemas.chat_messages.validation import Validation, ValidationSucceeded
from decision_ai.examples import example
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.wire.limits import FRAME_BYTES
from decision_ai_server.app import create_app
from decision_ai_server.settings import Settings
from decision_ai_server.storage.store import Store
from decision_ai_server.testing import ScriptedModeller

sys.path.append(str(Path(__file__).parent))  # for `sockets.py`
from sockets import BEARER, KEY, Chat

SOURCE = '''"""Pick what fits."""
import pulp
from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, objective


class Thing(InputData):
    weight: float
    """Kilograms."""
    worth: float
    """Euros."""


class BagData(InputData):
    room: float
    """Kilograms the bag carries."""
    things: dict[str, Thing]


class BagVariables(Variables):
    take: dict[str, Var] = binary(over=lambda data: data.things)
    """1 if the thing is taken."""


class Bag(OptModel[BagData, BagVariables]):
    @constraint(r"\\sum_i w_i take_i \\le R")
    def room(self, data, v):
        """What is taken weighs no more than the bag carries."""
        return pulp.lpSum(thing.weight * v.take[i] for i, thing in data.things.items()) <= data.room

    @objective("maximize", r"\\sum_i u_i take_i")
    def worth(self, data, v):
        """Worth of what is taken."""
        return pulp.lpSum(thing.worth * v.take[i] for i, thing in data.things.items())

    def solution_to_str(self, data, v):
        return ", ".join(i for i in data.things if v.take[i].value() > 0.5)

    def load_input_data(self, path):
        return BagData.model_validate_json(open(path).read())
'''
DATA = {"room": 5.0, "things": {"Zelt": {"weight": 3, "worth": 10}, "Öfen": {"weight": 4, "worth": 12}}}


class ScriptedExecutor:
    """Answers every build with `validation` and remembers the jobs."""

    def __init__(self) -> None:
        self.validation: Validation = ValidationSucceeded()
        self.jobs: list[Job] = []

    async def run(self, job: Job, **_options: Any) -> JobResult:
        self.jobs.append(job)
        return JobResult(validation=self.validation)

    async def aclose(self) -> None:
        pass


def quiet() -> ScriptedModeller:
    """Answers every prompt with `hello`."""
    return ScriptedModeller({}, silence="hello")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        database_url=f"sqlite+aiosqlite:///{tmp_path}/test.db",
        api_key=SecretStr(KEY),
        allowed_origins=("https://plans.example.com",),
        modeller=f"{__name__}:quiet",
        rest_data_bytes=6 * 2**20,
    )


@pytest.fixture
def source() -> str:
    return SOURCE


@pytest.fixture
def data() -> dict[str, Any]:
    return DATA


@pytest.fixture
def executor() -> ScriptedExecutor:
    return ScriptedExecutor()


@pytest.fixture
async def app(settings: Settings, executor: ScriptedExecutor) -> AsyncIterator[FastAPI]:
    @asynccontextmanager
    async def open_executor(_settings: Settings) -> AsyncIterator[ScriptedExecutor]:
        yield executor

    app = create_app(settings, open_executor=open_executor)
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
def store(app: FastAPI) -> Store:
    found: Store = app.state.parts.store
    return found


@pytest.fixture
async def client(app: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app, raise_app_exceptions=False),
        base_url="http://127.0.0.1:8765",
        headers={"Authorization": f"Bearer {KEY}"},
    ) as client:
        yield client


@pytest.fixture
async def model_id(client: httpx.AsyncClient) -> str:
    return str((await client.post("/v1/opt_models", json={"source": SOURCE})).json()["id"])


@pytest.fixture
async def data_id(client: httpx.AsyncClient) -> str:
    return str((await client.post("/v1/opt_input_data", json=DATA)).json()["id"])


@pytest.fixture
async def session(client: httpx.AsyncClient, model_id: str, data_id: str) -> dict[str, Any]:
    """The state of a session that was just created."""
    body = {"opt_model_id": model_id, "opt_input_data_id": data_id}
    created = await client.post("/v1/chat_sessions", json=body)
    assert created.status_code == 201, created.text
    state: dict[str, Any] = created.json()
    return state


@pytest.fixture
async def chat(settings: Settings, executor: Any) -> AsyncIterator[Chat]:
    @asynccontextmanager
    async def open_executor(_settings: Settings) -> AsyncIterator[Any]:
        yield executor

    app = create_app(settings, open_executor=open_executor)
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            ws="websockets-sansio",
            ws_max_size=FRAME_BYTES,
            lifespan="on",
            log_config=None,
            timeout_graceful_shutdown=1,
        )
    )
    port = listener.getsockname()[1]
    async with asyncio.TaskGroup() as group:
        group.create_task(server.serve(sockets=[listener]))
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
            await asyncio.sleep(0.01)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=BEARER) as client:
            source, json_data = example("knapsack")
            model = (await client.post("/v1/opt_models", json={"source": source})).json()["id"]
            data = (await client.post("/v1/opt_input_data", json={"json_data": json_data})).json()["id"]
            body = {"opt_model_id": model, "opt_input_data_id": data}
            session_id = (await client.post("/v1/chat_sessions", json=body)).json()["id"]
        yield Chat(port, session_id)
        server.should_exit = True
    listener.close()
