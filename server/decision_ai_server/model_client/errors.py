"""What can go wrong between us and a language model; the tree under `DecisionAIError`.

DecisionAIError
├── DecisionParseError          the reply is no decision; told to the model, which may try again
├── TransportError              no usable reply came
│   └── EmptyResponseError      a reply came, with nothing in it
└── StreamingUnsupportedError   the endpoint cannot stream; the same request goes out unstreamed
"""

from decision_ai.errors import DecisionAIError
from decision_ai_server.model_client.decisions import DecisionUsage


class DecisionParseError(DecisionAIError):
    """The model's output is no valid decision: fed back to the model, never executed.

    Args:
        message: what is wrong, for the model.
        usage: tokens of all failed attempts, or None where the provider did not say.
    """

    def __init__(self, message: str = "", usage: DecisionUsage | None = None) -> None:
        super().__init__(message)
        self.usage = usage


class TransportError(DecisionAIError):
    """A call brought nothing usable: time-out, lost connection, refusal. Never fed back to the model.

    Args:
        message: what happened, for the person.
        usage: tokens of the lost attempts, or None where the provider did not say.
    """

    def __init__(self, message: str = "", usage: DecisionUsage | None = None) -> None:
        super().__init__(message)
        self.usage = usage


class EmptyResponseError(TransportError):
    """The endpoint answered with an empty, blank or all-NUL body: HTTP says success, nothing is there."""


class StreamingUnsupportedError(DecisionAIError):
    """The endpoint cannot stream this request: a fact about it, so the same request goes out unstreamed."""
