"""The store on a real SQLite file."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_messages.protocol import AskForPrompt
from decision_ai.solving.findings import PlanCheck
from decision_ai_server.storage.errors import DuplicateMessage, InUse, NotFound, StaleRevision
from decision_ai_server.storage.records import (
    Append,
    DataRecord,
    DataSummary,
    ModelRecord,
    SessionRecord,
    VersionRecord,
)
from decision_ai_server.storage.store import Store

MODEL = ModelRecord(id="model-1", created_at=10, name="Knapsack", source="x = 'ß'\n")
DATA = DataRecord(id="data-1", created_at=11, json_data='{"name":"Zürich"}')
SESSION = SessionRecord(
    id="session-1", created_at=20, updated_at=20, model_id="model-1", data_id="data-1", head="v1", revision=0
)


def version(
    id: str, parent: str | None, *, session_id: str = "session-1", data_id: str = "data-1"
) -> VersionRecord:
    return VersionRecord(
        id=id,
        session_id=session_id,
        parent=parent,
        created_at=20,
        author="owner",
        approver="owner",
        sentence=f"make {id}",
        changes=[{"kind": "constraint_diff", "note": 'quotes " and ü'}],
        source="program",
        data_id=data_id,
        hash=f"hash of {id}",
    )


def prompt(id: str, text: str = "at most 4 items", *, timestamp: int | None = None) -> MessageContainer:
    return MessageContainer(
        chat_session_id="session-1", message=Prompt(prompt=text), message_id=id, timestamp=timestamp
    )


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path}/new folder/test.db"


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with Store.open(url) as store:
        await store.add_model(MODEL)
        await store.put_data(DATA)
        await store.create_session(SESSION, version("v1", None), Append())
        yield store


async def ids(store: Store, after: str | None = None) -> list[str]:
    return [container.message_id for container in await store.messages("session-1", after)]


async def test_models_are_kept_listed_and_deleted(store: Store) -> None:
    newer = replace(MODEL, id="model-2", created_at=12)
    await store.add_model(newer)
    assert await store.get_model("model-1") == MODEL
    assert await store.list_models() == [newer, MODEL]
    await store.delete_model("model-2")
    with pytest.raises(NotFound, match="there is no opt_model 'model-2'"):
        await store.get_model("model-2")


async def test_data_are_kept_once_and_listed_without_their_payload(store: Store) -> None:
    await store.put_data(replace(DATA, created_at=99))
    assert await store.get_data("data-1") == DATA
    assert await store.list_data() == [DataSummary(id="data-1", created_at=11, size=18)]


@pytest.mark.parametrize("what", ["model", "data"])
async def test_what_a_session_uses_is_not_deleted(store: Store, what: str) -> None:
    delete = store.delete_model if what == "model" else store.delete_data
    with pytest.raises(InUse, match="is used by chat session 'session-1'; delete the session first"):
        await delete(f"{what}-1")
    await store.delete_session("session-1")
    await delete(f"{what}-1")


async def test_data_of_a_later_version_are_in_use(store: Store) -> None:
    data = replace(DATA, id="data-2")
    await store.append(
        "session-1", Append(data=(data,), versions=(version("v2", "v1", data_id="data-2"),)), now=30
    )
    with pytest.raises(InUse):
        await store.delete_data("data-2")


async def test_an_append_writes_everything_of_a_step(store: Store) -> None:
    second = version("v2", "v1", data_id="data-2")
    step = Append(
        messages=(prompt("m1", timestamp=25), prompt("m2")),
        data=(replace(DATA, id="data-2"),),
        versions=(second,),
        head="v2",
    )
    after = await store.append("session-1", step, now=30, expected_revision=0)
    assert after == replace(SESSION, updated_at=30, head="v2", revision=1)
    assert await store.get_session("session-1") == after
    assert await store.messages("session-1") == list(step.messages)
    assert await store.version("session-1", "v2") == second
    assert await store.versions("session-1") == [version("v1", None), second]


async def test_messages_alone_leave_the_revision(store: Store) -> None:
    after = await store.append("session-1", Append(messages=(prompt("m1"),)), now=30)
    assert (after.revision, after.updated_at) == (0, 30)


async def test_a_stale_append_writes_nothing(store: Store) -> None:
    await store.append("session-1", Append(messages=(prompt("m1"),), head="v1"), now=30)
    with pytest.raises(StaleRevision, match="is at revision 1, not 0"):
        await store.append("session-1", Append(messages=(prompt("m2"),)), now=31, expected_revision=0)
    assert await ids(store) == ["m1"]


@pytest.mark.parametrize("messages", [("m2", "m1"), ("m2", "m2")])
async def test_a_message_that_is_there_is_refused_with_its_whole_step(
    store: Store, messages: tuple[str, str]
) -> None:
    before = await store.append("session-1", Append(messages=(prompt("m1"),)), now=30)
    step = Append(messages=tuple(prompt(id) for id in messages), versions=(version("v2", "v1"),), head="v2")
    with pytest.raises(DuplicateMessage, match=f"already has message '{messages[1]}'"):
        await store.append("session-1", step, now=31)
    assert await store.get_session("session-1") == before
    assert await ids(store) == ["m1"]
    assert [v.id for v in await store.versions("session-1")] == ["v1"]


async def test_a_head_must_be_a_version_of_the_session(store: Store) -> None:
    with pytest.raises(NotFound, match="there is no version 'v9'"):
        await store.append("session-1", Append(head="v9"), now=30)


async def test_the_same_message_id_may_occur_in_two_sessions(store: Store) -> None:
    other = replace(SESSION, id="session-2")
    first = version("v1", None, session_id="session-2")
    await store.create_session(other, first, Append(messages=(prompt("m1"),)))
    await store.append("session-1", Append(messages=(prompt("m1"),)), now=30)
    assert [m.message_id for m in await store.messages("session-2")] == ["m1"]


async def test_messages_after_one_that_is_known_or_not(store: Store) -> None:
    await store.append("session-1", Append(messages=tuple(prompt(f"m{i}") for i in range(12))), now=30)
    assert await ids(store, after="m9") == ["m10", "m11"]
    assert await ids(store, after="m11") == []
    assert await ids(store, after="never seen") == [f"m{i}" for i in range(12)]


async def test_every_message_class_comes_back_as_it_was(store: Store) -> None:
    said = [Prompt(prompt="ü \u2028 😀"), ChatResponse(response="3 items"), AskForPrompt()]
    containers = tuple(MessageContainer(chat_session_id="session-1", message=message) for message in said)
    await store.append("session-1", Append(messages=containers), now=30)
    assert [container.message for container in await store.messages("session-1")] == said


async def test_versions_are_read_from_a_place_on(store: Store) -> None:
    await store.append("session-1", Append(versions=(version("v2", "v1"), version("v3", "v2"))), now=30)
    assert [v.id for v in await store.versions("session-1", skip=1)] == ["v2", "v3"]


async def test_the_branch_grows_with_the_head_and_stays_when_the_head_goes_back(store: Store) -> None:
    assert await store.branches("session-1") == {"main": "v1"}
    await store.append("session-1", Append(versions=(version("v2", "v1"),), head="v2"), now=30)
    assert await store.branches("session-1") == {"main": "v2"}
    after = await store.append("session-1", Append(head="v1"), now=31)
    assert (after.head, after.branch, after.revision) == ("v1", "main", 2)
    assert await store.branches("session-1") == {"main": "v2"}


async def test_a_branch_is_made_at_the_head_and_another_one_is_gone_back_to(store: Store) -> None:
    await store.append("session-1", Append(versions=(version("v2", "v1"),), head="v2"), now=30)
    after = await store.append("session-1", Append(head="v1", branch="Süd ü"), now=31)
    assert after.branch == "Süd ü"
    assert await store.branches("session-1") == {"Süd ü": "v1", "main": "v2"}
    await store.append("session-1", Append(versions=(version("v3", "v1"),), head="v3"), now=32)
    after = await store.append("session-1", Append(head="v2", branch="main"), now=33)
    assert await store.get_session("session-1") == after
    assert (after.head, after.branch, after.revision) == ("v2", "main", 4)
    assert await store.branches("session-1") == {"Süd ü": "v3", "main": "v2"}


async def test_a_branch_alone_counts_as_a_change(store: Store) -> None:
    after = await store.append("session-1", Append(branch="try"), now=31)
    assert (after.head, after.branch, after.revision) == ("v1", "try", 1)
    assert await store.branches("session-1") == {"main": "v1", "try": "v1"}
    await store.delete_session("session-1")
    assert await store.branches("session-1") == {}


async def test_pages_of_sessions_hold_each_session_once_newest_first(store: Store) -> None:
    times = [20, 21, 21, 21, 22]
    for number, time in enumerate(times, 2):
        record = replace(SESSION, id=f"session-{number}", created_at=time)
        await store.create_session(record, version("v1", None, session_id=record.id), Append())
    seen: list[str] = []
    while page := await store.list_sessions(limit=2, before=seen[-1] if seen else None):
        seen += [record.id for record in page]
    assert seen == ["session-6", "session-5", "session-4", "session-3", "session-2", "session-1"]


async def test_a_deleted_session_takes_its_messages_and_versions_along(store: Store) -> None:
    await store.append("session-1", Append(messages=(prompt("m1"),)), now=30)
    await store.delete_session("session-1")
    assert await store.messages("session-1") == []
    assert await store.versions("session-1") == []
    with pytest.raises(NotFound):
        await store.append("session-1", Append(messages=(prompt("m2"),)), now=31)
    with pytest.raises(NotFound):
        await store.delete_session("session-1")


@pytest.mark.parametrize("missing", [{"model_id": "model-9"}, {"data_id": "data-9"}])
async def test_a_session_needs_its_model_and_its_data(store: Store, missing: dict[str, str]) -> None:
    with pytest.raises(NotFound):
        await store.create_session(
            replace(SESSION, id="session-2", **missing), version("v1", None, session_id="session-2"), Append()
        )


async def test_everything_is_there_after_opening_the_file_again(store: Store, url: str) -> None:
    await store.append("session-1", Append(messages=(prompt("m1"),)), now=30)
    async with Store.open(url) as again:
        assert await again.get_session("session-1") == replace(SESSION, updated_at=30)
        assert await ids(again) == ["m1"]


async def test_concurrent_appends_of_two_stores_are_all_kept_in_one_order(store: Store, url: str) -> None:
    async with Store.open(url) as other:
        steps = [
            one.append("session-1", Append(messages=(prompt(f"{name}{i}"),), head="v1"), now=30)
            for name, one in (("a", store), ("b", other))
            for i in range(15)
        ]
        records = await asyncio.gather(*steps)
    assert sorted(record.revision for record in records) == list(range(1, 31))
    assert len(set(await ids(store))) == 30


@pytest.mark.parametrize("cancels", [1, 3])
async def test_a_cancelled_append_is_written_whole_or_not_and_the_store_lives_on(
    store: Store, cancels: int
) -> None:
    moments = Random(7)
    for i in range(80):
        task = asyncio.ensure_future(
            store.append("session-1", Append(messages=(prompt(f"a{i}"), prompt(f"b{i}"))), now=30)
        )
        for _ in range(cancels):
            await asyncio.sleep(moments.uniform(0, 0.02))
            task.cancel()
        async with asyncio.timeout(5):  # a lock that was left behind would last for 30 seconds
            await asyncio.wait([task])
    async with asyncio.timeout(5):
        await store.append("session-1", Append(messages=(prompt("last"),)), now=31)
    kept = await ids(store)
    assert kept[-1] == "last"
    assert [id[1:] for id in kept if id[0] == "a"] == [id[1:] for id in kept if id[0] == "b"]


async def test_a_cancelled_append_that_fails_is_a_cancelled_one(store: Store) -> None:
    task = asyncio.ensure_future(store.append("unknown", Append(), now=30))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.lists(st.integers(0, 8), max_size=3), max_size=6))
def test_any_sequence_of_appends_leaves_the_accepted_steps_in_order(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[int]]
) -> None:
    async def run() -> None:
        async with Store.open(f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('h')}/test.db") as store:
            await store.add_model(MODEL)
            await store.put_data(DATA)
            await store.create_session(SESSION, version("v1", None), Append())
            kept: list[str] = []
            accepted = 0
            for step in steps:
                new = [f"m{number}" for number in step]
                messages = tuple(prompt(id) for id in new)
                if len(set(kept + new)) < len(kept + new):
                    with pytest.raises(DuplicateMessage):
                        await store.append("session-1", Append(messages=messages), now=30)
                    continue
                await store.append("session-1", Append(messages=messages, head="v1"), now=30)
                kept, accepted = kept + new, accepted + 1
            assert await ids(store) == kept
            assert (await store.get_session("session-1")).revision == accepted

    asyncio.run(run())


APPENDER = """
import asyncio, sys
from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai_server.storage.records import Append, VersionRecord
from decision_ai_server.storage.store import Store

