"""decision-ai: chat about an optimization model; typed diffs you approve, HiGHS solves.

Names load on first use, so that importing the schemas alone loads neither a socket library nor PuLP.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from decision_ai.__about__ import __version__

if TYPE_CHECKING:  # the same table for type checkers and editors
    from decision_ai.client.approval import Approve as Approve
    from decision_ai.client.approval import Proposal as Proposal
    from decision_ai.client.approval import Reject as Reject
    from decision_ai.client.chat_connection import ChatConnection as ChatConnection
    from decision_ai.client.chat_session import ChatSession as ChatSession
    from decision_ai.client.chat_session import Solution as Solution
    from decision_ai.client.client import DecisionAI as DecisionAI
    from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff as ConstraintDiff
    from decision_ai.client.schemas.chat_messages.changes import ConstraintSnapshot as ConstraintSnapshot
    from decision_ai.client.schemas.chat_messages.changes import ModelChanges as ModelChanges
    from decision_ai.client.schemas.chat_messages.changes import ObjectiveDiff as ObjectiveDiff
    from decision_ai.client.schemas.chat_messages.changes import ObjectiveSnapshot as ObjectiveSnapshot
    from decision_ai.client.schemas.chat_messages.changes import OptInputDataDiff as OptInputDataDiff
    from decision_ai.client.schemas.chat_messages.changes import (
        OptInputDataSchemaDiff as OptInputDataSchemaDiff,
    )
    from decision_ai.client.schemas.chat_messages.changes import (
        OptInputDataSchemaSnapshot as OptInputDataSchemaSnapshot,
    )
    from decision_ai.client.schemas.chat_messages.changes import OptInputDataSnapshot as OptInputDataSnapshot
    from decision_ai.client.schemas.chat_messages.changes import VariableDiff as VariableDiff
    from decision_ai.client.schemas.chat_messages.changes import VariableSnapshot as VariableSnapshot
    from decision_ai.client.schemas.chat_messages.chat import ChatResponse as ChatResponse
    from decision_ai.client.schemas.chat_messages.chat import Prompt as Prompt
    from decision_ai.client.schemas.chat_messages.chat import Reasoning as Reasoning
    from decision_ai.client.schemas.chat_messages.chat import SystemPrompt as SystemPrompt
    from decision_ai.client.schemas.chat_messages.container import AssistantMessage as AssistantMessage
    from decision_ai.client.schemas.chat_messages.container import ChatMessage as ChatMessage
    from decision_ai.client.schemas.chat_messages.container import MessageContainer as MessageContainer
    from decision_ai.client.schemas.chat_messages.container import UserMessage as UserMessage
    from decision_ai.client.schemas.chat_messages.error import CriticalErrorMessage as CriticalErrorMessage
    from decision_ai.client.schemas.chat_messages.error import (
        UncriticalErrorMessage as UncriticalErrorMessage,
    )
    from decision_ai.client.schemas.chat_messages.protocol import AskForFeedback as AskForFeedback
    from decision_ai.client.schemas.chat_messages.protocol import AskForPrompt as AskForPrompt
    from decision_ai.client.schemas.chat_messages.protocol import AskForSolve as AskForSolve
    from decision_ai.client.schemas.chat_messages.protocol import AskForValidation as AskForValidation
    from decision_ai.client.schemas.chat_messages.protocol import ProtocolMessage as ProtocolMessage
    from decision_ai.client.schemas.chat_messages.protocol import (
        ProtocolRequestMessage as ProtocolRequestMessage,
    )
    from decision_ai.client.schemas.chat_messages.protocol import (
        ProtocolResponseMessage as ProtocolResponseMessage,
    )
    from decision_ai.client.schemas.chat_messages.protocol import SolveResponse as SolveResponse
    from decision_ai.client.schemas.chat_messages.protocol import ValidationResponse as ValidationResponse
    from decision_ai.client.schemas.chat_messages.solving import SolveFailed as SolveFailed
    from decision_ai.client.schemas.chat_messages.solving import SolveSucceeded as SolveSucceeded
    from decision_ai.client.schemas.chat_messages.solving import Solving as Solving
    from decision_ai.client.schemas.chat_messages.tool import ToolCall as ToolCall
    from decision_ai.client.schemas.chat_messages.tool import ToolData as ToolData
    from decision_ai.client.schemas.chat_messages.tool import ToolMessage as ToolMessage
    from decision_ai.client.schemas.chat_messages.tool import ToolOutput as ToolOutput
    from decision_ai.client.schemas.chat_messages.validation import (
        FormulationErrorReport as FormulationErrorReport,
    )
    from decision_ai.client.schemas.chat_messages.validation import (
        FormulationValidationFailed as FormulationValidationFailed,
    )
    from decision_ai.client.schemas.chat_messages.validation import (
        InputDataSchemaValidationFailed as InputDataSchemaValidationFailed,
    )
    from decision_ai.client.schemas.chat_messages.validation import Validation as Validation
    from decision_ai.client.schemas.chat_messages.validation import ValidationFailed as ValidationFailed
    from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded as ValidationSucceeded
    from decision_ai.client.schemas.chat_session import ChatSessionState as ChatSessionState
    from decision_ai.client.schemas.constraint import Constraint as Constraint
    from decision_ai.client.schemas.notations import OptModelNotations as OptModelNotations
    from decision_ai.client.schemas.objective import Objective as Objective
    from decision_ai.client.schemas.variable import Variable as Variable
    from decision_ai.modeling.input_data import InputData as InputData
    from decision_ai.modeling.opt_model import OptModel as OptModel
    from decision_ai.modeling.opt_model import constraint as constraint
    from decision_ai.modeling.opt_model import objective as objective
    from decision_ai.modeling.variables import Var as Var
    from decision_ai.modeling.variables import Variables as Variables
    from decision_ai.modeling.variables import binary as binary
    from decision_ai.modeling.variables import continuous as continuous
    from decision_ai.modeling.variables import integer as integer
    from decision_ai.solving.outcome import Outcome as Outcome
    from decision_ai.solving.outcome import OutcomeKind as OutcomeKind
    from decision_ai.solving.outcome import Plan as Plan
    from decision_ai.solving.parameters import SolveParameters as SolveParameters

_MESSAGES = "decision_ai.client.schemas.chat_messages"
_HOME: dict[str, str] = {
    **dict.fromkeys(["Prompt", "SystemPrompt", "ChatResponse", "Reasoning"], f"{_MESSAGES}.chat"),
    **dict.fromkeys(["ToolCall", "ToolData", "ToolMessage", "ToolOutput"], f"{_MESSAGES}.tool"),
    **dict.fromkeys(["UncriticalErrorMessage", "CriticalErrorMessage"], f"{_MESSAGES}.error"),
    **dict.fromkeys(
        [
            "AskForPrompt",
            "AskForFeedback",
            "AskForValidation",
            "AskForSolve",
            "ValidationResponse",
            "SolveResponse",
            "ProtocolMessage",
            "ProtocolRequestMessage",
            "ProtocolResponseMessage",
        ],
        f"{_MESSAGES}.protocol",
    ),
    **dict.fromkeys(
        [
            "Validation",
            "ValidationFailed",
            "ValidationSucceeded",
            "FormulationValidationFailed",
            "InputDataSchemaValidationFailed",
            "FormulationErrorReport",
        ],
        f"{_MESSAGES}.validation",
    ),
    **dict.fromkeys(["Solving", "SolveSucceeded", "SolveFailed"], f"{_MESSAGES}.solving"),
    **dict.fromkeys(
        [
            "ModelChanges",
            "ConstraintDiff",
            "ConstraintSnapshot",
            "ObjectiveDiff",
            "ObjectiveSnapshot",
            "VariableDiff",
            "VariableSnapshot",
            "OptInputDataDiff",
            "OptInputDataSnapshot",
            "OptInputDataSchemaDiff",
            "OptInputDataSchemaSnapshot",
        ],
        f"{_MESSAGES}.changes",
    ),
    **dict.fromkeys(
        ["MessageContainer", "UserMessage", "AssistantMessage", "ChatMessage"], f"{_MESSAGES}.container"
    ),
    "ChatSessionState": "decision_ai.client.schemas.chat_session",
    "Constraint": "decision_ai.client.schemas.constraint",
    "Variable": "decision_ai.client.schemas.variable",
    "Objective": "decision_ai.client.schemas.objective",
    "OptModelNotations": "decision_ai.client.schemas.notations",
    "InputData": "decision_ai.modeling.input_data",
    **dict.fromkeys(
        ["Var", "Variables", "binary", "integer", "continuous"], "decision_ai.modeling.variables"
    ),
    **dict.fromkeys(["OptModel", "constraint", "objective"], "decision_ai.modeling.opt_model"),
    "SolveParameters": "decision_ai.solving.parameters",
    **dict.fromkeys(["Outcome", "OutcomeKind", "Plan"], "decision_ai.solving.outcome"),
    "DecisionAI": "decision_ai.client.client",
    "ChatSession": "decision_ai.client.chat_session",
    "Solution": "decision_ai.client.chat_session",
    "ChatConnection": "decision_ai.client.chat_connection",
    **dict.fromkeys(["Approve", "Reject", "Proposal"], "decision_ai.client.approval"),
}

__all__ = ["__version__", *sorted(_HOME)]  # noqa: PLE0604 - the table is the list


def __getattr__(name: str) -> Any:
    """Import a public name from its home on first use."""
    if name not in _HOME:
        raise AttributeError(f"module 'decision_ai' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """All public names, for tab completion."""
    return sorted(__all__)
