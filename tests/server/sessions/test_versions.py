"""Versions are read from the store once each, with the branches."""

from dataclasses import replace

from decision_ai.client.schemas.chat_messages.changes import OptInputDataDiff, OptInputDataSnapshot
from decision_ai_server.agent.steps import NewVersion
from decision_ai_server.sessions.versions import VersionReader, data_record, version_record
from decision_ai_server.storage.records import Append
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


async def test_other_data_are_stored_once_and_whole_diffs_of_before_are_still_read(open_hub):
    async with open_hub(ScriptedModeller({})) as (hub, store):
        base = (await hub.tree("s")).versions[0]
        text = base.json_data.replace("30.0", "20")
        old, new = (
            OptInputDataSnapshot(opt_input_data_id=id, json_data=data)
            for id, data in (("old", base.json_data), ("new", text))
        )
        diff = OptInputDataDiff(removed=old, added=new)
        version = NewVersion(program=base.program, json_data=text, changes=(diff,), sentence="")
        brief = version_record(version, id="v1", session_id="s", parent="v0", author="", approver="", now=5)
        whole = replace(brief, id="v2", parent="v1", changes=[diff.model_dump(mode="json")])
        record = await store.append(
            "s", Append(data=(data_record(text, 5),), versions=(brief, whole), head="v2"), now=5
        )

        _, one, two = (await VersionReader(store).tree(record)).versions

        assert "json_data" not in str(brief.changes)
        assert one.summary == two.summary == "changed the data: capacity 30.0 → 20"
