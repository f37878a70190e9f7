"""The defaults are those of the model-client seed, and the key does not show."""

import pytest
from pydantic import ValidationError

from decision_ai_server.model_client import HarnessConfig


def test_the_defaults_of_the_seed() -> None:
    config = HarnessConfig()
    assert (config.model, config.base_url) == ("openai/gpt-4o-mini", "https://openrouter.ai/api/v1")
    assert (config.temperature, config.transport_max_retries) == (0.0, 2)
    assert (config.request_timeout_seconds, config.request_idle_timeout_seconds) == (240.0, 30.0)
    assert config.stream_model_calls
    assert config.native_tool_calls
    assert config.api_key is None


def test_a_key_is_not_printed() -> None:
    assert "s3cret" not in repr(HarnessConfig(api_key="s3cret"))


@pytest.mark.parametrize(
    "fields",
    [{"temperature": -1}, {"max_tokens": 0}, {"request_timeout_seconds": 0}, {"tool_choice": "none"}],
)
def test_what_cannot_be_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        HarnessConfig.model_validate(fields)
