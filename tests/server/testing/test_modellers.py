"""The modellers for tests do as they are told."""

from dataclasses import dataclass
from importlib import import_module
from types import SimpleNamespace
from typing import Any, cast

from decision_ai_server.agent.ports import TurnContext
from decision_ai_server.model_client.decisions import FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.modellers.offline import OfflineModeller
from decision_ai_server.testing import Sabotaged, ScriptedModeller

PROPOSAL = ModelDecision(
    action=ToolCall(
        name="propose_changes", input={"edits": [{"op": "set_constraint", "code": "v.take <= 4"}]}
    )
)


@dataclass(frozen=True)
class Context:
    sentence: str = "four"
    calls: tuple[Any, ...] = ()


def context(*states: str) -> TurnContext:
    return cast(TurnContext, Context(calls=tuple(SimpleNamespace(state=state) for state in states)))


async def test_a_script_is_played_by_the_calls_made_so_far():
    modeller = ScriptedModeller({"four": [PROPOSAL]})

    assert await modeller.decide(context()) == PROPOSAL
    assert (await modeller.decide(context("approved"))).action == FinalAnswer(answer="That is all.")


async def test_sabotage_breaks_the_first_proposal_only():
    modeller = Sabotaged(ScriptedModeller({"four": [PROPOSAL]}))

    broken = (await modeller.decide(context())).action
    assert isinstance(broken, ToolCall)
    assert broken.input["edits"][0]["code"] == "v.no_such_family_take <= 4"
    assert await modeller.decide(context("failed")) == PROPOSAL


def test_the_offline_modeller_can_be_had_sabotaged_by_a_setting():
    module, _, factory = "decision_ai_server.testing:sabotaged_offline".partition(":")

    assert isinstance(getattr(import_module(module), factory)().inner, OfflineModeller)
