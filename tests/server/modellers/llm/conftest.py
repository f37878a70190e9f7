"""Sessions in memory whose modeller asks a scripted model client: no store, no socket, no endpoint."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForSolve,
    AskForValidation,
    SolveResponse,
    ValidationResponse,
)
from decision_ai.client.schemas.chat_messages.solving import SolveSucceeded
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.examples import example
from decision_ai.modeling.data import data_id
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.wire.conversation import Conversation
from decision_ai.wire.moves import Phase
from decision_ai_server.agent.journal import Entry, Note
from decision_ai_server.agent.loop import Agent
from decision_ai_server.agent.ports import Delta, ModelVersion, SessionView, TurnContext, VersionTree
from decision_ai_server.agent.steps import Emit, NewVersion, Wait
from decision_ai_server.agent.toolbox import standard_toolbox
from decision_ai_server.agent.words import summary
from decision_ai_server.model_client.client import ModelClient
from decision_ai_server.model_client.context import ContextPacket
from decision_ai_server.model_client.decisions import FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.modellers.llm import LlmModeller, LlmOptions
from decision_ai_server.modellers.llm.masking import Mask
from decision_ai_server.testing import ScriptedModelClient

HARBOUR = Path(__file__).parents[1] / "offline"


def files(name: str) -> tuple[str, str]:
    """Source and data of an example, or of a model file that is none of ours."""
    if name == "harbour":
        return (HARBOUR / "harbour_model.py").read_text(), (HARBOUR / "harbour_data.json").read_text()
    return example(name)


async def nothing_is_described() -> None:
    return None


async def nothing_runs(job: Job) -> JobResult:
    raise AssertionError(job)


@dataclass
class Recorder:
    """A modeller that remembers what it was asked."""

    inner: LlmModeller
    contexts: list[TurnContext] = field(default_factory=list)

    async def decide(self, context: TurnContext) -> ModelDecision:
        self.contexts.append(context)
        return await self.inner.decide(context)


@dataclass
class Session:
    """One session in memory; approves what is proposed and answers solves with a text."""

    agent: Agent
    modeller: Recorder
    client: ModelClient
    tree: VersionTree
    conversation: Conversation = field(default_factory=lambda: Conversation("s"))
    journal: list[Entry] = field(default_factory=list)
    told: list[Delta] = field(default_factory=list)
    solution: str = "optimal\nobjective 12"
    refusal: str | None = None
    interactive: bool = True

    def view(self) -> SessionView:
        return SessionView(
            phase=self.conversation.phase,
            messages=self.conversation.messages,
            base=self.tree.line()[-1].program,
            tree=self.tree,
            describe=nothing_is_described,
            run=nothing_runs,
            interactive=self.interactive,
            reasoning=True,
            journal=tuple(self.journal),
            tell=self.told.append,
            note=self.note,
        )

    def note(self, note: Note) -> None:
        self.journal.append(Entry(len(self.conversation), note))

    def say(self, message: ChatMessage) -> None:
        self.conversation.record(MessageContainer(chat_session_id="s", message=message))

    async def prompt(self, text: str) -> str:
        """Say something and go on until the turn is over; what was answered last."""
        while not self.conversation.messages:
            self.commit(await self.agent.next_step(self.view()))
        self.say(Prompt(prompt=text))
        for _ in range(50):
            step = await self.agent.next_step(self.view())
            if isinstance(step, Emit):
                self.commit(step)
                continue
            assert isinstance(step, Wait)
            ask = self.conversation.open_ask
            if ask is None or self.conversation.phase in (Phase.AWAITING_PROMPT, Phase.AWAITING_FEEDBACK):
                return self.answer
            self.reply(ask.message)
        raise AssertionError("the agent does not come to an end")

    def reply(self, ask: ChatMessage) -> None:
        refused: dict[str, Any] = {"rejected": self.refusal is not None, "rejection_message": self.refusal}
        checked = {"validation": ValidationSucceeded()}
        if isinstance(ask, AskForValidation):
            self.say(ValidationResponse(tool_origin=ask.tool_origin, **checked, **refused))
        elif isinstance(ask, AskForSolve):
            plan = SolveSucceeded(solution_status="optimal", solution_str=self.solution)
            self.say(SolveResponse(tool_origin=ask.tool_origin, solving=plan, **checked, **refused))

    @property
    def answer(self) -> str:
        said = [one.response for one in self.conversation.messages if isinstance(one, ChatResponse)]
        return said[-1]

    @property
    def packet(self) -> ContextPacket:
        """The newest packet that went to the client."""
        return self.packets[-1]

    @property
    def packets(self) -> list[ContextPacket]:
        assert isinstance(self.client, ScriptedModelClient)
        return self.client.packets

    @property
    def context(self) -> TurnContext:
        return self.modeller.contexts[-1]

    def notes(self, kind: str) -> list[dict[str, Any]]:
        return [entry.note.payload for entry in self.journal if entry.note.kind == kind]

    def commit(self, step: Emit) -> None:
        for note in step.notes:
            self.note(note)
        if step.version is not None:
            self.grow(step.version)
        for message in step.messages:
            self.say(message)

    def grow(self, version: NewVersion) -> None:
        made = ModelVersion(
            id=f"v{len(self.tree.versions)}",
            parent=self.tree.head,
            program=version.program,
            json_data=version.json_data,
            data_id=data_id(version.json_data),
            sentence=version.sentence,
            summary=summary(version.changes),
        )
        versions = (*self.tree.versions, made)
        self.tree = replace(self.tree, versions=versions, branches={"main": made.id}, head=made.id)


def opened(
    script: ModelClient | Sequence[ModelDecision | Exception],
    options: LlmOptions,
    source: str,
    json_data: str,
) -> Session:
    client = script if isinstance(script, ModelClient) else ScriptedModelClient(script)
    ids, seconds = count(1), count()
    modeller = Recorder(LlmModeller(client, options, clock=lambda: float(next(seconds))))
    agent = Agent(
        modeller=modeller,
        toolbox=standard_toolbox(),
        system_prompt="You help.",
        new_id=lambda: f"call-{next(ids)}",
        clock=lambda: 0.0,
    )
    base = ModelVersion(
        id="v0",
        parent=None,
        program=Program.parse(source),
        json_data=json_data,
        data_id=data_id(json_data),
        sentence="",
        summary="",
    )
    tree = VersionTree(versions=(base,), branches={"main": "v0"}, branch="main", head="v0")
    return Session(agent=agent, modeller=modeller, client=client, tree=tree)


@pytest.fixture
def start() -> Callable[..., Session]:
    """Opens a session on a model whose client plays the script."""

    def make(
        script: ModelClient | Sequence[ModelDecision | Exception], name: str = "knapsack", **options: Any
    ) -> Session:
        return opened(script, LlmOptions(**options), *files(name))

    return make


@pytest.fixture
def start_on() -> Callable[..., Session]:
    """Opens a session on given source and data."""

    def make(
        script: Sequence[ModelDecision | Exception], source: str, json_data: str, **options: Any
    ) -> Session:
        return opened(script, LlmOptions(**options), source, json_data)

    return make


@pytest.fixture
def call() -> Callable[..., ModelDecision]:
    """Makes the decision to call a tool."""

    def make(name: str, /, thought: str = "", **args: Any) -> ModelDecision:
        return ModelDecision(thought_summary=thought, action=ToolCall(name=name, input=args))

    return make


@pytest.fixture
def said() -> Callable[[str], ModelDecision]:
    """Makes the decision to answer."""
    return lambda text: ModelDecision(action=FinalAnswer(answer=text))


@pytest.fixture
def strings() -> Callable[[Any], Iterator[str]]:
    """Every text in a JSON value, keys too."""

    def walk(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for key, inner in value.items():
                yield from walk(key)
                yield from walk(inner)
        elif isinstance(value, list | tuple):
            for inner in value:
                yield from walk(inner)

    return walk


@pytest.fixture
def mask() -> Mask:
    """A mask of three labels, one of them also a name of the program."""
    stand_ins = {"Tent": "⟦label 1⟧", "O'Brien": "⟦label 2⟧", "Tent pole": "⟦label 3⟧", "B": "⟦label 4⟧"}
    return Mask(stand_ins, frozenset({"at_most_4", "B2"}), numbers=True)
