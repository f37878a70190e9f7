"""How the model client talks to its endpoint; names and defaults follow the model-client seed."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class HarnessConfig(BaseModel):
    """Settings of one `ModelClient`; `settings.py` fills them from `DECISION_AI_LLM_*`."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    model: str = "openai/gpt-4o-mini"
    """Name of the model as the endpoint knows it."""
    base_url: str = "https://openrouter.ai/api/v1"
    """Address of the endpoint, up to and without `/chat/completions`."""
    api_key: SecretStr | None = None
    """Sent as bearer key; None = `OPENAI_API_KEY` of the environment; an endpoint on loopback needs none."""
    temperature: float = Field(default=0.0, ge=0)
    max_tokens: int | None = Field(default=4096, ge=16)
    """Longest reply in tokens: what a model that does not stop costs at most. None = the endpoint's own."""
    request_timeout_seconds: float = Field(default=240.0, gt=0)
    """Longest wait for a reply that is not streamed."""
    request_idle_timeout_seconds: float = Field(default=30.0, gt=0)
    """Longest silence within a streamed reply, its beginning included."""
    stream_model_calls: bool = True
    native_tool_calls: bool = True
    """False = every decision is one JSON object in the content."""
    structured_output: Literal["json_schema", "json_object", "none"] = "json_schema"
    """What to ask for first where a decision is one JSON object; a refusal steps down, once per client."""
    tool_choice: Literal["required", "auto"] = "required"
    """What to ask for first where tools are native; a refusal steps down, once per client."""
    transport_max_retries: int = Field(default=2, ge=0)
    """Further attempts after a lost or empty reply."""
