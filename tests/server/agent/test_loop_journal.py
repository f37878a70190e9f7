"""The agent notes what decisions and results were, and stops when a prompt has used up its share."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta, ReasoningDelta
from decision_ai.client.schemas.chat_messages.protocol import SolveResponse
from decision_ai.client.schemas.chat_messages.solving import SolveSucceeded
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai_server.agent.bounds import Limits
from decision_ai_server.agent.journal import Note, spent
from decision_ai_server.agent.ports import Output, ToolSpec
from decision_ai_server.model_client.decisions import (
    AskUser,
    DecisionRetryNote,
    DecisionUsage,
    FinalAnswer,
    ModelDecision,
)

USAGE = DecisionUsage(prompt_tokens=900, completion_tokens=100)
ANSWER = ModelDecision(action=FinalAnswer(answer="hello"), usage=USAGE)


class Figures:
    """A tool with figures, as slow as it is told."""

    spec = ToolSpec(name="figures", description="", input_schema={})

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    async def run(self, _context: Any, _args: dict[str, Any]) -> Output:
        await asyncio.sleep(self.seconds)
        return Output("seven", figures={"objective": 7.0})


class Modeller:
    """Decides by a function of the context."""

    def __init__(self, decide: Any) -> None:
        self.decide = decide


def notes(session: Any, kind: str) -> list[dict[str, Any]]:
    return [entry.note.payload for entry in session.journal if entry.note.kind == kind]


async def test_a_decision_its_modeller_did_not_note_is_noted_once(simulate):
    traced = ANSWER.model_copy(update={"retry_trace": [DecisionRetryNote(error="two calls")]})
    session = simulate({"hi": [traced]})
    await session.run()
    await session.prompt("hi")

    (noted,) = notes(session, "decision")
    assert noted["retry_trace"] == [{"error": "two calls", "raw": ""}]
    assert noted["usage"] == {"prompt_tokens": 900, "completion_tokens": 100}
    assert session.journal[0].at == 3


async def test_a_decision_its_modeller_noted_is_not_noted_again(simulate):
    async def decide(context):
        context.note(Note("loss", {"error": "lost"}))
        context.note(Note("decision", {"usage": USAGE.model_dump()}))
        return ANSWER

    session = simulate({})
    session.agent = replace(session.agent, modeller=Modeller(decide))
    await session.run()
    await session.prompt("hi")

    assert [entry.note.kind for entry in session.journal] == ["loss", "decision"]


async def test_the_next_decision_knows_figures_and_costs(simulate, call):
    seen = []

    async def decide(context):
        seen.append(context)
        if context.calls:
            return ANSWER
        return call("figures").model_copy(update={"usage": USAGE})

    session = simulate({})
    session.agent = replace(session.agent, modeller=Modeller(decide), toolbox={"figures": Figures()})
    await session.run()
    await session.prompt("hi")
    await session.prompt("again")

    assert seen[1].calls[0].figures == {"objective": 7.0}
    assert [context.spent.tokens for context in seen] == [0, 1000, 0, 1000]
    assert [payload["figures"] for payload in notes(session, "result")] == [{"objective": 7.0}] * 2


async def test_the_figures_of_a_solve_are_noted_when_it_is_answered(simulate, call, monkeypatch):
    monkeypatch.setattr(
        "decision_ai_server.agent.words.solve_figures", lambda _: {"objective": 7.0}, raising=False
    )
    session = simulate({"solve": [call("solve")]})
    await session.run()
    await session.prompt("solve")
    origin = session.conversation.open_ask.message.tool_origin
    solved = SolveSucceeded(solution_str="optimal, objective 7", solution_status="optimal")
    session.say(
        SolveResponse(rejected=False, validation=ValidationSucceeded(), solving=solved, tool_origin=origin)
    )
    await session.run()

    assert notes(session, "result") == [{"tool_id": "call-1", "figures": {"objective": 7.0}, "seconds": 0.0}]


@pytest.mark.parametrize("interactive", [True, False])
async def test_a_question_that_nobody_can_answer_ends_the_turn(simulate, interactive):
    session = simulate({"limit it": [ModelDecision(action=AskUser(question="To how many?"))]})
    session.interactive = interactive
    await session.run()
    said = await session.prompt("limit it")

    if interactive:
        assert [one.kind for one in said] == ["chat_response", "ask_for_feedback"]
        assert session.last_response == "To how many?"
    else:
        assert [one.kind for one in said] == ["chat_response", "ask_for_prompt"]
        assert session.last_response == "Blocked: I would have to ask: To how many?"


@pytest.mark.parametrize("interactive", [True, False])
async def test_the_modeller_knows_whether_somebody_is_there(simulate, interactive):
    seen = []

    async def decide(context):
        seen.append(context.interactive)
        return ANSWER

    session = simulate({})
    session.agent = replace(session.agent, modeller=Modeller(decide))
    session.interactive = interactive
    await session.run()
    await session.prompt("hi")

    assert seen == [interactive]


@pytest.mark.parametrize("reasoning", [True, False])
async def test_thoughts_are_streamed_only_where_the_session_asks_for_them(simulate, reasoning):
    thought, answer = ReasoningDelta(delta="hm"), ChatResponseDelta(delta="he")

    async def decide(context):
        context.tell(thought)
        context.tell(answer)
        return ANSWER

    session = simulate({})
    session.agent = replace(session.agent, modeller=Modeller(decide))
    session.reasoning = reasoning
    await session.run()
    await session.prompt("hi")

    assert session.told == ([thought, answer] if reasoning else [answer])


async def test_tokens_are_bounded_per_prompt(simulate, call):
    costly = call("figures").model_copy(update={"usage": USAGE})
    session = simulate({"hi": [costly] * 9})
    session.agent = replace(session.agent, limits=Limits(tokens=2500), toolbox={"figures": Figures()})
    await session.run()
    for _ in range(2):
        said = await session.prompt("hi")

        assert [one.kind for one in said].count("tool_call") == 3
        assert "used 3,000 tokens; 2,500 is the limit" in session.last_response


async def test_the_time_of_decisions_is_bounded(simulate):
    async def decide(_context):
        await asyncio.sleep(60)

    session = simulate({})
    session.agent = replace(session.agent, modeller=Modeller(decide), limits=Limits(seconds=0.05))
    await session.run()
    said = await session.prompt("hi")

    assert [one.kind for one in said] == ["chat_response", "ask_for_prompt"]
    assert "longer than 0.05 seconds" in session.last_response
    assert notes(session, "loss")[0]["error"].startswith("TimeoutError")
    assert spent(session.journal).seconds >= 0.04


async def test_the_time_of_tools_is_bounded_and_counts(simulate, call):
    session = simulate({"hi": [call("figures")] * 9})
    limits, slow = Limits(seconds=0.1), {"figures": Figures(60.0)}
    session.agent = replace(session.agent, limits=limits, toolbox=slow)
    await session.run()
    said = await session.prompt("hi")

    assert [one.kind for one in said] == ["tool_call", "tool_output", "chat_response", "ask_for_prompt"]
    assert session.last_output.startswith("Not done: I stopped because this took longer than 0.1 seconds")
    assert "longer than 0.1 seconds" in session.last_response


async def test_waiting_for_the_person_does_not_count(simulate, call):
    edit = {"op": "switch", "id": "max_items", "enabled": False}
    session = simulate({"no cap": [call("propose_changes", edits=[edit])]})
    clock = iter(range(0, 10**6, 1000))
    session.agent = replace(session.agent, limits=Limits(seconds=1500.0), clock=lambda: next(clock))
    await session.run()
    await session.prompt("no cap")
    session.agent = replace(session.agent, limits=Limits(seconds=500.0))
    said = await session.answer()

    assert said[0].tool_output.startswith("Approved and applied"), "what was approved is carried out"
    assert "longer than 500 seconds" in session.last_response
    assert len(session.line) == 2


async def test_time_outs_of_a_modellers_own_are_not_ours(simulate):
    async def decide(_context):
        raise TimeoutError("theirs")

    session = simulate({})
    session.agent = replace(session.agent, modeller=Modeller(decide))
    await session.run()
    with pytest.raises(TimeoutError, match="theirs"):
        await session.prompt("hi")
    assert notes(session, "loss")[0]["error"] == "TimeoutError: theirs"
