"""The published message classes: fields in order, annotations, defaults, kinds and import paths.

Every table here was written by hand from the published API page; nothing in it is derived from our classes.
"""

import types
from importlib import import_module
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

import decision_ai

pytestmark = pytest.mark.core

USER = {"origin": ("Literal['user']", "user")}
ASSISTANT = {"origin": ("Literal['assistant']", "assistant")}
REQUIRED = PydanticUndefined


def tag(kind: str) -> dict[str, Any]:
    return {"kind": (f"Literal[{kind!r}]", kind)}


def diff(kind: str, snapshot: str) -> dict[str, Any]:
    side = (f"{snapshot} | None", None)
    return {**tag(kind), "removed": side, "added": side}


TEXT = ("str", REQUIRED)
ORIGIN = ("ToolData", REQUIRED)
CHECKED = {"rejected": ("bool", REQUIRED), "validation": ("Validation", REQUIRED), "tool_origin": ORIGIN}
WORDS = {"rejection_message": ("str | None", None)}
DESCRIBED = {"code": TEXT, "math_formulation": TEXT, "description": TEXT}

FIELDS: dict[str, dict[str, Any]] = {
    "Prompt": {**USER, **tag("prompt"), "prompt": TEXT},
    "ValidationResponse": {
        **USER,
        **tag("validation_response"),
        **CHECKED,
        **WORDS,
        "changes": ("ModelChanges | None", None),
    },
    "SolveResponse": {
        **USER,
        **tag("solve_response"),
        **CHECKED,
        "solving": ("Solving | None", None),
        **WORDS,
    },
    "SystemPrompt": {**ASSISTANT, **tag("system_prompt"), "content": TEXT},
    "ChatResponse": {**ASSISTANT, **tag("chat_response"), "response": TEXT},
    "ToolCall": {**ASSISTANT, **tag("tool_call"), "tool_data": ("list[ToolData]", REQUIRED)},
    # `args: dict` on the page; under strict typing a bare dict is written dict[str, Any].
    "ToolData": {
        "name": TEXT,
        "args": ("dict[str, Any]", REQUIRED),
        "id": ("str | None", None),
        "preface": ("str | None", None),
    },
    "UncriticalErrorMessage": {**ASSISTANT, **tag("error"), "error": TEXT},
    "CriticalErrorMessage": {**ASSISTANT, **tag("critical_error"), "error": TEXT},
    "AskForPrompt": {**ASSISTANT, **tag("ask_for_prompt")},
    "AskForFeedback": {**ASSISTANT, **tag("ask_for_feedback")},
    "AskForValidation": {
        **ASSISTANT,
        **tag("ask_for_validation"),
        "code": TEXT,
        "changes": ("ModelChanges", REQUIRED),
        "tool_origin": ORIGIN,
    },
    "AskForSolve": {**ASSISTANT, **tag("ask_for_solve"), "code": TEXT, "tool_origin": ORIGIN},
    "ToolOutput": {
        "origin": ("Literal['tool']", "tool"),
        **tag("tool_output"),
        "tool_id": TEXT,
        "tool_output": TEXT,
    },
    "ValidationSucceeded": tag("validation_succeeded"),
    "FormulationValidationFailed": {
        **tag("formulation_validation_failed"),
        "error": ("str | FormulationErrorReport", REQUIRED),
    },
    "InputDataSchemaValidationFailed": {
        **tag("input_data_instance_validation_failed"),
        "input_data_class_name": TEXT,
        "error": TEXT,
    },
    "SolveSucceeded": {**tag("solve_succeeded"), "solution_str": TEXT, "solution_status": TEXT},
    "SolveFailed": {
        **tag("solve_failed"),
        "status": ("Literal['infeasible', 'error']", REQUIRED),
        "error": ("str | None", None),
    },
    "ConstraintDiff": diff("constraint_diff", "ConstraintSnapshot"),
    "ConstraintSnapshot": {"constraint_id": TEXT, **DESCRIBED},
    "ObjectiveDiff": diff("objective_function_diff", "ObjectiveSnapshot"),
    "ObjectiveSnapshot": DESCRIBED,
    "OptInputDataDiff": diff("input_data_diff", "OptInputDataSnapshot"),
    "OptInputDataSnapshot": {"opt_input_data_id": TEXT, "json_data": TEXT},
    "OptInputDataSchemaDiff": diff("input_data_schema_diff", "OptInputDataSchemaSnapshot"),
    "OptInputDataSchemaSnapshot": {"input_data_classes": ("list[str]", REQUIRED)},
    "MessageContainer": {
        "chat_session_id": TEXT,
        "message": ("ChatMessage", REQUIRED),
        "timestamp": ("int | None", None),
        "message_id": ("str", "<factory>"),
    },
}

