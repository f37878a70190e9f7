"""What every SQLite connection is set to."""

from pathlib import Path

import pytest
from sqlalchemy import text

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
