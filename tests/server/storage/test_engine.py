"""What every SQLite connection is set to."""

import stat
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from decision_ai_server.storage.engine import Database


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 30000)],
)
async def test_a_connection_is_durable_and_checks_references(
    tmp_path: Path, pragma: str, value: object
) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path}/test.db")
    for engine in (database.reader, database.writer):
        async with engine.connect() as connection:
            assert await connection.scalar(text(f"PRAGMA {pragma}")) == value
    await database.aclose()


async def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "test.db"
    database = Database(f"sqlite+aiosqlite:///{path}")
    async with database.writer.begin() as connection:
        await connection.execute(text("CREATE TABLE t (x)"))
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}  # noqa: ASYNC240
    await database.aclose()

    assert modes == dict.fromkeys(["test.db", "test.db-wal", "test.db-shm"], 0o600)


async def test_an_error_does_not_tell_what_was_said(tmp_path: Path) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path}/test.db")
    with pytest.raises(DBAPIError) as caught:
        async with database.reader.begin() as connection:
            await connection.execute(text("SELECT :said FROM nothing"), {"said": "a secret plan"})
    await database.aclose()

    assert "secret" not in str(caught.value)
