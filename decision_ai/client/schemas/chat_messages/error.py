"""The two grades of error the assistant reports."""

from typing import Literal

from decision_ai.client.schemas.base import Schema


class UncriticalErrorMessage(Schema):
    """This turn, or this frame, failed; the connection lives."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["error"] = "error"
    error: str


class CriticalErrorMessage(Schema):
    """The connection closes; the session can be resumed."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["critical_error"] = "critical_error"
    error: str
