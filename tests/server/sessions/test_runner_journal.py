"""What decisions cost is kept whatever becomes of them, and what is streamed of a lost step is withdrawn."""

import asyncio

import pytest

from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta, LiveContainer
from decision_ai.solving.findings import PlanCheck
from decision_ai_server.agent import moving
from decision_ai_server.agent.journal import Note, spent
from decision_ai_server.agent.ports import Output, ToolSpec
from decision_ai_server.model_client.decisions import (
    AskUser,
    DecisionUsage,
    FinalAnswer,
    ModelDecision,
    ToolCall,
)
from decision_ai_server.storage.errors import StoreFailed
from decision_ai_server.testing import RecordingConnection, ScriptedModeller

USAGE = DecisionUsage(prompt_tokens=10, completion_tokens=2)
HELLO = ModelDecision(action=FinalAnswer(answer="hello"), usage=USAGE)
FIGURES = ModelDecision(action=ToolCall(name="figures"), usage=USAGE)


class Figures:
    """A tool with a figure."""

    spec = ToolSpec(name="figures", description="", input_schema={})

    async def run(self, context, args):
        return Output("seven", figures={"objective": 7.0})


class Counted:
    """A meter that remembers."""

    def __init__(self):
        self.notes, self.calls = [], []

    def noted(self, note):
        self.notes.append(note.kind)

    def called(self, record):
        self.calls.append((record.call.name, record.state))


class Gate:
    """Answers once it is let; what was decided before is decided again."""

    def __init__(self):
        self.asked, self.open = 0, asyncio.Event()

    async def decide(self, context):
        self.asked += 1
        context.note(Note("request", {"body": {"n": self.asked}}))
        context.tell(ChatResponseDelta(delta=f"try {self.asked}"))
        await self.open.wait()
        return HELLO


def kinds(connection):
    return [container.message.kind for container in connection.stored]


def deltas(connection):
    live = [one.message for one in connection.sent if isinstance(one, LiveContainer)]
    return [(one.delta, one.restart) for one in live if one.kind == "chat_response_delta"]


async def joined(hub, connection, until, **how):
    runner = await hub.runner("s")
    await runner.join(connection, after=None, take=False, watch=False, **how)
    await until(lambda: kinds(connection)[-1:] == ["ask_for_prompt"])
    return runner


async def journal(store):
    return [(record.entry.at, record.entry.note.kind) for record in await store.journal("s")]


async def ask(runner, connection, envelope, until, text="hi"):
    await runner.receive(connection, envelope(Prompt(prompt=text)))
    await until(lambda: kinds(connection)[-1] == "ask_for_prompt" and len(connection.stored) > 3)


async def test_entries_are_stored_with_their_step_and_read_again_after_a_restart(open_hub, envelope, until):
    seen, meter = [], Counted()

    class Watching(ScriptedModeller):
        async def decide(self, context):
            seen.append((context.spent.tokens, [record.figures for record in context.calls]))
            return await super().decide(context)

    modeller = Watching({"go": [FIGURES, HELLO]})
    connection = RecordingConnection()
    async with open_hub(modeller, tools={"figures": Figures()}, meter=meter) as (hub, store):
        runner = await joined(hub, connection, until)
        await ask(runner, connection, envelope, until, "go")

        assert await journal(store) == [(3, "decision"), (4, "result"), (5, "decision")]
        assert seen == [(0, []), (12, [{"objective": 7.0}])]
        assert meter.notes == ["decision", "result", "decision"]
        assert meter.calls == [("figures", "done")]
    async with open_hub(modeller, tools={"figures": Figures()}) as (hub, store):
        runner = await hub.runner("s")
        assert spent(runner._ledger.journal).tokens == 24
        assert runner._view().journal == runner._ledger.journal
        assert await store.journal("s", ["request"]) == []


async def test_requests_are_stored_and_not_held(open_hub, envelope, until):
    gate, connection = Gate(), RecordingConnection()
    gate.open.set()
    async with open_hub(gate) as (hub, store):
        runner = await joined(hub, connection, until)
        await ask(runner, connection, envelope, until)

        assert await journal(store) == [(3, "request"), (3, "decision")]
        assert [entry.note.kind for entry in runner._ledger.journal] == ["decision"]


OUTSIDE = {
    "undo": lambda hub: hub.move("s", lambda tree: moving.branch(tree, "try")),
    "checks": lambda hub: hub.change_checks(
        "s", lambda known: (*known, PlanCheck(name="fine", sentence="", code="def fine(self, data, v): ..."))
    ),
}


