"""The journal is written with its step, read by kind and place, and goes with its session."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai_server.agent.journal import NOTE_KINDS, Entry, Note
from decision_ai_server.storage.errors import DuplicateMessage
from decision_ai_server.storage.records import (
    Append,
    DataRecord,
    JournalRecord,
    ModelRecord,
    SessionRecord,
    VersionRecord,
)
from decision_ai_server.storage.store import Store


def base(session_id: str) -> tuple[SessionRecord, VersionRecord]:
    session = SessionRecord(
        id=session_id, created_at=20, updated_at=20, model_id="m", data_id="d", head="v0", revision=0
    )
    version = VersionRecord(
        id="v0",
        session_id=session_id,
        parent=None,
        created_at=20,
        author="",
        approver="",
        sentence="",
        changes=[],
        source="",
        data_id="d",
        hash="",
    )
    return session, version


async def filled(store: Store) -> None:
    await store.add_model(ModelRecord(id="m", created_at=1, name="m", source=""))
    await store.put_data(DataRecord(id="d", created_at=1, json_data="{}"))
    for session_id in ("s", "t"):
        await store.create_session(*base(session_id), Append())


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with Store.open(f"sqlite+aiosqlite:///{tmp_path}/test.db") as store:
        await filled(store)
        yield store


def said(id: str, message: Any = None) -> MessageContainer:
    return MessageContainer(chat_session_id="s", message=message or ChatResponse(response="x"), message_id=id)


def entry(at: int, kind: Any = "decision", **payload: Any) -> Entry:
    return Entry(at, Note(kind, payload))


async def test_entries_are_numbered_in_their_session_and_come_back_as_they_were(store: Store) -> None:
    first = entry(1, "request", body={"text": "Zürich \u2028 😀 \x00"}, numbers=[1, 2.5, None, True])
    await store.append("s", Append(journal=(first,)), now=30)
    await store.append("t", Append(journal=(entry(9),)), now=31)
    await store.append("s", Append(messages=(said("m1"),), journal=(entry(2), entry(2, "loss"))), now=32)

    assert await store.journal("s") == [
        JournalRecord(number=1, created_at=30, entry=first),
        JournalRecord(number=2, created_at=32, entry=entry(2)),
        JournalRecord(number=3, created_at=32, entry=entry(2, "loss")),
    ]
    assert await store.journal("unknown") == []


async def test_half_of_a_character_is_replaced(store: Store) -> None:
    await store.append("s", Append(journal=(entry(1, "loss", error="broken \ud83d!"),)), now=30)
    assert (await store.journal("s"))[0].entry.note.payload == {"error": "broken ?!"}


async def test_entries_are_chosen_by_kind_place_and_page(store: Store) -> None:
    kinds = ["request", "decision", "result"]
    entries = tuple(entry(at, kinds[at % 3], n=at) for at in range(9))
    await store.append("s", Append(journal=entries), now=30)

    async def read(*args: Any, **named: Any) -> list[int]:
        return [record.entry.at for record in await store.journal("s", *args, **named)]

    assert await read(["decision"]) == [1, 4, 7]
    assert await read({"decision", "result"}, 4) == [4, 5, 7, 8]
    assert await read(None, 7) == [7, 8]
    assert await read(limit=2) == [0, 1]
    assert await read(skip=2, limit=2) == [2, 3]
    assert await read([]) == []


async def test_a_step_that_is_refused_leaves_no_entry(store: Store) -> None:
    await store.append("s", Append(messages=(said("m1"),)), now=30)
    with pytest.raises(DuplicateMessage):
        await store.append("s", Append(messages=(said("m1"),), journal=(entry(1),)), now=31)
    assert await store.journal("s") == []


async def test_an_entry_is_no_change_of_the_model(store: Store) -> None:
    after = await store.append("s", Append(journal=(entry(1),)), now=30)
    assert (after.revision, after.updated_at) == (0, 30)


async def test_a_deleted_session_takes_its_journal_along(store: Store) -> None:
    for session_id in ("s", "t"):
        await store.append(session_id, Append(journal=(entry(1),)), now=30)
    await store.delete_session("s")
    assert await store.journal("s") == []
    assert len(await store.journal("t")) == 1


async def test_the_newest_prompt_is_known_by_its_number(store: Store) -> None:
    assert await store.last_prompt("s") == 0
    messages = (said("m1"), said("m2", Prompt(prompt="hi")), said("m3"))
    await store.append("s", Append(messages=messages), now=30)
    assert await store.last_prompt("s") == 2
    await store.append("s", Append(messages=(said("m4", Prompt(prompt="more")),)), now=31)
    assert await store.last_prompt("s") == 4


NOTES = st.lists(st.tuples(st.integers(0, 5), st.sampled_from(NOTE_KINDS)), max_size=3)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(NOTES, st.booleans()), max_size=5), since=st.integers(0, 5))
def test_any_sequence_of_steps_keeps_exactly_the_entries_of_those_that_were_accepted(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[list[Any], bool]], since: int
) -> None:
    async def run() -> None:
        async with Store.open(f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('h')}/test.db") as store:
            await filled(store)
            await store.append("s", Append(messages=(said("again"),)), now=29)
            kept: list[Entry] = []
            for number, (notes, refused) in enumerate(steps):
                entries = tuple(entry(at, kind, n=number) for at, kind in notes)
                messages = (said("again" if refused else f"m{number}"),)
                step = Append(messages=messages, journal=entries)
                if refused:
                    with pytest.raises(DuplicateMessage):
                        await store.append("s", step, now=30)
                else:
                    await store.append("s", step, now=30)
                    kept += entries
            records = await store.journal("s")
            assert [record.entry for record in records] == kept
            assert [record.number for record in records] == list(range(1, len(kept) + 1))
            late = [one for one in kept if one.at >= since and one.note.kind == "decision"]
            assert [record.entry for record in await store.journal("s", ["decision"], since)] == late

    asyncio.run(run())
