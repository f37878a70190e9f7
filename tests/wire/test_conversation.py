from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff
from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt, Reasoning, SystemPrompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage, MessageContainer
from decision_ai.client.schemas.chat_messages.error import CriticalErrorMessage, UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForFeedback,
    AskForPrompt,
    AskForSolve,
    AskForValidation,
    SolveResponse,
    ValidationResponse,
)
from decision_ai.client.schemas.chat_messages.solving import SolveFailed
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData, ToolOutput
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.errors import ProtocolError
from decision_ai.wire.conversation import Accepted, Conversation, Duplicate, Refused
from decision_ai.wire.moves import Phase

pytestmark = pytest.mark.core

NUMBERS: Iterator[int] = count(1)


def said(message: ChatMessage, message_id: str | None = None) -> MessageContainer:
    return MessageContainer(
        chat_session_id="s", message=message, message_id=message_id or f"m{next(NUMBERS)}"
    )


def call(name: str = "call-1", **args: Any) -> ToolData:
    return ToolData(name="propose_changes", args={"hash": "h1"} | args, id=name)


def ask(origin: ToolData) -> AskForValidation:
    return AskForValidation(code="...", changes=ConstraintDiff(), tool_origin=origin)


def answer(origin: ToolData) -> ValidationResponse:
    return ValidationResponse(rejected=False, validation=ValidationSucceeded(), tool_origin=origin)


SOLVED = SolveFailed(status="infeasible")
MESSAGES: dict[str, ChatMessage] = {
    message.kind: message
    for message in (
        SystemPrompt(content="..."),
        Prompt(prompt="at most 4 items"),
        Reasoning(content="..."),
        ToolCall(tool_data=[call(), ToolData(name="show_data", args={})]),
        ToolOutput(tool_id="call-1", tool_output="..."),
        ChatResponse(response="..."),
        UncriticalErrorMessage(error="..."),
        CriticalErrorMessage(error="..."),
        AskForPrompt(),
        AskForFeedback(),
        ask(call()),
        AskForSolve(code="...", tool_origin=call()),
        answer(call()),
        SolveResponse(rejected=False, validation=ValidationSucceeded(), tool_origin=call(), solving=SOLVED),
    )
}
NEEDS_A_CALL = {"tool_output", "ask_for_validation", "ask_for_solve"}

WAYS = {
    Phase.OPENING: "",
    Phase.WORKING: "system_prompt",
    Phase.AWAITING_PROMPT: "system_prompt ask_for_prompt",
    Phase.AWAITING_FEEDBACK: "system_prompt chat_response ask_for_feedback",
    Phase.AWAITING_VALIDATION: "system_prompt tool_call ask_for_validation",
    Phase.AWAITING_SOLVE: "system_prompt tool_call ask_for_solve",
    Phase.CLOSED: "system_prompt critical_error",
}
LEGAL = {
    Phase.OPENING: "system_prompt>working critical_error>closed",
    Phase.WORKING: "reasoning>working tool_call>working tool_output>working chat_response>working "
    "error>working ask_for_prompt>awaiting_prompt ask_for_feedback>awaiting_feedback "
    "ask_for_validation>awaiting_validation ask_for_solve>awaiting_solve critical_error>closed",
    Phase.AWAITING_PROMPT: "prompt>working chat_response>working critical_error>closed",
    Phase.AWAITING_FEEDBACK: "prompt>working chat_response>working critical_error>closed",
    Phase.AWAITING_VALIDATION: "validation_response>working prompt>working tool_output>working "
    "ask_for_validation>awaiting_validation critical_error>closed",
    Phase.AWAITING_SOLVE: "solve_response>working prompt>working tool_output>working "
    "ask_for_solve>awaiting_solve critical_error>closed",
    Phase.CLOSED: "error>working critical_error>closed",
}


def after(kinds: str) -> Conversation:
    return Conversation("s", [said(MESSAGES[kind]) for kind in kinds.split()])


