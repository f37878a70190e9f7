"""Validated model decisions and the client that fetches them (contract of the model-client seed).

`OpenAIModelClient` is loaded when it is first asked for: the `openai` library is an extra.
"""

from typing import TYPE_CHECKING, Any

from decision_ai_server.model_client.client import ModelClient
from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.context import AllowedTool, ContextPacket, ConversationTurn, Evidence
from decision_ai_server.model_client.decisions import (
    AskUser,
    DecisionRetryNote,
    DecisionUsage,
    FinalAnswer,
    ModelDecision,
    ToolCall,
)
from decision_ai_server.model_client.errors import (
    DecisionParseError,
    EmptyResponseError,
    StreamingUnsupportedError,
    TransportError,
)
from decision_ai_server.model_client.messages import build_messages
from decision_ai_server.model_client.parsing import find_decision, parse_decision
from decision_ai_server.model_client.tool_schemas import (
    build_tool_schemas,
    decision_of_call,
    decision_schema,
)

if TYPE_CHECKING:
    from decision_ai_server.model_client.openai_client import OpenAIModelClient

__all__ = [
    "AllowedTool",
    "AskUser",
    "ContextPacket",
    "ConversationTurn",
    "DecisionParseError",
    "DecisionRetryNote",
    "DecisionUsage",
    "EmptyResponseError",
    "Evidence",
    "FinalAnswer",
    "HarnessConfig",
    "ModelClient",
    "ModelDecision",
    "OpenAIModelClient",
    "StreamingUnsupportedError",
    "ToolCall",
    "TransportError",
    "build_messages",
    "build_tool_schemas",
    "decision_of_call",
    "decision_schema",
    "find_decision",
    "parse_decision",
]


def __getattr__(name: str) -> Any:
    if name == "OpenAIModelClient":
        from decision_ai_server.model_client.openai_client import OpenAIModelClient

        return OpenAIModelClient
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
