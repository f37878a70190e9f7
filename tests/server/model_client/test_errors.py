"""Who must act on which error, and that the tokens of lost attempts are not."""

import pytest

from decision_ai.errors import DecisionAIError
from decision_ai_server.model_client import (
    DecisionParseError,
    DecisionUsage,
    EmptyResponseError,
    StreamingUnsupportedError,
    TransportError,
)

SPENT = DecisionUsage(prompt_tokens=3)


@pytest.mark.parametrize("kind", [DecisionParseError, TransportError, EmptyResponseError])
def test_an_error_says_what_happened_and_what_it_cost(kind: type[TransportError]) -> None:
    error = kind("so", SPENT)
    assert (str(error), error.usage) == ("so", SPENT)
    assert (str(kind()), kind().usage) == ("", None)


def test_the_tree() -> None:
    assert issubclass(EmptyResponseError, TransportError)
    for kind in (DecisionParseError, StreamingUnsupportedError):
        assert issubclass(kind, DecisionAIError)
        assert not issubclass(kind, TransportError)
