"""The texts of the error tree, and the facts behind them."""

import pytest

from decision_ai.client.schemas.chat_messages.validation import FormulationErrorReport
from decision_ai.errors import (
    ConnectionFailed,
    DataError,
    DecisionAIError,
    LimitExceeded,
    ProgramError,
    ProtocolError,
    ServerError,
    ServerRefused,
    StateConflict,
)

pytestmark = pytest.mark.core


def report(line: int | None) -> FormulationErrorReport:
    return FormulationErrorReport(
        component="program", error_type="unknown_name", message="no family 'packs'", line=line
    )


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ProgramError(report(31)), "line 31: no family 'packs'"),
        (ProgramError(report(None)), "no family 'packs'"),
        (
            LimitExceeded("prompt (bytes)", 32768, 40000),
            "prompt (bytes) is 40,000, the limit is 32,768; send less at once",
        ),
        (ServerRefused(404, "Not there", "no session 's'"), "Not there: no session 's'"),
        (ServerRefused(503, "Busy", ""), "Busy"),
        (DataError("items.tent: no weight"), "items.tent: no weight"),
    ],
)
def test_an_error_is_one_sentence(error: DecisionAIError, text: str) -> None:
    assert str(error) == text


def test_facts_are_attributes() -> None:
    assert ProgramError(report(31)).report == report(31)
    too_large = LimitExceeded("frame (bytes)", 4, 5)
    assert (too_large.name, too_large.limit, too_large.actual) == ("frame (bytes)", 4, 5)
    refused = ServerRefused(404, "Not there", "no session 's'")
    assert (refused.status, refused.title, refused.detail) == (404, "Not there", "no session 's'")


def test_there_is_one_tree() -> None:
    for kind in (ProgramError, DataError, LimitExceeded, ProtocolError, ServerError):
        assert kind.__base__ is DecisionAIError
    for kind in (ConnectionFailed, ServerRefused, StateConflict):
        assert kind.__base__ is ServerError
