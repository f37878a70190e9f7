"""Versions are read from the store once each, newest first."""

from decision_ai_server.sessions.versions import VersionReader
from decision_ai_server.testing import ScriptedModeller


async def test_a_line_is_read_newest_first_and_parsed_once(open_hub):
    async with open_hub(ScriptedModeller({})) as (hub, store):
        reader = VersionReader(store)
        (base,) = await reader.line("s", "v0")
        off = base.program.switch("max_items", enabled=False)
        record = await hub.edit("s", [off], expected_revision=0, author="owner")

        newest, oldest = await reader.line("s", record.head)

        assert newest.parent == oldest.id == "v0"
        assert oldest is base
        assert newest.summary == "changed constraint max_items"
