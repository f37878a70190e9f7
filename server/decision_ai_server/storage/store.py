"""The store: one transaction per step, the same code for SQLite and PostgreSQL.

A session is its messages and its versions, both append-only, a head and branches. `append` writes everything
one step adds at once, so that a killed process leaves a prefix of the conversation and never half a step.
Times are milliseconds since 1970 and come in as arguments.
"""

from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from typing import Any, Self

from sqlalchemy import Column, ColumnElement, Select, Table, delete, func, insert, select, tuple_, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.solving.findings import PlanCheck
from decision_ai_server.agent.journal import NoteKind
from decision_ai_server.storage import rows
from decision_ai_server.storage.engine import Database, unbroken
from decision_ai_server.storage.errors import DuplicateMessage, InUse, NotFound, StaleRevision, StoreFailed
from decision_ai_server.storage.migrations import migrate
from decision_ai_server.storage.records import (
    Append,
    DataRecord,
    DataSummary,
    JournalRecord,
    ModelRecord,
    SessionRecord,
    VersionRecord,
)
from decision_ai_server.storage.schema import (
    BRANCHES,
    CHAT_SESSIONS,
    CHECKS,
    JOURNAL,
    MESSAGES,
    OPT_INPUT_DATA,
    OPT_MODELS,
    VERSIONS,
)


