"""A session in memory: steps are applied as the runner does, without store, socket or sandbox."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer
from decision_ai.client.schemas.chat_messages.protocol import AskForValidation, ValidationResponse
from decision_ai.client.schemas.chat_messages.tool import ToolOutput
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.examples import example
from decision_ai.modeling.data import data_id
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.findings import PlanCheck
from decision_ai.wire.conversation import Conversation
from decision_ai_server.agent.journal import Entry, Note
from decision_ai_server.agent.loop import Agent
from decision_ai_server.agent.ports import Delta, ModelVersion, Run, SessionView, VersionTree
from decision_ai_server.agent.steps import Emit, NewVersion, Wait
from decision_ai_server.agent.toolbox import standard_toolbox
from decision_ai_server.agent.words import summary
from decision_ai_server.model_client.decisions import ModelDecision, ToolCall
from decision_ai_server.testing import ScriptedModeller


async def _no_description() -> None:
    return None


async def _nothing_runs(job: Job) -> JobResult:
    raise AssertionError(job)


@dataclass
class Simulation:
    """One session whose modeller plays a script."""

    agent: Agent
    tree: VersionTree
    conversation: Conversation = field(default_factory=lambda: Conversation("s"))
    data: list[str] = field(default_factory=list)
    reasoning: bool = False
    executor: Run = _nothing_runs
    checks: tuple[PlanCheck, ...] = ()
    interactive: bool = True
    journal: list[Entry] = field(default_factory=list)
    told: list[Delta] = field(default_factory=list)

    @property
    def line(self) -> tuple[ModelVersion, ...]:
        """The present version and those it came from, newest first."""
        return self.tree.line()

    def view(self) -> SessionView:
        return SessionView(
            phase=self.conversation.phase,
            messages=self.conversation.messages,
            base=self.line[-1].program,
            tree=self.tree,
            describe=_no_description,
            run=self.executor,
            checks=self.checks,
            reasoning=self.reasoning,
            interactive=self.interactive,
            journal=tuple(self.journal),
            tell=self.told.append,
            note=self.note,
        )

    def note(self, note: Note) -> None:
        self.journal.append(Entry(len(self.conversation), note))

    def say(self, message: ChatMessage) -> None:
        self.conversation.record(MessageContainer(chat_session_id="s", message=message))

    def commit(self, step: Emit) -> None:
        self.data += step.data
        for note in step.notes:
            self.note(note)
        if step.version is not None:
            self.grow(step.version)
        if step.move is not None:
            branches = {step.move.branch: step.move.head, **self.tree.branches}
            self.tree = replace(self.tree, head=step.move.head, branch=step.move.branch, branches=branches)
        if step.checks is not None:
            self.checks = step.checks
        for message in step.messages:
            self.say(message)

    def grow(self, version: NewVersion) -> None:
        """Append a version at the head."""
        made = ModelVersion(
            id=f"v{len(self.tree.versions)}",
            parent=self.tree.head,
            program=version.program,
            json_data=version.json_data,
            data_id=data_id(version.json_data),
            sentence=version.sentence,
            summary=summary(version.changes),
            incompatible=version.incompatible,
        )
        self.tree = VersionTree(
            versions=(*self.tree.versions, made),
            branches={**self.tree.branches, self.tree.branch: made.id},
            branch=self.tree.branch,
            head=made.id,
        )

    async def run(self) -> list[ChatMessage]:
        """Go on until somebody else has the word; what was said meanwhile."""
        start = len(self.conversation)
        for _ in range(50):
            step = await self.agent.next_step(self.view())
            if isinstance(step, Wait):
                return list(self.conversation.messages[start:])
            self.commit(step)
        raise AssertionError("the agent does not come to an end")

    async def prompt(self, text: str) -> list[ChatMessage]:
        self.say(Prompt(prompt=text))
        return await self.run()

    async def answer(self, **fields: Any) -> list[ChatMessage]:
        """Answer the open validation ask; approve unless told otherwise."""
        ask = self.open_ask
        said = {
            "rejected": False,
            "validation": ValidationSucceeded(),
            "tool_origin": ask.tool_origin,
        } | fields
        self.say(ValidationResponse(**said))
        return await self.run()

    @property
    def open_ask(self) -> AskForValidation:
        assert self.conversation.open_ask is not None
        message = self.conversation.open_ask.message
        assert isinstance(message, AskForValidation)
        return message

    @property
    def last_response(self) -> str:
        return next(
            message.response
            for message in reversed(self.conversation.messages)
            if isinstance(message, ChatResponse)
        )

    @property
    def last_output(self) -> str:
        return next(
            message.tool_output
            for message in reversed(self.conversation.messages)
            if isinstance(message, ToolOutput)
        )


Script = Mapping[str, Sequence[ModelDecision]]


@pytest.fixture
def simulate() -> Callable[..., Simulation]:
    """Makes a session on an example whose modeller plays the script."""

    def make(script: Script, name: str = "knapsack") -> Simulation:
        source, json_data = example(name)
        ids = count(1)
        agent = Agent(
            modeller=ScriptedModeller(script),
            toolbox=standard_toolbox(),
            system_prompt="You help.",
            new_id=lambda: f"call-{next(ids)}",
            clock=time.monotonic,
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
        return Simulation(agent=agent, tree=tree)

    return make


@pytest.fixture
def call() -> Callable[..., ModelDecision]:
    """Makes the decision to call a tool."""

    def make(name: str, /, **args: Any) -> ModelDecision:
        return ModelDecision(action=ToolCall(name=name, input=args))

    return make
