import json
import time
from typing import Any

import pytest
from pydantic import ValidationError

from decision_ai.client.schemas.chat_messages.changes import OptInputDataDiff, OptInputDataSnapshot
from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_messages.live import Cancel, LiveContainer
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForSolve,
    AskForValidation,
    ValidationResponse,
)
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.errors import LimitExceeded, ProtocolError
from decision_ai.wire.codec import decode, encode

pytestmark = pytest.mark.core

STORED_KINDS = (
    "'prompt', 'validation_response', 'solve_response', 'system_prompt', 'chat_response', 'reasoning', "
    "'tool_call', 'error', 'critical_error', 'ask_for_prompt', 'ask_for_feedback', 'ask_for_validation', "
    "'ask_for_solve', 'tool_output'"
)
LIVE_KINDS = (
    "'chat_response_delta', 'reasoning_delta', 'solve_progress', 'solve_outcome', 'options', 'presence', "
    "'cancel', 'cancelled'"
)
DIFF_KINDS = (
    "'constraint_diff', 'objective_function_diff', 'input_data_diff', 'input_data_schema_diff', "
    "'variable_diff'"
)
TOOL = {"name": "solve", "args": {}}


def frame(message: Any, **envelope: Any) -> str:
    return json.dumps({"chat_session_id": "s", "message": message, "message_id": "m"} | envelope)


def prompt(text: str) -> str:
    return frame({"kind": "prompt", "prompt": text})


def answer(**fields: Any) -> str:
    whole = {"kind": "validation_response", "rejected": False, "tool_origin": TOOL} | fields
    return frame({"validation": {"kind": "validation_succeeded"}} | whole)


def ask(changes: Any) -> str:
    return frame({"kind": "ask_for_validation", "code": "", "tool_origin": TOOL, "changes": changes})


def failed(error: Any) -> str:
    return answer(validation={"kind": "formulation_validation_failed", "error": error})


def raw_args(text: str) -> str:
    call = '{"kind":"tool_call","tool_data":[{"name":"solve","args":%s}]}'
    return '{"chat_session_id":"s","message":%s}' % (call % text)


SNAPSHOT = {"constraint_id": "at_most_4", "code": "", "math_formulation": "", "description": ""}
REPORT = {"component": "program", "error_type": "unknown_name", "message": "line 3: no name 'x'"}
COMPONENTS = "'program', 'input_data', 'variable', 'constraint', 'objective' or 'solution_to_str'"

SENTENCES = [
    (b"{}", "the frame is binary; send one JSON object as a text frame"),
    ("", "the frame is not JSON: Expecting value: line 1 column 1 (char 0)"),
    ("hello", "the frame is not JSON: Expecting value: line 1 column 1 (char 0)"),
    ("[]", "the frame: Input should be an object"),
    ("{}", "chat_session_id: Field required"),
    (frame("prompt"), "message: Input should be an object"),
    (
        frame({"kind": "prompt", "prompt": "x"}, chat_session_id=7),
        "chat_session_id: Input should be a valid string",
    ),
    (frame({"kind": "prompt"}), "message.prompt: Field required"),
    (frame({"prompt": "x"}), "message.kind: missing; every message names its kind"),
    (frame({"kind": "shout"}), f"message.kind: unknown kind 'shout'; known are {STORED_KINDS}"),
    (frame({"kind": "x" * 999}), f"message.kind: unknown kind '{'x' * 40}'; known are {STORED_KINDS}"),
    (frame({"kind": "cancel"}), f"message.kind: unknown kind 'cancel'; known are {STORED_KINDS}"),
    (frame({"kind": "prompt", "prompt": "x", "origin": "tool"}), "message.origin: Input should be 'user'"),
    (prompt(" \n\t"), "message.prompt: the prompt is empty; type what you want to know or change"),
    (prompt("a\x00b"), "message.prompt: has a NUL character; remove it"),
    (prompt("a\ud800b"), "message.prompt: has a lone surrogate; send valid Unicode"),
    (
        json.dumps({"message": {"prompt": "\udfff"}}, ensure_ascii=False),
        "message.prompt: has a lone surrogate; send valid Unicode",
    ),
    (raw_args('{"a":[0,{"b":"\\u0000"}]}'), "message.tool_data.0.args.a.1.b: has a NUL character; remove it"),
    (raw_args('{"\\ud800":1}'), "message.tool_data.0.args.a key: has a lone surrogate; send valid Unicode"),
    (
        raw_args('{"a":NaN}'),
        "message.tool_data.0.args: has a value that JSON cannot carry, such as an infinite number",
    ),
    (
        raw_args('{"a":1e999}'),
        "message.tool_data.0.args: has a value that JSON cannot carry, such as an infinite number",
    ),
    (
        raw_args('{"a":' + "9" * 5000 + "}"),
        "the frame has a whole number of thousands of digits; send it as text",
    ),
    (raw_args("[]"), "message.tool_data.0.args: Input should be an object"),
    (
        answer(rejected="perhaps"),
        "message.rejected: Input should be a valid boolean, unable to interpret input",
    ),
    (answer(changes={"added": SNAPSHOT}), "message.changes.kind: missing; every message names its kind"),
    (
        ask({"kind": "row_diff"}),
        f"message.changes.kind: unknown kind 'row_diff'; known are {DIFF_KINDS}",
    ),
    (
        ask({"kind": "constraint_diff", "added": SNAPSHOT | {"code": ["x"]}}),
        "message.changes.added.code: Input should be a valid string",
    ),
    (
        ask({"kind": "input_data_schema_diff", "removed": {"input_data_classes": ["class A: ...", 7]}}),
        "message.changes.removed.input_data_classes.1: Input should be a valid string",
    ),
    (failed(7), "message.validation.error: Input should be a valid string"),
    (
        failed(REPORT | {"component": "engine"}),
        f"message.validation.error.component: Input should be {COMPONENTS}",
    ),
    (failed(REPORT | {"colour": "red"}), "message.validation.error.colour: Extra inputs are not permitted"),
]