class Store:
    """Models, data and sessions in one database. What does not exist raises `NotFound`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    @asynccontextmanager
    async def open(cls, url: str) -> AsyncIterator[Self]:
        """Connect, bring the tables up to date, and close at the end.

        Args:
            url: such as `sqlite+aiosqlite:////path/decision-ai.db`; a SQLite file is made where missing.
        """
        database = Database(url)
        try:
            store = cls(database)
            async with store._write() as connection:
                await migrate(connection)
            yield store
        finally:
            await database.aclose()

    @unbroken
    async def add_model(self, record: ModelRecord) -> None:
        """Keep a new model."""
        async with self._write() as connection:
            await connection.execute(insert(OPT_MODELS).values(rows.model_row(record)))

    async def get_model(self, model_id: str) -> ModelRecord:
        """One model."""
        return rows.model_record(await self._one(_by_id(OPT_MODELS, model_id), "opt_model", model_id))

    async def list_models(self) -> list[ModelRecord]:
        """All models, newest first."""
        return [rows.model_record(row) for row in await self._all(_newest_first(OPT_MODELS))]

    async def delete_model(self, model_id: str) -> None:
        """Delete a model.

        Raises:
            InUse: while a session uses it.
        """
        users = select(CHAT_SESSIONS.c.id).where(CHAT_SESSIONS.c.model_id == model_id)
        await self._delete_unused(OPT_MODELS, "opt_model", model_id, [users])

    @unbroken
    async def put_data(self, record: DataRecord) -> None:
        """Keep a data object; one of the same id is the same data and stays as it is."""
        async with self._write() as connection:
            await _put_data(connection, [record])

    async def get_data(self, data_id: str) -> DataRecord:
        """One data object with its payload."""
        return rows.data_record(await self._one(_by_id(OPT_INPUT_DATA, data_id), "opt_input_data", data_id))

    async def list_data(self) -> list[DataSummary]:
        """All data objects without their payload, newest first."""
        table = OPT_INPUT_DATA.c
        query = _newest_first(OPT_INPUT_DATA).with_only_columns(table.id, table.created_at, table.size)
        return [rows.data_summary(row) for row in await self._all(query)]

    async def delete_data(self, data_id: str) -> None:
        """Delete a data object.

        Raises:
            InUse: while a session, or a version of one, uses it.
        """
        sessions = select(CHAT_SESSIONS.c.id).where(CHAT_SESSIONS.c.data_id == data_id)
        versions = select(VERSIONS.c.session_id).where(VERSIONS.c.data_id == data_id)
        await self._delete_unused(OPT_INPUT_DATA, "opt_input_data", data_id, [sessions, versions])

    @unbroken
    async def create_session(self, record: SessionRecord, base: VersionRecord, first: Append) -> None:
        """Keep a new session with its base version and what is said at once.

        Raises:
            NotFound: if its model or its data do not exist.
        """
        async with self._write() as connection:
            await _require(connection, OPT_MODELS, "opt_model", record.model_id)
            await _require(connection, OPT_INPUT_DATA, "opt_input_data", record.data_id)
            await connection.execute(insert(CHAT_SESSIONS).values(rows.session_row(record)))
            step = replace(first, versions=(base, *first.versions))
            await _add(connection, record.id, step, record.created_at)
            await _put_branch(connection, record.id, record.branch, record.head)

    async def get_session(self, session_id: str) -> SessionRecord:
        """One session."""
        row = await self._one(_by_id(CHAT_SESSIONS, session_id), "chat session", session_id)
        return rows.session_record(row)

    async def list_sessions(self, *, limit: int, before: str | None = None) -> list[SessionRecord]:
        """At most `limit` sessions, newest first, from the one that follows the session `before`."""
        query = _newest_first(CHAT_SESSIONS).limit(limit)
        if before is not None:
            last = await self.get_session(before)
            place = tuple_(CHAT_SESSIONS.c.created_at, CHAT_SESSIONS.c.id)
            query = query.where(place < (last.created_at, last.id))
        return [rows.session_record(row) for row in await self._all(query)]

    async def delete_session(self, session_id: str) -> None:
        """Delete a session with its messages, versions and journal."""
        await self._delete_unused(CHAT_SESSIONS, "chat session", session_id, [])

    @unbroken
    async def append(
        self, session_id: str, step: Append, *, now: int, expected_revision: int | None = None
    ) -> SessionRecord:
        """Write everything one step adds, or nothing.

        Args:
            session_id: the session.
            step: messages, data, versions, the new head and branch, the checks, the journal.
            now: becomes the session's `updated_at`.
            expected_revision: the revision the step was worked out on; None = any.

        Returns:
            The session afterwards; its revision is one higher if the head, the branch or a setting changed.

        Raises:
            StaleRevision: if the session is at another revision.
            DuplicateMessage: if it has one of the messages already.
        """
        async with self._write() as connection:
            locked = await connection.execute(_by_id(CHAT_SESSIONS, session_id).with_for_update())
            before = rows.session_record(_found(locked.one_or_none(), "chat session", session_id))
            if expected_revision not in (None, before.revision):
                raise StaleRevision(session_id, expected_revision, before.revision)
            await _add(connection, session_id, step, now)
            changed: dict[str, Any] = {"updated_at": now}
            if (step.head, step.branch, step.reasoning_enabled) != (None, None, None):
                # Messages do not count: a chat that goes on must not lock out an edit of the state.
                changed["revision"] = before.revision + 1
            if step.head is not None:
                await _require_version(connection, session_id, step.head)
                changed["head"] = step.head
            if step.branch is not None:
                changed["branch"] = step.branch
            if step.reasoning_enabled is not None:
                changed["reasoning_enabled"] = step.reasoning_enabled
            await connection.execute(
                update(CHAT_SESSIONS).where(CHAT_SESSIONS.c.id == session_id).values(changed)
            )
            after = replace(before, **changed)
            grown = any(version.id == step.head for version in step.versions)
            if grown or after.branch not in await _branches(connection, session_id):
                await _put_branch(connection, session_id, after.branch, after.head)
        return after

    async def messages(self, session_id: str, after: str | None = None) -> list[MessageContainer]:
        """The session's messages, oldest first: those behind message `after`, or all if it is not known."""
        table = MESSAGES.c
        query = select(table.envelope).where(table.session_id == session_id).order_by(table.seq)
        if after is not None:
            known = select(table.seq).where(table.session_id == session_id, table.message_id == after)
            query = query.where(table.seq > func.coalesce(known.scalar_subquery(), 0))
        return [rows.message_container(row) for row in await self._all(query)]

    async def versions(self, session_id: str, skip: int = 0) -> list[VersionRecord]:
        """The versions of the session, oldest first, without the first `skip` of them."""
        table = VERSIONS.c
        query = select(VERSIONS).where(table.session_id == session_id, table.seq > skip).order_by(table.seq)
        return [rows.version_record(row) for row in await self._all(query)]

    async def branches(self, session_id: str) -> dict[str, str]:
        """Name → id of the newest version of every branch of the session, by name."""
        return {row.name: row.tip for row in await self._all(_of_session(session_id))}

    async def checks(self, session_id: str) -> tuple[PlanCheck, ...]:
        """The checks that are kept in the session, in the order in which they came."""
        query = select(CHECKS).where(CHECKS.c.session_id == session_id).order_by(CHECKS.c.seq)
        return tuple(rows.plan_check(row) for row in await self._all(query))

    async def journal(
        self,
        session_id: str,
        kinds: Collection[NoteKind] | None = None,
        since: int = 0,
        *,
        skip: int = 0,
        limit: int | None = None,
    ) -> list[JournalRecord]:
        """Entries of the session's journal, oldest first.

        Args:
            session_id: the session.
            kinds: those to read; None = all.
            since: the message number from which on.
            skip: the number of the last entry that is not wanted.
            limit: how many at most; None = all.
        """
        table = JOURNAL.c
        query = select(JOURNAL).where(table.session_id == session_id, table.at >= since, table.seq > skip)
        if kinds is not None:
            query = query.where(table.kind.in_(sorted(kinds)))
        rows_found = await self._all(query.order_by(table.seq).limit(limit))
        return [rows.journal_record(row) for row in rows_found]

    async def last_prompt(self, session_id: str) -> int:
        """Number of the session's newest prompt among its messages, counted from 1; 0 before the first."""
        table = MESSAGES.c
        query = select(func.max(table.seq).label("seq"))
        found = await self._all(query.where(table.session_id == session_id, table.kind == "prompt"))
        return found[0].seq or 0

    async def version(self, session_id: str, version_id: str) -> VersionRecord:
        """One version."""
        query = select(VERSIONS).where(_is_version(session_id, version_id))
        return rows.version_record(await self._one(query, "version", version_id))

    async def base_version(self, session_id: str) -> VersionRecord:
        """The version the session started with."""
        query = select(VERSIONS).where(VERSIONS.c.session_id == session_id).order_by(VERSIONS.c.seq).limit(1)
        return rows.version_record(await self._one(query, "chat session", session_id))

    @asynccontextmanager
    async def _write(self) -> AsyncIterator[AsyncConnection]:
        with _told():
            async with self._database.write_lock, self._database.writer.begin() as connection:
                yield connection

    @unbroken
    async def _all(self, query: Select[Any]) -> list[Any]:
        with _told():
            async with self._database.reader.begin() as connection:
                return list((await connection.execute(query)).all())

    async def _one(self, query: Select[Any], what: str, id: str) -> Any:
        found = await self._all(query)
        return _found(found[0] if found else None, what, id)

    @unbroken
    async def _delete_unused(self, table: Table, what: str, id: str, users: list[Select[Any]]) -> None:
        async with self._write() as connection:
            await _require(connection, table, what, id)
            for query in users:
                user: str | None = await connection.scalar(query.limit(1))
                if user is not None:
                    raise InUse(what, id, user)
            await connection.execute(delete(table).where(table.c.id == id))


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise StoreFailed(error.orig) from error


