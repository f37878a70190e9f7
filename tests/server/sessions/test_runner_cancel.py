"""Stop means stop, wherever a turn stands, and the session goes on with the next prompt."""

import asyncio

import pytest

from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.live import Cancel, ChatResponseDelta, LiveContainer
from decision_ai.solving.executors.base import Job
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai_server.agent.journal import Note
from decision_ai_server.agent.ports import Output, ToolSpec
from decision_ai_server.model_client.decisions import FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.model_client.errors import DecisionParseError, TransportError
from decision_ai_server.sessions import attempt
from decision_ai_server.testing import RecordingConnection, ScriptedModeller

STOP = LiveContainer(chat_session_id="s", message=Cancel())
HELLO = ModelDecision(action=FinalAnswer(answer="hello"))
OFF = ModelDecision(
    action=ToolCall(
        name="propose_changes", input={"edits": [{"op": "switch", "id": "max_items", "enabled": False}]}
    )
)


class Slow:
    """Hangs on the sentence "hang", as often as it is asked; answers any other with hello."""

    def __init__(self, swallow=0):
        self.hanging, self.ended, self.left = 0, 0, swallow

    async def decide(self, context):
        if context.sentence != "hang":
            return HELLO
        context.tell(ChatResponseDelta(delta="I thi"))
        self.hanging += 1
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                self.left -= 1
                if self.left < 0:
                    self.ended += 1
                    raise


def kinds(connection):
    return [container.message.kind for container in connection.stored]


def live(connection):
    return [one.message for one in connection.sent if isinstance(one, LiveContainer)]


async def joined(hub, connection, until, **how):
    runner = await hub.runner("s")
    await runner.join(connection, after=None, take=False, watch=False, **how)
    await until(lambda: kinds(connection)[-1:] == ["ask_for_prompt"])
    return runner


async def say(runner, connection, envelope, until, text):
    """A prompt that is answered."""
    await runner.receive(connection, envelope(Prompt(prompt=text)))
    await until(lambda: kinds(connection)[-2:] == ["chat_response", "ask_for_prompt"])
    await until(lambda: connection.stored[-2].message.response == "hello")


@pytest.mark.parametrize("swallow", [0, 1])
async def test_while_the_modeller_decides(open_hub, envelope, until, monkeypatch, swallow):
    monkeypatch.setattr(attempt, "_PATIENCE", 0.05)
    modeller, connection = Slow(swallow), RecordingConnection()
    async with open_hub(modeller) as (hub, store):
        runner = await joined(hub, connection, until)
        await runner.receive(connection, envelope(Prompt(prompt="hang")))
        await until(lambda: modeller.hanging == 1)

        await runner.receive(connection, STOP)
        await until(lambda: "cancelled" in connection.kinds)

        assert modeller.ended == 1, "the call to the model is over"
        assert kinds(connection)[-3:] == ["prompt", "chat_response", "ask_for_prompt"]
        assert connection.stored[-2].message.response == "Stopped. Nothing was changed."
        deltas = [one for one in live(connection) if one.kind == "chat_response_delta"]
        assert [(one.delta, one.restart) for one in deltas] == [("I thi", False), ("", True)]
        losses = await store.journal("s", ["loss"])
        assert [record.entry.note.payload["error"] for record in losses] == ["CancelledError"]
        await say(runner, connection, envelope, until, "hi")


async def test_while_a_question_is_open(open_hub, envelope, until):
    connection = RecordingConnection()
    script = ScriptedModeller({"no cap": [OFF]}, silence="hello")
    async with open_hub(script) as (hub, store):
        runner = await joined(hub, connection, until)
        await runner.receive(connection, envelope(Prompt(prompt="no cap")))
        await until(lambda: kinds(connection)[-1] == "ask_for_validation")

        await runner.receive(connection, STOP)
        await until(lambda: "cancelled" in connection.kinds)

        assert kinds(connection)[-3:] == ["tool_output", "chat_response", "ask_for_prompt"]
        assert connection.stored[-3].message.tool_output.startswith("Cancelled")
        assert len(await store.versions("s")) == 1
        await say(runner, connection, envelope, until, "hi")


class Endless:
    """A tool that runs a job of the server."""

    spec = ToolSpec(name="endless", description="", input_schema={})

    async def run(self, context, args):
        result = await context.run(Job(task="solve", source=args["source"], json_data="{}"))
        return Output(str(result))


class Waiting:
    """An executor whose jobs never end by themselves."""

    def __init__(self):
        self.running = 0

    async def run(self, job, **_options):
        self.running += 1
        try:
            await asyncio.sleep(60)
        finally:
            self.running -= 1

    async def aclose(self):
        return