@pytest.mark.parametrize("kind", MESSAGES)
@pytest.mark.parametrize("phase", Phase)
def test_every_kind_in_every_phase(phase: Phase, kind: str) -> None:
    way = WAYS[phase]
    if phase is Phase.WORKING and kind in NEEDS_A_CALL:
        way += " tool_call"
    conversation = after(way)
    assert conversation.phase is phase
    message, length = said(MESSAGES[kind]), len(conversation)
    legal = dict(move.split(">") for move in LEGAL[phase].split())
    if kind in legal:
        from_client = kind in {"prompt", "validation_response", "solve_response"}
        only_the_server = Refused(f"{kind}: only the server says this")
        assert conversation.consider(message) == (Accepted() if from_client else only_the_server)
        conversation.record(message)
        assert conversation.phase == legal[kind]
        assert (conversation.open_ask is message) == kind.startswith("ask_")
        assert list(conversation)[-1] is message
    else:
        verdict = conversation.consider(message)
        assert isinstance(verdict, Refused)
        expected = f"{kind} is not allowed while the conversation is {phase.replace('_', ' ')}: "
        assert verdict.reason.startswith(expected)
        _, _, allowed = verdict.reason.removesuffix(")").partition(" (allowed: ")
        assert set(allowed.split(", ")) == set(legal)
        with pytest.raises(ProtocolError, match="is not allowed while"):
            conversation.record(message)
        assert (len(conversation), conversation.phase) == (length, phase)


VALIDATION, SOLVE = WAYS[Phase.AWAITING_VALIDATION], WAYS[Phase.AWAITING_SOLVE]
CHANGED = "the model changed in between, look at the new question"


@pytest.mark.parametrize(
    ("way", "message", "sentence"),
    [
        (
            VALIDATION,
            answer(call("call-9")),
            "validation_response: answers the call 'call-9', but 'call-1' is open",
        ),
        (
            VALIDATION,
            answer(call(hash="h2")),
            f"validation_response: the hash 'h2' is not the one asked ('h1'); {CHANGED}",
        ),
        (
            VALIDATION,
            answer(ToolData(name="x", args={}, id="call-1")),
            f"validation_response: the hash None is not the one asked ('h1'); {CHANGED}",
        ),
        (
            SOLVE,
            SolveResponse(rejected=True, validation=ValidationSucceeded(), tool_origin=call(hash="h2")),
            f"solve_response: the hash 'h2' is not the one asked ('h1'); {CHANGED}",
        ),
        ("system_prompt", MESSAGES["tool_output"], "tool_output: no open call has the id 'call-1'"),
        ("system_prompt", ask(call()), "ask_for_validation: no open call has the id 'call-1'"),
        (VALIDATION, ask(call("call-9")), "ask_for_validation: no open call has the id 'call-9'"),
        ("system_prompt", MESSAGES["ask_for_solve"], "ask_for_solve: no open call has the id 'call-1'"),
        (
            "system_prompt tool_call tool_output",
            MESSAGES["tool_output"],
            "tool_output: no open call has the id 'call-1'",
        ),
        ("system_prompt tool_call", AskForPrompt(), "ask_for_prompt: the call 'call-1' has no output yet"),
        (
            "system_prompt tool_call",
            AskForFeedback(),
            "ask_for_feedback: the call 'call-1' has no output yet",
        ),
    ],
)
def test_what_does_not_fit_the_open_question_is_refused(
    way: str, message: ChatMessage, sentence: str
) -> None:
    assert after(way).consider(said(message)) == Refused(sentence)


def test_a_message_of_another_session_is_refused() -> None:
    foreign = MessageContainer(chat_session_id="t", message=MESSAGES["system_prompt"])
    verdict = Conversation("s").consider(foreign)
    assert verdict == Refused("this connection is of session 's', the message names 't'")


@pytest.mark.parametrize("message_id", ["", "refused:", "refused:m1"])
def test_ids_that_mean_something_else_are_refused(message_id: str) -> None:
    prompt = MessageContainer(chat_session_id="s", message=MESSAGES["prompt"], message_id=message_id)
    verdict = after(WAYS[Phase.AWAITING_PROMPT]).consider(prompt)
    assert verdict == Refused("message_id: must not be empty or begin with 'refused:'")