def _by_id(table: Table, id: str) -> Select[Any]:
    return select(table).where(table.c.id == id)


def _newest_first(table: Table) -> Select[Any]:
    return select(table).order_by(table.c.created_at.desc(), table.c.id.desc())


def _is_version(session_id: str, version_id: str) -> ColumnElement[bool]:
    return (VERSIONS.c.session_id == session_id) & (VERSIONS.c.id == version_id)


def _of_session(session_id: str) -> Select[Any]:
    return select(BRANCHES).where(BRANCHES.c.session_id == session_id).order_by(BRANCHES.c.name)


def _found(row: Any, what: str, id: str) -> Any:
    if row is None:
        raise NotFound(what, id)
    return row


async def _require(connection: AsyncConnection, table: Table, what: str, id: str) -> None:
    _found((await connection.execute(select(table.c.id).where(table.c.id == id))).one_or_none(), what, id)


async def _require_version(connection: AsyncConnection, session_id: str, version_id: str) -> None:
    query = select(VERSIONS.c.id).where(_is_version(session_id, version_id))
    _found((await connection.execute(query)).one_or_none(), "version", version_id)


async def _add(connection: AsyncConnection, session_id: str, step: Append, now: int) -> None:
    await _put_data(connection, step.data)
    seq = await _next_seq(connection, VERSIONS.c.seq, VERSIONS.c.session_id == session_id)
    for number, version in enumerate(step.versions, seq):
        await connection.execute(insert(VERSIONS).values(rows.version_row(version, number)))
    await _refuse_duplicates(connection, session_id, [message.message_id for message in step.messages])
    seq = await _next_seq(connection, MESSAGES.c.seq, MESSAGES.c.session_id == session_id)
    for number, message in enumerate(step.messages, seq):
        await connection.execute(insert(MESSAGES).values(rows.message_row(message, session_id, number, now)))
    if step.journal:
        seq = await _next_seq(connection, JOURNAL.c.seq, JOURNAL.c.session_id == session_id)
        entries = [
            rows.journal_row(entry, session_id, number, now) for number, entry in enumerate(step.journal, seq)
        ]
        await connection.execute(insert(JOURNAL), entries)
    if step.checks is not None:
        await _put_checks(connection, session_id, step.checks)


