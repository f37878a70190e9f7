"""The turn of a session as a modeller and a tool see it, made by hand."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.examples import example
from decision_ai.modeling.data import data_id
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai_server.agent.journal import Figure
from decision_ai_server.agent.ports import CallRecord, CallState, ModelVersion, TurnContext, VersionTree


async def _no_description() -> None:
    return None


async def _nothing_runs(job: Job) -> JobResult:
    raise AssertionError(job)


@pytest.fixture
def result() -> Callable[..., CallRecord]:
    """Makes a call of the turn with what it brought."""

    def make(
        tool: str,
        output: str | None = "",
        figures: Mapping[str, Figure] | None = None,
        args: dict[str, Any] | None = None,
        state: CallState = "done",
        **more: Any,
    ) -> CallRecord:
        call = ToolData(name=tool, args=args or {}, id=f"call-{tool}")
        return CallRecord(call=call, state=state, output=output, figures=figures or {}, **more)

    return make


@pytest.fixture
def turn() -> Callable[..., TurnContext]:
    """Makes the context of a turn on the knapsack example."""

    def make(
        sentence: str = "", calls: Sequence[CallRecord] = (), json_data: str | None = None, **more: Any
    ) -> TurnContext:
        source, data = example("knapsack")
        head = ModelVersion(
            id="v0",
            parent=None,
            program=Program.parse(source),
            json_data=json_data or data,
            data_id=data_id(json_data or data),
            sentence="",
            summary="",
        )
        given: dict[str, Any] = {
            "sentence": sentence,
            "question": None,
            "history": (),
            "calls": tuple(calls),
            "base": head.program,
            "versions": (head,),
            "last_solution": None,
            "solution_is_current": False,
            "tools": (),
            "describe": _no_description,
            "tree": VersionTree(versions=(head,), branches={"main": "v0"}, branch="main", head="v0"),
            "run": _nothing_runs,
        }
        return TurnContext(**(given | more))

    return make
