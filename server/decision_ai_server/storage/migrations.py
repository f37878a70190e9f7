"""Numbered, append-only migrations: a file of `sql/` that was released is never edited, only followed."""

from importlib.resources import files

from sqlalchemy import insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from decision_ai_server.storage.schema import APPLIED_MIGRATIONS


def migrations() -> dict[str, str]:
    """Name → SQL of every migration, in the order of their numbers."""
    folder = files("decision_ai_server.storage") / "sql"
    found = {item.name: item.read_text("utf-8") for item in folder.iterdir() if item.name.endswith(".sql")}
    return dict(sorted(found.items()))


async def migrate(connection: AsyncConnection) -> list[str]:
    """Apply what is missing, inside the caller's transaction; returns the names applied now."""
    await connection.execute(text("CREATE TABLE IF NOT EXISTS applied_migrations (name TEXT PRIMARY KEY)"))
    applied = set(await connection.scalars(select(APPLIED_MIGRATIONS.c.name)))
    missing = {name: sql for name, sql in migrations().items() if name not in applied}
    for name, sql in missing.items():
        for statement in filter(None, (part.strip() for part in sql.split(";"))):
            await connection.execute(text(statement))
        await connection.execute(insert(APPLIED_MIGRATIONS).values(name=name))
    return list(missing)