def test_a_message_seen_twice_is_recorded_once() -> None:
    conversation = after("system_prompt ask_for_prompt")
    prompt = said(MESSAGES["prompt"], "p1")
    conversation.record(prompt)
    length = len(conversation)
    again = said(Prompt(prompt="another text under the same id"), "p1")
    assert conversation.consider(again) == Duplicate()
    conversation.record(again)
    assert len(conversation) == length
    assert "p1" in conversation
    assert conversation["p1"] is prompt
    assert "p2" not in conversation
    assert conversation.messages[-1] == prompt.message


def test_a_prompt_over_an_open_question_takes_its_place() -> None:
    conversation = after(f"{VALIDATION} prompt")
    assert conversation.open_ask is None
    assert list(conversation.open_calls) == ["call-1"]
    conversation.record(said(MESSAGES["tool_output"]))
    assert conversation.open_calls == {}


def test_a_question_asked_anew_is_answered_by_its_new_hash_only() -> None:
    conversation = after(VALIDATION)
    first = conversation.open_ask
    assert first is not None
    assert not conversation.answered(first)
    conversation.record(said(ask(call(hash="h2"))))
    assert conversation.answered(first)
    assert isinstance(conversation.consider(said(answer(call()))), Refused)
    assert conversation.consider(said(answer(call(hash="h2")))) == Accepted()


def test_replay_is_what_came_after_and_the_open_question_in_any_case() -> None:
    conversation = after(VALIDATION)
    system, tool, question = conversation
    assert conversation.replay(None) == [system, tool, question]
    assert conversation.replay(system.message_id) == [tool, question]
    assert conversation.replay(question.message_id) == [question]
    assert conversation.replay("of another time") == [system, tool, question]
    assert conversation.last_message_id == question.message_id


def test_replay_of_a_closed_question_is_nothing_new() -> None:
    conversation = after(f"{VALIDATION} validation_response")
    assert conversation.replay(conversation.last_message_id) == []
    assert Conversation("s").replay(None) == []
    assert Conversation("s").last_message_id is None


def test_a_conversation_follows_from_its_history_alone() -> None:
    conversation = after(f"{VALIDATION} validation_response tool_output tool_call ask_for_solve")
    twin = Conversation("s", conversation)
    assert (twin.phase, twin.open_ask, twin.open_calls) == (
        conversation.phase,
        conversation.open_ask,
        conversation.open_calls,
    )
    assert twin.messages == conversation.messages


def part(i: int, name: str = "set-1", hash: str = "h1") -> AskForValidation:
    return ask(call(part={"set": name, "i": i, "n": 3}, hash=hash))


def test_a_change_set_is_the_newest_question_of_each_part_up_to_this_one() -> None:
    conversation = after("system_prompt tool_call")
    old, new, second = part(1), part(1, hash="h2"), part(2)
    earlier_set = part(2, "set-0")
    for question in (earlier_set, old, new, second):
        conversation.record(said(question))
        if question is not second:
            continue
        conversation.record(said(answer(question.tool_origin)))
    assert conversation.change_set(second) == (new, second)
    assert conversation.change_set(new) == (new,)
    # A question that was not recorded yet belongs to its set too.
    third = part(3)
    assert conversation.change_set(third) == (new, second, third)


@pytest.mark.parametrize("mark", [None, "1 of 2", {"set": "set-1"}, {"i": 1}, {"set": "set-1", "i": "1"}])
def test_a_question_without_a_readable_part_stands_alone(mark: Any) -> None:
    conversation = after("system_prompt tool_call")
    conversation.record(said(part(1)))
    alone = ask(call(part=mark))
    conversation.record(said(alone))
    assert conversation.change_set(alone) == (alone,)
    assert conversation.change_set(part(2)) == (part(1), part(2))


def test_what_is_foreseen_changes_nothing() -> None:
    conversation = Conversation("s", [said(SystemPrompt(content="..."), "m0")])
    conversation.foresee(
        [said(ToolCall(tool_data=[call()])), said(ToolOutput(tool_id="call-1", tool_output=""))]
    )
    with pytest.raises(ProtocolError, match="not allowed"):
        conversation.foresee([said(AskForPrompt()), said(AskForPrompt())])

    assert (len(conversation), conversation.phase) == (1, Phase.WORKING)
    assert conversation.open_calls == {}
