"""Every kind of every union has one file per direction, and each file is read and written unchanged.

`client/` is what a client sends; `server/` what a server sends: its own messages, the client's echoed (with
the server's time stamp) and what it passes on to watchers. `values/` holds the kinds inside messages.
"""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.client.schemas.chat_messages.container import AssistantMessage, MessageContainer, UserMessage
from decision_ai.client.schemas.chat_messages.live import Cancel, LiveContainer, LiveMessage
from decision_ai.client.schemas.chat_messages.solving import Solving
from decision_ai.client.schemas.chat_messages.tool import ToolOutput
from decision_ai.client.schemas.chat_messages.validation import Validation
from decision_ai.wire.codec import decode, encode

pytestmark = pytest.mark.core
HERE = Path(__file__).parent


def members(union: Any) -> list[Any]:
    return list(get_args(get_args(union)[0]))


def kind(message: Any) -> str:
    return str(message.model_fields["kind"].default)


USER, LIVE = members(UserMessage), members(LiveMessage)
FROM_CLIENT = [*USER, *(message for message in LIVE if message.model_fields["origin"].default == "user")]
FROM_SERVER = [*USER, *members(AssistantMessage), ToolOutput, *(live for live in LIVE if live is not Cancel)]
ENVELOPES = [("client", message) for message in FROM_CLIENT] + [
    ("server", message) for message in FROM_SERVER
]
VALUES = [(value, union) for union in (ModelChanges, Validation, Solving) for value in members(union)]


def golden(folder: str, name: str) -> str:
    return (HERE / folder / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(("folder", "message"), ENVELOPES)
def test_an_envelope_is_read_and_written_unchanged(folder: str, message: Any) -> None:
    text = golden(folder, kind(message))
    envelope = decode(text, live=True)
    assert type(envelope) is (LiveContainer if message in LIVE else MessageContainer)
    assert type(envelope.message) is message
    assert json.loads(encode(envelope)) == json.loads(text)


@pytest.mark.parametrize(("value", "union"), VALUES)
def test_a_value_is_read_and_written_unchanged(value: Any, union: Any) -> None:
    text = golden("values", kind(value))
    read: Any = TypeAdapter(union).validate_json(text)
    assert type(read) is value
    assert json.loads(read.model_dump_json()) == json.loads(text)


def test_no_file_is_left_over() -> None:
    expected = {f"{folder}/{kind(message)}.json" for folder, message in ENVELOPES}
    expected |= {f"values/{kind(value)}.json" for value, _ in VALUES}
    assert {path.relative_to(HERE).as_posix() for path in HERE.rglob("*.json")} == expected


def test_the_echo_of_the_server_is_what_the_client_sent_with_a_time_stamp() -> None:
    for message in USER:
        sent = json.loads(golden("client", kind(message)))
        echo = json.loads(golden("server", kind(message)))
        assert sent["timestamp"] is None
        assert echo == sent | {"timestamp": echo["timestamp"]}
        assert echo["timestamp"] is not None
