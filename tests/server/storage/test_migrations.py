"""Migrations apply once, and what they make is what the code believes."""

import re
from pathlib import Path

from sqlalchemy import Connection, create_engine, inspect, text

from decision_ai_server.agent.journal import Entry, Note
from decision_ai_server.storage.engine import Database
from decision_ai_server.storage.migrations import migrate, migrations
from decision_ai_server.storage.records import Append
from decision_ai_server.storage.schema import METADATA
from decision_ai_server.storage.store import Store


def described(connection: Connection) -> dict[str, object]:
    inspector = inspect(connection)
    return {
        table: (
            [(c["name"], str(c["type"]), c["nullable"]) for c in inspector.get_columns(table)],
            inspector.get_pk_constraint(table)["constrained_columns"],
            sorted(tuple(u["column_names"]) for u in inspector.get_unique_constraints(table)),
            sorted(
                (tuple(f["constrained_columns"]), f["referred_table"], f["options"].get("ondelete"))
                for f in inspector.get_foreign_keys(table)
            ),
            sorted((i["name"], tuple(i["column_names"])) for i in inspector.get_indexes(table)),
        )
        for table in inspector.get_table_names()
        if table != "applied_migrations"
    }


async def test_the_migrated_tables_are_the_tables_of_the_schema(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path}/migrated.db")
    async with database.writer.begin() as connection:
        await migrate(connection)
        migrated = await connection.run_sync(described)
    await database.aclose()
    engine = create_engine(f"sqlite:///{tmp_path}/declared.db")
    METADATA.create_all(engine)
    with engine.connect() as declared:
        assert migrated == described(declared)
    engine.dispose()


async def test_a_migration_is_applied_once(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path}/test.db")
    async with database.writer.begin() as connection:
        assert await migrate(connection) == list(migrations())
    async with database.writer.begin() as connection:
        assert await migrate(connection) == []
    await database.aclose()


async def test_a_migration_that_is_undone_with_its_transaction_leaves_nothing(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path}/test.db")
    async with database.writer.connect() as connection:
        await migrate(connection)
        await connection.rollback()
        tables = await connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'"))
        assert tables.all() == []
    await database.aclose()


def test_migrations_are_numbered_from_one_without_gaps() -> None:
    assert [int(name[:4]) for name in migrations()] == list(range(1, len(migrations()) + 1))


async def test_a_session_of_before_branches_gets_one_with_its_head_as_tip(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path}/test.db")
    async with database.writer.begin() as connection:
        for statement in filter(None, map(str.strip, migrations()["0001_start.sql"].split(";"))):
            await connection.execute(text(statement))
        for statement in (
            "CREATE TABLE applied_migrations (name TEXT PRIMARY KEY)",
            "INSERT INTO applied_migrations VALUES ('0001_start.sql')",
            "INSERT INTO opt_models VALUES ('m', 1, 'm', '')",
            "INSERT INTO opt_input_data VALUES ('d', 1, 2, '{}')",
            "INSERT INTO chat_sessions VALUES ('s', 1, 1, 'm', 'd', 'v7', 3, NULL)",
            "INSERT INTO versions VALUES ('s', 1, 'v7', NULL, 1, 'a', 'a', '', '[]', '', 'd', 'h')",
        ):
            await connection.execute(text(statement))
        assert await migrate(connection) == list(migrations())[1:]
    await database.aclose()
    async with Store.open(f"sqlite+aiosqlite:///{tmp_path}/test.db") as store:
        assert (await store.get_session("s")).branch == "main"
        assert await store.branches("s") == {"main": "v7"}
        assert [version.incompatible for version in await store.versions("s")] == [()]


async def test_a_session_of_before_the_journal_has_an_empty_one_and_can_fill_it(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path}/test.db")
    before = [name for name in migrations() if name < "0004"]
    async with database.writer.begin() as connection:
        await connection.execute(text("CREATE TABLE applied_migrations (name TEXT PRIMARY KEY)"))
        for name in before:
            for statement in filter(None, map(str.strip, migrations()[name].split(";"))):
                await connection.execute(text(statement))
            await connection.execute(text(f"INSERT INTO applied_migrations VALUES ('{name}')"))
        for statement in (
            "INSERT INTO opt_models VALUES ('m', 1, 'm', '')",
            "INSERT INTO opt_input_data VALUES ('d', 1, 2, '{}')",
            "INSERT INTO chat_sessions VALUES ('s', 1, 1, 'm', 'd', 'v7', 3, NULL, 'main')",
            "INSERT INTO versions VALUES ('s', 1, 'v7', NULL, 1, 'a', 'a', '', '[]', '', 'd', 'h', '[]')",
        ):
            await connection.execute(text(statement))
        assert await migrate(connection) == list(migrations())[len(before) :]
    await database.aclose()
    async with Store.open(f"sqlite+aiosqlite:///{tmp_path}/test.db") as store:
        assert await store.journal("s") == []
        await store.append("s", Append(journal=(Entry(0, Note("loss", {})),)), now=2)
        assert len(await store.journal("s")) == 1


def test_every_migration_is_plain_enough_for_both_databases() -> None:
    dialect = re.compile(r"AUTOINCREMENT|SERIAL|WITHOUT ROWID|JSONB|STRICT|PRAGMA", re.IGNORECASE)
    assert not [name for name, sql in migrations().items() if dialect.search(sql)]
