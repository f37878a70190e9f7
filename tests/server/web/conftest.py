"""A whole application over a real SQLite file, called without a socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr

from decision_ai.client.schemas.chat_messages.changes import ModelChanges, OptInputDataDiff
from decision_ai.client.schemas.chat_messages.validation import Validation, ValidationSucceeded
from decision_ai.modeling.data import program_hash
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai_server.app import create_app
from decision_ai_server.settings import Settings
from decision_ai_server.storage.records import Append, DataRecord, SessionRecord, VersionRecord
from decision_ai_server.storage.store import Store

KEY = "the-key-of-the-tests"
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


class StoredSessions:
    """The port over the store alone: no turn runs, so no question can be open."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.closed: list[str] = []

    async def apply_changes(
        self, session_id: str, changes: list[ModelChanges], *, expected_revision: int, author: str
    ) -> SessionRecord:
        record = await self.store.get_session(session_id)
        head = await self.store.version(session_id, record.head)
        program, data_id, data = Program.parse(head.source), head.data_id, []
        for change in changes:
            program = program.apply(change)
            if isinstance(change, OptInputDataDiff) and change.added is not None:
                data_id = change.added.opt_input_data_id
                data.append(DataRecord(id=data_id, created_at=1, json_data=change.added.json_data))
        version = VersionRecord(
            id=f"after-{head.id}",
            session_id=session_id,
            parent=head.id,
            created_at=1,
            author=author,
            approver=author,
            sentence="",
            changes=[change.model_dump(mode="json") for change in changes],
            source=program.source,
            data_id=data_id,
            hash=program_hash(program.composed(), data_id, None),
        )
        step = Append(data=tuple(data), versions=(version,), head=version.id)
        return await self.store.append(session_id, step, now=99, expected_revision=expected_revision)

    async def undo(self, session_id: str, steps: int) -> SessionRecord:
        record = await self.store.get_session(session_id)
        line = await self.store.ancestors(session_id, record.head)
        target = line[min(steps, len(line) - 1)]
        return await self.store.append(session_id, Append(head=target.id), now=99)

    async def close(self, session_id: str) -> None:
        self.closed.append(session_id)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        database_url=f"sqlite+aiosqlite:///{tmp_path}/test.db",
        api_key=SecretStr(KEY),
        allowed_origins=("https://plans.example.com",),
        modeller="builtins:object",
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

    @asynccontextmanager
    async def open_sessions(
        store: Store, _modeller: object, _executor: object
    ) -> AsyncIterator[StoredSessions]:
        yield StoredSessions(store)

    app = create_app(settings, open_sessions=open_sessions, open_executor=open_executor)
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