@pytest.mark.parametrize(("text", "sentence"), SENTENCES, ids=[sentence[:60] for _, sentence in SENTENCES])
def test_what_is_wrong_is_one_sentence_that_names_the_field(text: str | bytes, sentence: str) -> None:
    with pytest.raises(ProtocolError) as refused:
        decode(text)
    assert str(refused.value) == sentence


LIVE_SENTENCES = [
    (frame({"kind": "shout"}), f"message.kind: unknown kind 'shout'; known are {STORED_KINDS}, {LIVE_KINDS}"),
    (
        ask({"kind": "row_diff"}),
        f"message.changes.kind: unknown kind 'row_diff'; known are {DIFF_KINDS}",
    ),
    (
        frame({"kind": "solve_progress", "progress": {"seconds": "long"}}),
        "message.progress.seconds: Input should be a valid number, unable to parse string as a number",
    ),
    (
        frame({"kind": "solve_outcome", "outcome": {"kind": "optimal", "colour": "red"}}),
        "message.outcome.colour: Extra inputs are not permitted",
    ),
    (frame({"kind": "options", "options": [1, 2, 3]}), "message.options.0: Input should be a valid string"),
    (frame({"kind": "cancel"}, chat_session_id=None), "chat_session_id: Input should be a valid string"),
]


@pytest.mark.parametrize(("text", "sentence"), LIVE_SENTENCES)
def test_a_live_connection_gets_the_same_kind_of_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ProtocolError) as refused:
        decode(text, live=True)
    assert str(refused.value) == sentence


def nested(depth: int) -> str:
    """A frame whose deepest value lies in `depth` objects and lists, five of them those of the message."""
    return raw_args('{"a":' + "[" * (depth - 5) + "]" * (depth - 5) + "}")


def data_diff(size: int) -> OptInputDataDiff:
    return OptInputDataDiff(added=OptInputDataSnapshot(opt_input_data_id="data-1", json_data="d" * size))


def envelope(message: Any) -> MessageContainer:
    return MessageContainer(chat_session_id="s", message=message)


def sized_frame(size: int) -> str:
    text = frame({"kind": "chat_response", "response": ""})
    return text.replace('""', '"' + "r" * (size - len(text)) + '"')


ORIGIN = ToolData(name="solve", args={})
PROGRAM, DATA, FRAME = 2**20, 2 * 2**20, 4 * 2**20


@pytest.mark.parametrize(
    ("largest", "too_large", "sentence"),
    [
        (sized_frame(FRAME), sized_frame(FRAME + 1), "frame (bytes) is 4,194,305, the limit is 4,194,304"),
        (prompt("p" * 32768), prompt("p" * 32769), "prompt (bytes) is 32,769, the limit is 32,768"),
        # The limit counts bytes: a euro sign has three.
        (prompt("€" * 10922), prompt("€" * 10923), "prompt (bytes) is 32,769, the limit is 32,768"),
        (nested(64), nested(65), "nesting is 65, the limit is 64"),
        (nested(64), nested(150), "nesting is 150, the limit is 64"),
        (nested(64), nested(900), "nesting is 900, the limit is 64"),
        (nested(64), "[" * 200_000, "nesting is 65, the limit is 64"),
    ],
)
def test_a_frame_may_be_as_large_as_its_limit(largest: str, too_large: str, sentence: str) -> None:
    decode(largest)
    with pytest.raises(LimitExceeded) as refused:
        decode(too_large)
    assert str(refused.value) == f"{sentence}; send less at once"


