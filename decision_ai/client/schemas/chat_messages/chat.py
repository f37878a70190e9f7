"""What people and the assistant say to each other."""

from typing import Literal

from pydantic import field_validator

from decision_ai.client.schemas.base import Schema


class Prompt(Schema):
    """What the person typed."""

    origin: Literal["user"] = "user"
    kind: Literal["prompt"] = "prompt"
    prompt: str
    """The text; blank text is refused."""

    @field_validator("prompt")
    @classmethod
    def validate_prompt_not_empty(cls, v: str) -> str:
        """Refuse empty and blank text.

        Raises:
            ValueError: if nothing but white space was typed.
        """
        if not v.strip():
            raise ValueError("the prompt is empty; type what you want to know or change")
        return v


class SystemPrompt(Schema):
    """What the assistant was told about its job; sent once, at the start of a session."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["system_prompt"] = "system_prompt"
    content: str


class ChatResponse(Schema):
    """What the assistant answers."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["chat_response"] = "chat_response"
    response: str


class Reasoning(Schema):
    """What the assistant thought before it acted; sent only where the session asks for it."""

    origin: Literal["assistant"] = "assistant"
    kind: Literal["reasoning"] = "reasoning"
    content: str