async def run():
    async with Store.open(sys.argv[1]) as store:
        said = Prompt(prompt="p" * 2000)
        for i in range(1, 10**6):
            new = [
                MessageContainer(chat_session_id="session-1", message=said, message_id=f"{k}{i}")
                for k in "ab"
            ]
            version = VersionRecord(
                id=f"w{i}", session_id="session-1", parent="v1", created_at=1, author="", approver="",
                sentence="", changes=[], source="s" * 20000, data_id="data-1", hash="",
            )
            step = Append(messages=tuple(new), versions=(version,), head=f"w{i}")
            await store.append("session-1", step, now=i)
            print(i, flush=True)

asyncio.run(run())
"""


@pytest.mark.parametrize("seconds", [0.0, 0.03, 0.2])
async def test_a_killed_process_leaves_exactly_a_prefix(store: Store, url: str, seconds: float) -> None:
    child = await asyncio.to_thread(
        subprocess.Popen, [sys.executable, "-c", APPENDER, url], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    await asyncio.to_thread(child.stdout.readline)
    await asyncio.sleep(seconds)
    os.kill(child.pid, signal.SIGKILL)
    told = (await asyncio.to_thread(child.communicate))[0].split("\n")
    acknowledged = max([1, *(int(line) for line in told[:-1])])
    record = await store.get_session("session-1")
    assert acknowledged <= record.revision <= acknowledged + 1
    steps = range(1, record.revision + 1)
    assert await ids(store) == [f"{k}{i}" for i in steps for k in "ab"]
    assert [v.id for v in await store.versions("session-1")] == ["v1", *(f"w{i}" for i in steps)]
    assert record.head == f"w{record.revision}"
    await store.append("session-1", Append(messages=(prompt("goes on"),)), now=99)


async def test_checks_are_replaced_as_a_whole_and_do_not_change_the_revision(store: Store) -> None:
    few = PlanCheck(name="few", sentence="Zwölf höchstens", code="def few(self, data, v):\n    return True")
    more = few.model_copy(update={"name": "all"})
    assert await store.checks("session-1") == ()
    after = await store.append("session-1", Append(checks=(few, more)), now=30)
    assert (after.revision, after.updated_at) == (0, 30)
    assert await store.checks("session-1") == (few, more)
    await store.append("session-1", Append(messages=(prompt("m1"),)), now=31)
    assert await store.checks("session-1") == (few, more)
    await store.append("session-1", Append(checks=(more,)), now=32)
    assert await store.checks("session-1") == (more,)
    await store.delete_session("session-1")
    assert await store.checks("session-1") == ()
