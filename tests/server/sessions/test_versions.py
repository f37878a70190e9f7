"""Versions are read from the store once each, with the branches."""

from decision_ai_server.sessions.versions import VersionReader
from decision_ai_server.testing import ScriptedModeller


async def test_versions_are_read_oldest_first_and_parsed_once(open_hub):
    async with open_hub(ScriptedModeller({})) as (hub, store):
        reader = VersionReader(store)
        (base,) = (await reader.tree(await store.get_session("s"))).versions
        off = base.program.switch("max_items", enabled=False)
        record = await hub.edit("s", [off], expected_revision=0, author="owner")

        tree = await reader.tree(record)

        oldest, newest = tree.versions
        assert newest.parent == oldest.id == "v0"
        assert oldest is base
        assert newest.summary == "changed constraint max_items"
        assert (tree.head, tree.branch, tree.branches) == (newest.id, "main", {"main": newest.id})
