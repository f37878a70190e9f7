"""The hub brings sessions up once and ends them."""

import asyncio

from decision_ai_server.testing import RecordingConnection, ScriptedModeller


async def test_a_session_has_one_runner_however_many_ask_at_once(open_hub):
    async with open_hub(ScriptedModeller({})) as (hub, _):
        runners = await asyncio.gather(*(hub.runner("s") for _ in range(5)))

        assert len({id(runner) for runner in runners}) == 1


async def test_a_deleted_session_closes_its_connections(open_hub):
    connection = RecordingConnection()
    async with open_hub(ScriptedModeller({})) as (hub, _):
        runner = await hub.runner("s")
        await runner.join(connection, after=None, take=False, watch=False)

        await hub.close("s")

        assert connection.closed == (4404, "the session was deleted")
        assert await hub.runner("s") is not runner