async def _put_checks(connection: AsyncConnection, session_id: str, checks: Iterable[PlanCheck]) -> None:
    """Keep these checks and no others."""
    await connection.execute(delete(CHECKS).where(CHECKS.c.session_id == session_id))
    for number, check in enumerate(checks, 1):
        await connection.execute(insert(CHECKS).values(rows.check_row(check, session_id, number)))


async def _branches(connection: AsyncConnection, session_id: str) -> set[str]:
    return {row.name for row in await connection.execute(_of_session(session_id))}


async def _put_branch(connection: AsyncConnection, session_id: str, name: str, tip: str) -> None:
    """Make a branch, or move its tip."""
    place = (BRANCHES.c.session_id == session_id) & (BRANCHES.c.name == name)
    await connection.execute(delete(BRANCHES).where(place))
    await connection.execute(insert(BRANCHES).values(session_id=session_id, name=name, tip=tip))


async def _put_data(connection: AsyncConnection, records: Iterable[DataRecord]) -> None:
    for record in records:
        known = await connection.execute(select(OPT_INPUT_DATA.c.id).where(OPT_INPUT_DATA.c.id == record.id))
        if known.one_or_none() is not None:
            continue
        try:
            async with connection.begin_nested():
                await connection.execute(insert(OPT_INPUT_DATA).values(rows.data_row(record)))
        except IntegrityError:
            # Another server put the same data between our look and our write.
            await _require(connection, OPT_INPUT_DATA, "opt_input_data", record.id)


async def _next_seq(connection: AsyncConnection, seq: Column[int], of_session: ColumnElement[bool]) -> int:
    largest = await connection.scalar(select(func.max(seq)).where(of_session))
    return 1 if largest is None else largest + 1


async def _refuse_duplicates(connection: AsyncConnection, session_id: str, ids: list[str]) -> None:
    table = MESSAGES.c
    query = select(table.message_id).where(table.session_id == session_id, table.message_id.in_(ids))
    known = set(await connection.scalars(query))
    for message_id in ids:
        if message_id in known:
            raise DuplicateMessage(session_id, message_id)
        known.add(message_id)
