"""One trial edit: a sentence about an example model, all the way to a plan of the changed model."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.errors import DecisionAIError, ProgramError
from decision_ai.examples import example
from decision_ai.modeling.data import data_id
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Executor, Job, JobResult, ModelDescription
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai_server.agent.asking import compose
from decision_ai_server.agent.ports import (
    CallRecord,
    Modeller,
    ModelVersion,
    Output,
    Propose,
    TurnContext,
    VersionTree,
)
from decision_ai_server.agent.toolbox import standard_toolbox
from decision_ai_server.agent.words import validation_words
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.modellers.configured import llm_modeller
from decision_ai_server.settings import LlmSettings

SENTENCE = "At most 5 items may be loaded."
_MOST = 5
_MOST_SECONDS = 240.0
"""A model that takes longer for one sentence is no help to anybody who waits for it."""
_DECISIONS = 4
"""The modeller may look first, and repair what does not build."""


@dataclass(frozen=True)
class Trial:
    """How the trial edit went.

    Attributes:
        works: whether the model does what the sentence says.
        detail: what was proposed, or why nothing came of it.
        longest: seconds of the longest decision.
    """

    works: bool
    detail: str
    longest: float = 0.0


def trial_edit(llm: LlmSettings) -> Trial:
    """One trial edit with the language model of some settings and the sandbox of this machine."""

    async def edit() -> Trial:
        async with LocalExecutor(jobs=1) as executor, llm_modeller(llm) as modeller:
            return await try_edit(modeller, executor, time.monotonic)

    return asyncio.run(edit())


class _Timed:
    """A modeller that is timed."""

    def __init__(self, inner: Modeller, clock: Callable[[], float]) -> None:
        self._inner, self._clock = inner, clock
        self.longest = 0.0

    async def decide(self, context: TurnContext) -> ModelDecision:
        """The decision of the other one."""
        started = self._clock()
        try:
            return await self._inner.decide(context)
        finally:
            self.longest = max(self.longest, self._clock() - started)


async def try_edit(
    modeller: Modeller, executor: Executor, clock: Callable[[], float], seconds: float = _MOST_SECONDS
) -> Trial:
    """Ask for one change of the knapsack example and do with it what a person would who approves it.

    Args:
        modeller: who reads the sentence.
        executor: builds and solves the changed model.
        clock: seconds that only ever grow.
        seconds: how long it may take.
    """
    timed = _Timed(modeller, clock)
    try:
        async with asyncio.timeout(seconds):
            trial = await _edit(timed, executor)
    except TimeoutError:
        trial = Trial(works=False, detail=f"no change within {seconds:g} seconds")
    return replace(trial, longest=timed.longest)


async def _edit(modeller: Modeller, executor: Executor) -> Trial:
    source, json_data = example("knapsack")
    head = ModelVersion(
        id="trial",
        parent=None,
        program=Program.parse(source),
        json_data=json_data,
        data_id=data_id(json_data),
        sentence="",
        summary="",
    )
    calls: list[CallRecord] = []
    for number in range(1, _DECISIONS + 1):
        try:
            action = (await modeller.decide(_context(head, executor, tuple(calls)))).action
        except DecisionAIError as error:
            return Trial(works=False, detail=str(error))
        if not isinstance(action, ToolCall):
            return Trial(works=False, detail=f"it did not change the model and said: {_words(action)!r}")
        called = await _called(action, f"trial-{number}", head, executor, tuple(calls))
        if isinstance(called, Trial):
            return called
        calls.append(called)
    last = calls[-1]
    return Trial(works=False, detail=f"no change after {_DECISIONS} calls; {last.call.name}: {last.output}")


async def _called(
    action: ToolCall, call_id: str, head: ModelVersion, executor: Executor, calls: tuple[CallRecord, ...]
) -> CallRecord | Trial:
    """What a call brought: the end of the trial, or a record that the modeller goes on with."""
    call = ToolData(name=action.name, args=action.input, id=call_id)
    tool = standard_toolbox().get(action.name)
    if tool is None:
        return CallRecord(call=call, state="failed", output=f"there is no tool {action.name!r}")
    result = await tool.run(_context(head, executor, calls), action.input)
    if isinstance(result, Propose):
        tried = await _tried(result, head, executor)
        return tried if isinstance(tried, Trial) else CallRecord(call=call, state="failed", output=tried)
    if isinstance(result, Output):
        return CallRecord(call=call, state="failed" if result.failed else "done", output=result.text)
    return CallRecord(call=call, state="failed", output="nothing was changed yet: change the model first")


async def _tried(proposed: Propose, head: ModelVersion, executor: Executor) -> Trial | str:
    """Build and solve with a change; text = it does not fit or does not build, for the modeller to repair."""
    try:
        composed = compose(head, proposed.changes)
    except ProgramError as error:
        return str(error)
    job = Job(task="solve", source=composed.program.composed(), json_data=composed.json_data)
    result = await executor.run(job)
    if not isinstance(result.validation, ValidationSucceeded):
        return validation_words(result.validation)
    shown = "; ".join(_shown(change) for change in proposed.changes)
    loaded = _loaded(result)
    if loaded is None:
        return Trial(works=False, detail=f"{shown} - no plan with it, where there are some")
    return Trial(works=0 < loaded <= _MOST, detail=f"{shown} - the plan with it loads {loaded} items")


def _loaded(result: JobResult) -> int | None:
    if result.plan is None:
        return None
    return sum(value > 0.5 for _, value in result.plan.values.get("take", []))


def _shown(change: object) -> str:
    """The new part of a change, in one line."""
    added = getattr(change, "added", None)
    code = getattr(added, "code", None)
    return " ".join(str(code if code is not None else change).split())


def _words(action: FinalAnswer | AskUser) -> str:
    return (action.answer if isinstance(action, FinalAnswer) else action.question)[:200]


def _context(head: ModelVersion, executor: Executor, calls: tuple[CallRecord, ...]) -> TurnContext:
    async def describe() -> ModelDescription | None:
        job = Job(task="build", source=head.program.composed(), json_data=head.json_data)
        return (await executor.run(job)).description

    return TurnContext(
        sentence=SENTENCE,
        question=None,
        history=(Prompt(prompt=SENTENCE),),
        calls=calls,
        base=head.program,
        versions=(head,),
        last_solution=None,
        solution_is_current=False,
        tools=tuple(tool.spec for tool in standard_toolbox().values()),
        describe=describe,
        tree=VersionTree(versions=(head,), branches={"main": head.id}, branch="main", head=head.id),
        run=executor.run,
        interactive=False,
    )
