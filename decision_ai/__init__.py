"""decision-ai: chat about an optimization model; typed diffs you approve, HiGHS solves.

Names load on first use, so that importing the schemas alone loads neither a socket library nor PuLP.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from decision_ai.__about__ import __version__

if TYPE_CHECKING:  # the same table for type checkers and editors
    from decision_ai.client.approval import Approve as Approve, Proposal as Proposal, Reject as Reject
    from decision_ai.client.chat_connection import ChatConnection as ChatConnection
    from decision_ai.client.chat_session import ChatSession as ChatSession, Solution as Solution
    from decision_ai.client.checked_plan import CheckedPlan as CheckedPlan
    from decision_ai.client.client import DecisionAI as DecisionAI
    from decision_ai.client.local_solve import solve as solve
    from decision_ai.client.schemas.chat_messages.changes import (
        ConstraintDiff as ConstraintDiff,
        ConstraintSnapshot as ConstraintSnapshot,
        ModelChanges as ModelChanges,
        ObjectiveDiff as ObjectiveDiff,
        ObjectiveSnapshot as ObjectiveSnapshot,
        OptInputDataDiff as OptInputDataDiff,
        OptInputDataSchemaDiff as OptInputDataSchemaDiff,
        OptInputDataSchemaSnapshot as OptInputDataSchemaSnapshot,
        OptInputDataSnapshot as OptInputDataSnapshot,
        VariableDiff as VariableDiff,
        VariableSnapshot as VariableSnapshot,
    )
    from decision_ai.client.schemas.chat_messages.chat import (
        ChatResponse as ChatResponse,
        Prompt as Prompt,
        Reasoning as Reasoning,
        SystemPrompt as SystemPrompt,
    )
    from decision_ai.client.schemas.chat_messages.container import (
        AssistantMessage as AssistantMessage,
        ChatMessage as ChatMessage,
        MessageContainer as MessageContainer,
        UserMessage as UserMessage,
    )
    from decision_ai.client.schemas.chat_messages.error import (
        CriticalErrorMessage as CriticalErrorMessage,
        UncriticalErrorMessage as UncriticalErrorMessage,
    )
    from decision_ai.client.schemas.chat_messages.protocol import (
        AskForFeedback as AskForFeedback,
        AskForPrompt as AskForPrompt,
        AskForSolve as AskForSolve,
        AskForValidation as AskForValidation,
        ProtocolMessage as ProtocolMessage,
        ProtocolRequestMessage as ProtocolRequestMessage,
        ProtocolResponseMessage as ProtocolResponseMessage,
        SolveResponse as SolveResponse,
        ValidationResponse as ValidationResponse,
    )
    from decision_ai.client.schemas.chat_messages.solving import (
        SolveFailed as SolveFailed,
        SolveSucceeded as SolveSucceeded,
        Solving as Solving,
    )
    from decision_ai.client.schemas.chat_messages.tool import (
        ToolCall as ToolCall,
        ToolData as ToolData,
        ToolMessage as ToolMessage,
        ToolOutput as ToolOutput,
    )
    from decision_ai.client.schemas.chat_messages.validation import (
        FormulationErrorReport as FormulationErrorReport,
        FormulationValidationFailed as FormulationValidationFailed,
        InputDataSchemaValidationFailed as InputDataSchemaValidationFailed,
        Validation as Validation,
        ValidationFailed as ValidationFailed,
        ValidationSucceeded as ValidationSucceeded,
    )
    from decision_ai.client.schemas.chat_session import ChatSessionState as ChatSessionState
    from decision_ai.client.schemas.constraint import Constraint as Constraint
    from decision_ai.client.schemas.notations import OptModelNotations as OptModelNotations
    from decision_ai.client.schemas.objective import Objective as Objective
    from decision_ai.client.schemas.variable import Variable as Variable
    from decision_ai.client.sent_requests import SentRequest as SentRequest
    from decision_ai.client.version_info import BranchInfo as BranchInfo, VersionInfo as VersionInfo
    from decision_ai.errors import (
        ConnectionFailed as ConnectionFailed,
        DataError as DataError,
        DecisionAIError as DecisionAIError,
        LimitExceeded as LimitExceeded,
        ProgramError as ProgramError,
        ServerRefused as ServerRefused,
        StateConflict as StateConflict,
    )
    from decision_ai.modeling.comparing import Comparison as Comparison
    from decision_ai.modeling.importing.foreign import ImportedModel as ImportedModel
    from decision_ai.modeling.importing.importer import import_model as import_model
    from decision_ai.modeling.input_data import InputData as InputData
    from decision_ai.modeling.opt_model import (
        OptModel as OptModel,
        constraint as constraint,
        objective as objective,
    )
    from decision_ai.modeling.units import unit as unit
    from decision_ai.modeling.variables import (
        Var as Var,
        Variables as Variables,
        binary as binary,
        continuous as continuous,
        integer as integer,
    )
    from decision_ai.notebook.talk import talk as talk
    from decision_ai.solving.findings import CheckResult as CheckResult, PlanCheck as PlanCheck
    from decision_ai.solving.outcome import Outcome as Outcome, OutcomeKind as OutcomeKind, Plan as Plan
    from decision_ai.solving.parameters import SolveParameters as SolveParameters
    from decision_ai.tabular.problems import TableError as TableError

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
    **dict.fromkeys(
        [
            "ConnectionFailed",
            "DataError",
            "DecisionAIError",
            "LimitExceeded",
            "ProgramError",
            "ServerRefused",
            "StateConflict",
        ],
        "decision_ai.errors",
    ),
    "InputData": "decision_ai.modeling.input_data",
    "ImportedModel": "decision_ai.modeling.importing.foreign",
    "import_model": "decision_ai.modeling.importing.importer",
    **dict.fromkeys(
        ["Var", "Variables", "binary", "integer", "continuous"], "decision_ai.modeling.variables"
    ),
    "unit": "decision_ai.modeling.units",
    **dict.fromkeys(["OptModel", "constraint", "objective"], "decision_ai.modeling.opt_model"),
    "SolveParameters": "decision_ai.solving.parameters",
    **dict.fromkeys(["Outcome", "OutcomeKind", "Plan"], "decision_ai.solving.outcome"),
    **dict.fromkeys(["CheckResult", "PlanCheck"], "decision_ai.solving.findings"),
    "Comparison": "decision_ai.modeling.comparing",
    "TableError": "decision_ai.tabular.problems",
    **dict.fromkeys(["BranchInfo", "VersionInfo"], "decision_ai.client.version_info"),
    "CheckedPlan": "decision_ai.client.checked_plan",
    "DecisionAI": "decision_ai.client.client",
    "solve": "decision_ai.client.local_solve",
    "ChatSession": "decision_ai.client.chat_session",
    "Solution": "decision_ai.client.chat_session",
    "ChatConnection": "decision_ai.client.chat_connection",
    "SentRequest": "decision_ai.client.sent_requests",
    "talk": "decision_ai.notebook.talk",
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
