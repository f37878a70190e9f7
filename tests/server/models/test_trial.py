"""The trial edit with real programs in the real sandbox."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from decision_ai.examples import example
from decision_ai.solving.executors.base import Job
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai_server.agent.ports import TurnContext
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.model_client.errors import TransportError
from decision_ai_server.modellers.offline import OfflineModeller
from decision_ai_server.models.trial import SENTENCE, Trial, try_edit
from decision_ai_server.testing import ScriptedModeller


@pytest.fixture
async def executor() -> AsyncIterator[LocalExecutor]:
    async with LocalExecutor(jobs=1) as executor:
        yield executor


def constraint(body: str) -> ToolCall:
    code = f"@constraint()\ndef few(self, data, v):\n    return {body}\n"
    edit = {"op": "set_constraint", "code": code}
    return ToolCall(name="propose_changes", input={"edits": [edit], "sentence": SENTENCE})


GOOD = constraint("pulp.lpSum(v.take[i] for i in data.items) <= 5")


async def tried(executor: LocalExecutor, *actions: ToolCall | FinalAnswer | AskUser) -> Trial:
    script = {SENTENCE: [ModelDecision(action=action) for action in actions]}
    return await try_edit(ScriptedModeller(script), executor, time.monotonic)


async def test_the_sentence_changes_what_the_example_does(executor: LocalExecutor) -> None:
    source, json_data = example("knapsack")
    result = await executor.run(Job(task="solve", source=source, json_data=json_data))
    assert result.plan is not None
    assert sum(value for _, value in result.plan.values["take"]) > 5


async def test_the_offline_modeller_passes(executor: LocalExecutor) -> None:
    trial = await try_edit(OfflineModeller(), executor, time.monotonic)
    assert trial.works
    assert trial.detail.endswith("the plan with it loads 5 items")
    assert trial.longest > 0


async def test_it_may_look_first_and_repair_what_does_not_build(executor: LocalExecutor) -> None:
    wrong = constraint("pulp.lpSum(v.packed[i] for i in data.items) <= 5")
    trial = await tried(executor, ToolCall(name="show_model"), ToolCall(name="no_such_tool"), wrong, GOOD)
    assert trial.works
    assert "<= 5" in trial.detail


@pytest.mark.parametrize(
    ("actions", "detail"),
    [
        ((constraint("v.take['anchor'] <= 5"),), "did not change the model and said: 'That is all.'"),
        ((constraint("pulp.lpSum(v.take[i] for i in data.items) <= 6"),), "loads 6 items"),
        ((constraint("pulp.lpSum(v.take[i] for i in data.items) <= 0"),), "no plan with it"),
        ((FinalAnswer(answer="Done."),), "did not change the model and said: 'Done.'"),
        ((AskUser(question="Which?"),), "did not change the model and said: 'Which?'"),
        ((ToolCall(name="solve"),) * 4, "no change after 4 calls; solve: nothing was changed yet"),
        ((ToolCall(name="propose_changes"),) * 4, "no change after 4 calls; propose_changes: "),
    ],
)
async def test_what_is_no_such_change_does_not_pass(
    actions: tuple[ToolCall | FinalAnswer | AskUser, ...], detail: str, executor: LocalExecutor
) -> None:
    trial = await tried(executor, *actions)
    assert not trial.works
    assert detail in trial.detail


async def test_a_model_that_takes_for_ever_is_not_waited_for(executor: LocalExecutor) -> None:
    class Slow:
        async def decide(self, context: TurnContext) -> ModelDecision:
            await asyncio.sleep(60)
            raise AssertionError

    trial = await try_edit(Slow(), executor, time.monotonic, seconds=0.2)
    assert (trial.works, trial.detail) == (False, "no change within 0.2 seconds")
    assert trial.longest > 0


async def test_an_endpoint_that_fails_is_told(executor: LocalExecutor) -> None:
    class Gone:
        async def decide(self, context: TurnContext) -> ModelDecision:
            raise TransportError("it is gone")

    assert (await try_edit(Gone(), executor, time.monotonic)).detail == "it is gone"
