"""Checks that are kept from outside of the conversation."""

from collections.abc import Callable
from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.solving.findings import PlanCheck
from decision_ai_server.agent.kept_checks import UnknownCheck, with_check, without_check
from decision_ai_server.model_client.decisions import ModelDecision, ToolCall
from decision_ai_server.testing import RecordingConnection, ScriptedModeller

FEW = PlanCheck(name="few", sentence="Few.", code="def few(self, data, v):\n    return True")
OFF = {"op": "switch", "id": "max_items", "enabled": False}
PROPOSE = ModelDecision(action=ToolCall(name="propose_changes", input={"edits": [OFF]}))
SCRIPT = {"off": [PROPOSE], "off!": [PROPOSE, PROPOSE]}


def keep(checks: tuple[PlanCheck, ...]) -> tuple[PlanCheck, ...]:
    return with_check(checks, FEW)


async def test_checks_are_stored_and_change_no_revision(open_hub: Any) -> None:
    async with open_hub(ScriptedModeller({})) as (hub, store):
        assert await hub.change_checks("s", keep) == (FEW,)
        assert (await store.get_session("s")).revision == 0
        with pytest.raises(UnknownCheck):
            await hub.change_checks("s", lambda checks: without_check(checks, "many"))
    async with open_hub(ScriptedModeller({})) as (hub, store):
        assert await store.checks("s") == (FEW,)
        assert await hub.change_checks("s", lambda checks: without_check(checks, "few")) == ()


async def test_an_open_question_stays_and_the_next_one_carries_the_check(
    open_hub: Any, envelope: Callable[..., Any], until: Any
) -> None:
    connection = RecordingConnection()

    def asks() -> list[Any]:
        return [one.message for one in connection.stored if one.message.kind == "ask_for_validation"]

    async with open_hub(ScriptedModeller(SCRIPT)) as (hub, _):
        runner = await hub.runner("s")
        await runner.join(connection, after=None, take=False, watch=False)
        await until(lambda: "ask_for_prompt" in connection.kinds)
        await runner.receive(connection, envelope(Prompt(prompt="off")))
        await until(lambda: len(asks()) == 1)
        await hub.change_checks("s", keep)
        await runner.join(RecordingConnection(), after=None, take=False, watch=True)
        await runner.receive(connection, envelope(Prompt(prompt="off!")))
        await until(lambda: len(asks()) == 2)
    first, second = (ask.tool_origin.args for ask in asks())
    assert "checks" not in first
    assert second["checks"] == [FEW.model_dump()]
