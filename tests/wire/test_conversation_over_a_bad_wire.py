"""Two peers, a wire that breaks and repeats itself, killed processes: nothing is lost, nothing happens twice.

The peers here follow docs/protocol.md: the server stores before it sends and echoes what it stored, the
client keeps an outbox and resends what the server does not have, every reconnect replays both directions.
"""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff
from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt, SystemPrompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer
from decision_ai.client.schemas.chat_messages.error import UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForFeedback,
    AskForPrompt,
    AskForSolve,
    AskForValidation,
    SolveResponse,
    ValidationResponse,
)
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData, ToolOutput
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.wire.codec import decode, encode
from decision_ai.wire.conversation import Accepted, Conversation, Duplicate, Refused
from decision_ai.wire.moves import Phase

pytestmark = pytest.mark.core

CHECKED = ValidationSucceeded()


class BadWire(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.store: list[MessageContainer] = []
        """What the server has on disk."""
        self.server = Conversation("s")
        self.client = Conversation("s")
        self.outbox: dict[str, MessageContainer] = {}
        """What the client has on disk and the server has not acknowledged."""
        self.refused: set[str] = set()
        self.sent: list[MessageContainer] = []
        self.answered: dict[str, str] = {}
        """Id of what the person said → id of the question it answers."""
        self.connected = False
        self.to_server: list[str] = []
        self.to_client: list[str] = []
        self.number = 0

    def said(self, message: ChatMessage) -> MessageContainer:
        self.number += 1
        return MessageContainer(chat_session_id="s", message=message, message_id=f"m{self.number}")

    # The server

    def say(self, message: ChatMessage) -> None:
        """Store first, send then."""
        container = self.said(message)
        self.server.record(container)
        self.store.append(container)
        self.post(container)

    def post(self, container: MessageContainer) -> None:
        if self.connected:
            self.to_client.append(encode(container))

    def origin(self, name: str) -> ToolData:
        return ToolData(name=name, args={"hash": f"h{self.number}"}, id=next(iter(self.server.open_calls)))

    @precondition(lambda self: self.server.phase is Phase.OPENING)
    @rule()
    def open(self) -> None:
        self.say(SystemPrompt(content="..."))

    @precondition(lambda self: self.server.phase is Phase.WORKING and not self.server.open_calls)
    @rule(step=st.sampled_from(["call", "say", "ask for a prompt", "ask for feedback"]))
    def work(self, step: str) -> None:
        if step == "call":
            self.say(ToolCall(tool_data=[ToolData(name="solve", args={}, id=f"call-{self.number}")]))
        elif step == "say":
            self.say(ChatResponse(response="..."))
        else:
            self.say(AskForPrompt() if step == "ask for a prompt" else AskForFeedback())

    @precondition(lambda self: self.server.phase is Phase.WORKING and self.server.open_calls)
    @rule(step=st.sampled_from(["validate", "solve", "settle"]))
    def go_on_with_the_call(self, step: str) -> None:
        if step == "validate":
            self.say(
                AskForValidation(code="...", changes=ConstraintDiff(), tool_origin=self.origin("propose"))
            )
        elif step == "solve":
            self.say(AskForSolve(code="...", tool_origin=self.origin("solve")))
        else:
            self.say(ToolOutput(tool_id=next(iter(self.server.open_calls)), tool_output="..."))

    @precondition(lambda self: self.server.phase is Phase.AWAITING_VALIDATION)
    @rule()
    def ask_anew_because_the_model_changed(self) -> None:
        self.say(AskForValidation(code="...", changes=ConstraintDiff(), tool_origin=self.origin("propose")))

    @precondition(lambda self: self.to_server)
    @rule()
    def server_receives(self) -> None:
        container: Any = decode(self.to_server.pop(0))
        match self.server.consider(container):
            case Accepted():
                self.server.record(container)
                self.store.append(container)
                self.post(container)
            case Duplicate():
                self.post(next(old for old in self.store if old.message_id == container.message_id))
            case Refused(reason=reason):
                no = self.said(UncriticalErrorMessage(error=reason))
                self.post(no.model_copy(update={"message_id": f"refused:{container.message_id}"}))

    # The client

    @precondition(lambda self: self.to_client)
    @rule()
    def client_receives(self) -> None:
        container: Any = decode(self.to_client.pop(0))
        self.outbox.pop(container.message_id.removeprefix("refused:"), None)
        if container.message_id.startswith("refused:"):
            self.refused.add(container.message_id.removeprefix("refused:"))
        else:
            self.client.record(container)

    @precondition(lambda self: self.client.open_ask and not self.outbox)
    @rule(over=st.booleans())
    def person_answers(self, over: bool) -> None:
        assert self.client.open_ask is not None
        question: Any = self.client.open_ask.message
        reply: ChatMessage
        if over or isinstance(question, AskForPrompt | AskForFeedback):
            reply = Prompt(prompt="and not the tent together with the stove")
        elif isinstance(question, AskForValidation):
            reply = ValidationResponse(rejected=False, validation=CHECKED, tool_origin=question.tool_origin)
        else:
            reply = SolveResponse(rejected=False, validation=CHECKED, tool_origin=question.tool_origin)
        container = self.said(reply)
        self.answered[container.message_id] = self.client.open_ask.message_id
        self.sent.append(container)
        self.outbox[container.message_id] = container
        self.send(container)

    def send(self, container: MessageContainer) -> None:
        if self.connected:
            self.to_server.append(encode(container))

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def client_sends_something_twice(self, data: st.DataObject) -> None:
        self.send(data.draw(st.sampled_from(self.sent)))

    # The wire and the processes

    @precondition(lambda self: not self.connected)
    @rule()
    def connect(self) -> None:
        self.connected = True
        for container in self.server.replay(self.client.last_message_id):
            self.post(container)
        for container in self.outbox.values():
            self.send(container)

    @rule()
    def wire_breaks(self) -> None:
        self.connected = False
        self.to_server.clear()
        self.to_client.clear()

    @precondition(lambda self: self.to_client)
    @rule()
    def wire_repeats(self) -> None:
        self.to_client.insert(1, self.to_client[0])

    @rule()
    def server_is_killed_and_started(self) -> None:
        self.wire_breaks()
        self.server = Conversation("s", self.store)

    @rule()
    def client_is_killed_and_started(self) -> None:
        self.wire_breaks()
        self.client = Conversation("s", self.store)
        for message_id in list(self.outbox):
            if message_id in self.client:
                del self.outbox[message_id]

    # What must hold

    @invariant()
    def client_has_a_beginning_of_what_the_server_has(self) -> None:
        seen = list(self.client)
        assert seen == self.store[: len(seen)]

    @invariant()
    def nothing_is_stored_twice(self) -> None:
        ids = [container.message_id for container in self.store]
        assert len(ids) == len(set(ids))

    @invariant()
    def what_was_approved_is_what_was_asked(self) -> None:
        for before, container in pairwise(self.store):
            if isinstance(container.message, ValidationResponse | SolveResponse):
                assert isinstance(before.message, AskForValidation | AskForSolve)
                assert container.message.tool_origin == before.message.tool_origin

    @invariant()
    def person_answers_a_question_once(self) -> None:
        counted = Counter(
            question for message_id, question in self.answered.items() if message_id not in self.refused
        )
        assert all(times == 1 for times in counted.values())

    def teardown(self) -> None:
        self.wire_breaks()
        self.connect()
        while self.to_client or self.to_server:
            if self.to_server:
                self.server_receives()
            if self.to_client:
                self.client_receives()
        assert list(self.client) == self.store
        assert not self.outbox
        stored = {container.message_id for container in self.store}
        for container in self.sent:
            assert (container.message_id in stored) != (container.message_id in self.refused)


TestBadWire = pytest.mark.timeout(60)(BadWire.TestCase)
TestBadWire.settings = settings(max_examples=60, stateful_step_count=60, deadline=None)
