"""A session of the knapsack example in a store, and the parts of a server whose modeller plays a script."""

import time
from collections.abc import Iterator, Mapping

from decision_ai.examples import example
from decision_ai.modeling.data import data_id, program_hash
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Executor, Job, JobResult
from decision_ai_server.agent.loop import Agent
from decision_ai_server.agent.ports import Modeller, Tool
from decision_ai_server.agent.toolbox import standard_toolbox
from decision_ai_server.sessions.ports import Meter, NoMeter
from decision_ai_server.sessions.runner import Parts
from decision_ai_server.storage.records import Append, DataRecord, ModelRecord, SessionRecord, VersionRecord
from decision_ai_server.storage.store import Store

SESSION = "s"


class NoExecutor:
    """Scripted modellers never look at the built model."""

    async def run(self, job: Job, **kwargs: object) -> JobResult:
        raise AssertionError(job)

    async def aclose(self) -> None:
        return


async def fill(store: Store) -> None:
    source, json_data = example("knapsack")
    data = data_id(json_data)
    await store.add_model(ModelRecord(id="m", created_at=1, name="knapsack", source=source))
    await store.put_data(DataRecord(id=data, created_at=1, json_data=json_data))
    session = SessionRecord(
        id=SESSION, created_at=1, updated_at=1, model_id="m", data_id=data, head="v0", revision=0
    )
    base = VersionRecord(
        id="v0",
        session_id=SESSION,
        parent=None,
        created_at=1,
        author="owner",
        approver="owner",
        sentence="",
        changes=[],
        source=source,
        data_id=data,
        hash=program_hash(Program.parse(source).composed(), data, None),
    )
    await store.create_session(session, base, Append())


def make_parts(
    store: Store,
    modeller: Modeller,
    *,
    ids: Iterator[int],
    clock: Iterator[int],
    executor: Executor | None = None,
    tools: Mapping[str, Tool] | None = None,
    meter: Meter | None = None,
) -> Parts:
    agent = Agent(
        modeller=modeller,
        toolbox={**standard_toolbox(), **(tools or {})},
        system_prompt="You help.",
        new_id=lambda: f"call-{next(ids)}",
        clock=time.monotonic,
    )
    return Parts(
        store=store,
        agent=agent,
        executor=executor or NoExecutor(),
        now=lambda: next(clock),
        new_id=lambda: f"id-{next(ids)}",
        meter=meter or NoMeter(),
    )