ASSISTANT_MESSAGES = (
    "SystemPrompt ChatResponse Reasoning ToolCall UncriticalErrorMessage CriticalErrorMessage "
    "AskForPrompt AskForFeedback AskForValidation AskForSolve"
)
UNIONS = {
    "Validation": "ValidationSucceeded FormulationValidationFailed InputDataSchemaValidationFailed",
    "ValidationFailed": "FormulationValidationFailed InputDataSchemaValidationFailed",
    "Solving": "SolveSucceeded SolveFailed",
    "ModelChanges": "ConstraintDiff ObjectiveDiff OptInputDataDiff OptInputDataSchemaDiff VariableDiff",
    "UserMessage": "Prompt ValidationResponse SolveResponse",
    "AssistantMessage": ASSISTANT_MESSAGES,
    "ToolMessage": "ToolOutput",
    "ChatMessage": f"Prompt ValidationResponse SolveResponse {ASSISTANT_MESSAGES} ToolOutput",
    "ProtocolRequestMessage": "AskForPrompt AskForFeedback AskForValidation AskForSolve",
    "ProtocolResponseMessage": "ValidationResponse SolveResponse",
    "ProtocolMessage": "AskForPrompt AskForFeedback AskForValidation AskForSolve "
    "ValidationResponse SolveResponse",
}
DISCRIMINATED = {"Validation", "Solving", "ModelChanges", "UserMessage", "AssistantMessage", "ToolMessage"}

PATHS = {
    "chat": "Prompt SystemPrompt ChatResponse Reasoning",
    "protocol": "ValidationResponse SolveResponse AskForPrompt AskForFeedback AskForValidation AskForSolve",
    "tool": "ToolCall ToolOutput",
    "error": "UncriticalErrorMessage CriticalErrorMessage",
}


def members(annotation: Any) -> list[Any]:
    """The classes of a union, however it was nested and annotated."""
    if get_origin(annotation) is Annotated:
        return members(get_args(annotation)[0])
    if get_origin(annotation) in {Union, types.UnionType}:
        return [member for part in get_args(annotation) for member in members(part)]
    return [annotation]


def spelled(annotation: Any) -> str:
    """An annotation as the page writes it."""
    parts = members(annotation)
    names = [
        str(part).removeprefix("typing.") if get_origin(part) is Literal else _name(part) for part in parts
    ]
    text = " | ".join(names)
    for alias in ("ChatMessage", "Validation", "Solving", "ModelChanges"):
        text = text.replace(UNIONS[alias].replace(" ", " | "), alias)
    return text


def _name(part: Any) -> str:
    if part is type(None):
        return "None"
    if arguments := get_args(part):
        return f"{part.__origin__.__name__}[{', '.join(spelled(argument) for argument in arguments)}]"
    return str(getattr(part, "__name__", part))


@pytest.mark.parametrize("name", FIELDS)
def test_a_class_has_exactly_the_published_fields(name: str) -> None:
    fields: dict[str, Any] = getattr(decision_ai, name).model_fields
    actual = {
        field: (spelled(info.annotation), "<factory>" if info.default_factory else info.default)
        for field, info in fields.items()
    }
    assert actual == FIELDS[name]
    assert list(actual) == list(FIELDS[name])


@pytest.mark.parametrize("name", UNIONS)
def test_a_union_has_exactly_the_published_members(name: str) -> None:
    union = getattr(decision_ai, name)
    assert [member.__name__ for member in members(union)] == UNIONS[name].split()
    if name in DISCRIMINATED:
        assert get_args(union)[1].discriminator == "kind"


@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module, names in PATHS.items() for name in names.split()]
)
def test_a_published_import_path_works(module: str, name: str) -> None:
    home = import_module(f"decision_ai.client.schemas.chat_messages.{module}")
    assert getattr(home, name) is getattr(decision_ai, name)


def test_fields_are_keyword_only_and_the_tags_may_be_left_out() -> None:
    with pytest.raises(TypeError):
        decision_ai.Prompt("at most 4 items")  # type: ignore[call-arg, misc, unused-ignore]
    assert decision_ai.Prompt(prompt="at most 4 items").kind == "prompt"


def test_every_published_class_is_a_pydantic_model_and_ignores_unknown_fields() -> None:
    for name in FIELDS:
        model = getattr(decision_ai, name)
        assert issubclass(model, BaseModel)
        assert model.model_config.get("extra") is None


def test_message_ids_are_random() -> None:
    prompt = decision_ai.Prompt(prompt="solve")
    ids = {decision_ai.MessageContainer(chat_session_id="s", message=prompt).message_id for _ in range(100)}
    assert len(ids) == 100