@pytest.mark.parametrize(
    ("message", "limit", "name"),
    [
        (lambda n: Prompt(prompt="p" * n), 32768, "prompt"),
        (lambda n: AskForSolve(code="c" * n, tool_origin=ORIGIN), PROGRAM, "code"),
        (lambda n: AskForValidation(code="c" * n, changes=data_diff(1), tool_origin=ORIGIN), PROGRAM, "code"),
        (lambda n: AskForValidation(code="", changes=data_diff(n), tool_origin=ORIGIN), DATA, "json_data"),
        (
            lambda n: ValidationResponse(
                rejected=False, validation=ValidationSucceeded(), tool_origin=ORIGIN, changes=data_diff(n)
            ),
            DATA,
            "json_data",
        ),
    ],
)
def test_limits_hold_on_both_sides(message: Any, limit: int, name: str) -> None:
    assert decode(encode(envelope(message(limit)))).message == message(limit)
    too_large = envelope(message(limit + 1))
    for refuse in (lambda: encode(too_large), lambda: decode(too_large.model_dump_json())):
        with pytest.raises(LimitExceeded) as refused:
            refuse()
        assert (refused.value.name, refused.value.limit) == (f"{name} (bytes)", limit)
        assert refused.value.actual == limit + 1


DEEP: dict[str, Any] = {}
for _ in range(300):
    DEEP = {"a": DEEP}


@pytest.mark.parametrize(
    ("message", "error", "sentence"),
    [
        (Prompt(prompt="\ud800"), ProtocolError, "message.prompt: has a lone surrogate; send valid Unicode"),
        (Prompt(prompt="\x00"), ProtocolError, "message.prompt: has a NUL character; remove it"),
        (
            ToolCall(tool_data=[ToolData(name="solve", args=DEEP)]),
            LimitExceeded,
            "nesting is 305, the limit is 64; send less at once",
        ),
    ],
)
def test_nothing_is_sent_that_the_peer_would_refuse(message: Any, error: Any, sentence: str) -> None:
    with pytest.raises(error) as refused:
        encode(envelope(message))
    assert str(refused.value) == sentence


def test_a_text_that_cannot_be_written_is_an_error_of_the_protocol_wherever_it_hides() -> None:
    hidden = ToolCall(tool_data=[ToolData(name="solve", args={"a": ("\ud800",)})])
    with pytest.raises(ProtocolError, match="the message cannot be written as JSON"):
        encode(envelope(hidden))


def test_unknown_fields_of_messages_are_ignored() -> None:
    read = decode(frame({"kind": "prompt", "prompt": "x", "mood": "good"}, trace="abc"))
    assert read.model_dump() == {
        "chat_session_id": "s",
        "message": {"origin": "user", "kind": "prompt", "prompt": "x"},
        "timestamp": None,
        "message_id": "m",
    }


def test_an_escaped_backslash_before_u0000_is_text() -> None:
    assert decode(prompt("\\u0000")).message == Prompt(prompt="\\u0000")


def test_a_live_kind_is_read_only_where_it_was_offered() -> None:
    text = encode(LiveContainer(chat_session_id="s", message=Cancel()))
    assert isinstance(decode(text, live=True), LiveContainer)
    with pytest.raises(ProtocolError, match="unknown kind 'cancel'"):
        decode(text)


@pytest.mark.parametrize("kind", LIVE_KINDS.replace("'", "").split(", "))
def test_no_live_kind_can_be_said_as_something_that_counts(kind: str) -> None:
    text = frame({"kind": kind, "delta": "x"})
    with pytest.raises(ProtocolError, match=f"unknown kind '{kind}'"):
        decode(text)
    with pytest.raises(ValidationError):
        MessageContainer.model_validate_json(text)


@pytest.mark.parametrize(
    "hostile",
    [
        raw_args("{}").replace("[{", "[" + "0," * 500_000 + "{"),
        raw_args('{"' + "k" * 1_000_000 + '":[' + '"\\u00e9",' * 100_000 + '"\\u0000"]}'),
        "[{" * 100_000,
    ],
    ids=["half a million wrong items", "a long key above many values", "open brackets"],
)
def test_a_hostile_frame_is_refused_quickly(hostile: str) -> None:
    start = time.process_time()
    with pytest.raises((ProtocolError, LimitExceeded)) as refused:
        decode(hostile)
    assert len(str(refused.value)) < 200
    assert time.process_time() - start < 5
