"""What the store says when it refuses."""

import pytest

from decision_ai.errors import DecisionAIError
from decision_ai_server.storage.errors import DuplicateMessage, InUse, NotFound, StaleRevision


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (NotFound("version", "v9"), "there is no version 'v9'"),
        (
            InUse("opt_model", "m", "s"),
            "opt_model 'm' is used by chat session 's'; delete the session first",
        ),
        (
            StaleRevision("s", 1, 2),
            "chat session 's' is at revision 2, not 1; fetch it, redo the change and write again",
        ),
        (DuplicateMessage("s", "m"), "chat session 's' already has message 'm'"),
    ],
)
def test_each_error_is_ours_and_one_sentence(error: DecisionAIError, text: str) -> None:
    assert isinstance(error, DecisionAIError)
    assert str(error) == text
