"""The limits of DESIGN §6, each with the name that a refusal gives."""

from typing import Any

from decision_ai.client.schemas.chat_messages.changes import OptInputDataDiff
from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForSolve,
    AskForValidation,
    ValidationResponse,
)
from decision_ai.errors import LimitExceeded

FRAME_BYTES = 4 * 2**20
PROMPT_BYTES = 32 * 2**10
PROGRAM_BYTES = 2**20
WIRE_DATA_BYTES = 2 * 2**20
NESTING = 64


def check_size(name: str, text: str, limit: int) -> None:
    """Compare the UTF-8 size of a text with its limit.

    Raises:
        LimitExceeded: if it is larger.
    """
    # A character is at most four bytes: short texts need no encoding to be known as small enough.
    if len(text) * 4 > limit:
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > limit:
            raise LimitExceeded(f"{name} (bytes)", limit, size)


def check_message(message: object) -> None:
    """Check the sizes inside one message.

    Raises:
        LimitExceeded: with the name of the field that is too large.
    """
    match message:
        case Prompt(prompt=text):
            check_size("prompt", text, PROMPT_BYTES)
        case AskForValidation(code=code) | AskForSolve(code=code):
            check_size("code", code, PROGRAM_BYTES)
    match message:
        case AskForValidation(changes=OptInputDataDiff() as diff):
            _check_data(diff)
        case ValidationResponse(changes=OptInputDataDiff() as diff):
            _check_data(diff)


def _check_data(diff: OptInputDataDiff) -> None:
    for snapshot in (diff.removed, diff.added):
        if snapshot is not None:
            check_size("json_data", snapshot.json_data, WIRE_DATA_BYTES)


def nesting(value: Any) -> int:
    """How deeply dictionaries and lists are nested in parsed JSON; a plain value is 0."""
    depth, level = 0, [value]
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
    return depth