@pytest.mark.parametrize("outside", OUTSIDE)
async def test_a_step_that_is_outdated_ends_at_once_and_is_paid_for(open_hub, envelope, until, outside):
    gate, connection = Gate(), RecordingConnection()
    async with open_hub(gate) as (hub, store):
        runner = await joined(hub, connection, until)
        await runner.receive(connection, envelope(Prompt(prompt="hi")))
        await until(lambda: gate.asked == 1)

        await OUTSIDE[outside](hub)
        await until(lambda: gate.asked == 2)
        assert await journal(store) == [(3, "request"), (3, "loss")]
        gate.open.set()
        await until(lambda: kinds(connection)[-1] == "ask_for_prompt")

        assert deltas(connection) == [("try 1", False), ("", True), ("try 2", False)]
        assert await journal(store) == [(3, "request"), (3, "loss"), (3, "request"), (3, "decision")]
        assert kinds(connection).count("chat_response") == 1


async def test_a_step_whose_message_is_too_large_is_paid_for_and_withdrawn(open_hub, envelope, until):
    class Talker:
        async def decide(self, context):
            context.tell(ChatResponseDelta(delta="xx"))
            return ModelDecision(action=FinalAnswer(answer="x" * (5 * 2**20)), usage=USAGE)

    connection = RecordingConnection()
    async with open_hub(Talker()) as (hub, store):
        runner = await joined(hub, connection, until)
        await runner.receive(connection, envelope(Prompt(prompt="hi")))
        await until(lambda: kinds(connection)[-2:] == ["error", "ask_for_prompt"])

        assert await journal(store) == [(3, "decision")]
        assert deltas(connection) == [("xx", False), ("", True)]


@pytest.mark.parametrize("after", [False, True])
async def test_a_store_that_fails_never_keeps_an_entry_twice(open_hub, envelope, until, monkeypatch, after):
    connection = RecordingConnection()
    async with open_hub(ScriptedModeller({"hi": [HELLO]}), meter=Counted()) as (hub, store):
        runner = await joined(hub, connection, until)
        append, calls = store.append, []

        async def failing(session_id, step, **named):
            calls.append(step)
            if not step.journal or len(calls) > 2:
                return await append(session_id, step, **named)
            if after:
                await append(session_id, step, **named)
            raise StoreFailed("disk full")

        monkeypatch.setattr(store, "append", failing)
        await ask(runner, connection, envelope, until)
        monkeypatch.undo()

        entries = await journal(store)
        assert entries == ([(3, "decision")] if after else [])
        assert [entry.at for entry in runner._ledger.journal] == [at for at, _ in entries]


async def test_what_a_modeller_notes_wrongly_fails_its_turn_only(open_hub, envelope, until):
    class Wrong:
        async def decide(self, context):
            if context.sentence == "go":
                context.note(Note("decision", {"action": {1, 2}}))
            return HELLO

    connection = RecordingConnection()
    async with open_hub(Wrong()) as (hub, _):
        runner = await joined(hub, connection, until)
        await ask(runner, connection, envelope, until, "go")
        assert "TypeError" in connection.stored[-2].message.error
        await ask(runner, connection, envelope, until)
        await until(lambda: kinds(connection)[-2:] == ["chat_response", "ask_for_prompt"])


@pytest.mark.parametrize("interactive", [True, False])
async def test_whether_somebody_is_there_is_said_by_who_has_the_floor(open_hub, envelope, until, interactive):
    modeller = ScriptedModeller({"limit": [ModelDecision(action=AskUser(question="How many?"))]})
    speaker = RecordingConnection(interactive=interactive)
    watcher = RecordingConnection(interactive=not interactive)
    async with open_hub(modeller) as (hub, _):
        runner = await joined(hub, speaker, until)
        await runner.join(watcher, after=None, take=False, watch=True)
        await runner.receive(speaker, envelope(Prompt(prompt="limit")))
        await until(lambda: kinds(speaker)[-2] == "chat_response")

        asked, said = kinds(speaker)[-1], speaker.stored[-2].message.response
        if interactive:
            assert (asked, said) == ("ask_for_feedback", "How many?")
        else:
            assert (asked, said) == ("ask_for_prompt", "Blocked: I would have to ask: How many?")


async def test_deltas_reach_whoever_speaks_live_and_nobody_else(open_hub, envelope, until):
    gate, live, strict = Gate(), RecordingConnection(), RecordingConnection(live=False)
    gate.open.set()
    async with open_hub(gate) as (hub, _):
        runner = await joined(hub, live, until)
        await runner.join(strict, after=None, take=False, watch=True)
        await ask(runner, live, envelope, until)

        assert deltas(live) == [("try 1", False)]
        assert deltas(strict) == []
        assert kinds(strict) == kinds(live)