ENDLESS_PROGRAM = """
import pulp
from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, objective
class D(InputData):
    pass
class V(Variables):
    x: Var = binary()
class M(OptModel[D, V]):
    @constraint("")
    def c(self, data, v):
        while True:
            pass
    @objective("maximize", "")
    def o(self, data, v):
        return v.x
"""


@pytest.mark.parametrize("real", [False, True])
async def test_while_a_tool_runs_a_job_on_the_executor(open_hub, envelope, until, real):
    connection, waiting = RecordingConnection(), Waiting()
    call = ModelDecision(action=ToolCall(name="endless", input={"source": ENDLESS_PROGRAM}))
    modeller = ScriptedModeller({"go": [call]}, silence="hello")
    async with LocalExecutor(jobs=1) as local:
        executor = local if real else waiting
        async with open_hub(modeller, executor, {"endless": Endless()}) as (hub, _):
            runner = await joined(hub, connection, until)
            await runner.receive(connection, envelope(Prompt(prompt="go")))
            await until(lambda: kinds(connection)[-1] == "tool_call" and (real or waiting.running))
            await asyncio.sleep(0.3 if real else 0)

            await runner.receive(connection, STOP)
            await until(lambda: "cancelled" in connection.kinds)

            assert waiting.running == 0
            assert kinds(connection)[-3:] == ["tool_output", "chat_response", "ask_for_prompt"]
            await say(runner, connection, envelope, until, "hi")
            if real:
                async with asyncio.timeout(5):  # the only place is free again
                    result = await local.run(Job(task="build", source="no program", json_data="{}"))
                assert result.validation.kind == "formulation_validation_failed"


async def test_twice_in_a_row_is_once(open_hub, envelope, until):
    modeller, connection = Slow(), RecordingConnection()
    async with open_hub(modeller) as (hub, _):
        runner = await joined(hub, connection, until)
        await runner.receive(connection, envelope(Prompt(prompt="hang")))
        await until(lambda: modeller.hanging == 1)

        await runner.receive(connection, STOP)
        await runner.receive(connection, STOP)
        await until(lambda: "cancelled" in connection.kinds)
        await runner.receive(connection, STOP)
        await say(runner, connection, envelope, until, "hi")

        assert connection.kinds.count("cancelled") == 1


@pytest.mark.parametrize("pauses", range(6))
async def test_one_that_comes_late_does_not_hit_the_next_turn(open_hub, envelope, until, pauses):
    connection = RecordingConnection()
    async with open_hub(Slow()) as (hub, _):
        runner = await joined(hub, connection, until)
        await say(runner, connection, envelope, until, "hi")
        said = len(connection.stored)
        turn = asyncio.ensure_future(runner.receive(connection, envelope(Prompt(prompt="one"))))
        for _ in range(pauses * 10):
            await asyncio.sleep(0)
        await runner.receive(connection, STOP)
        await turn
        await until(lambda: kinds(connection)[-1] == "ask_for_prompt" and len(connection.stored) > said)

        await say(runner, connection, envelope, until, "two")

        assert connection.stored[-3].message.prompt == "two"


async def test_from_a_watcher_it_is_ignored(open_hub, envelope, until):
    modeller, speaker, watcher = Slow(), RecordingConnection(), RecordingConnection()
    async with open_hub(modeller) as (hub, _):
        runner = await joined(hub, speaker, until)
        await runner.join(watcher, after=None, take=False, watch=True)
        await runner.receive(speaker, envelope(Prompt(prompt="hang")))
        await until(lambda: modeller.hanging == 1)

        await runner.receive(watcher, STOP)
        await asyncio.sleep(0.05)
        assert modeller.ended == 0
        assert kinds(speaker)[-1] == "prompt"

        await runner.receive(speaker, STOP)
        await until(lambda: "cancelled" in watcher.kinds)


@pytest.mark.parametrize(
    "error", [TransportError("the endpoint does not answer"), DecisionParseError("no JSON at all")]
)
async def test_a_modeller_that_fails_says_so_and_the_next_prompt_works(open_hub, envelope, until, error):
    class Failing:
        async def decide(self, context):
            if context.sentence == "hi":
                return HELLO
            context.tell(ChatResponseDelta(delta="I thi"))
            context.note(Note("request", {"body": {}}))
            raise error

    connection = RecordingConnection()
    async with open_hub(Failing()) as (hub, store):
        runner = await joined(hub, connection, until)
        await runner.receive(connection, envelope(Prompt(prompt="go")))
        await until(lambda: kinds(connection)[-2:] == ["error", "ask_for_prompt"])

        assert connection.stored[-2].message.error == str(error)
        assert live(connection)[-1].restart
        assert [record.entry.note.kind for record in await store.journal("s")] == ["request", "loss"]
        assert connection.closed is None
        await say(runner, connection, envelope, until, "hi")
