"""Settings come from the environment, are checked, and keep the key to themselves."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from decision_ai_server.agent.bounds import Limits
from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.sdk import PLACEHOLDER
from decision_ai_server.modellers.llm.options import LlmOptions
from decision_ai_server.settings import LlmSettings, LocalModelSettings, Settings, setting_problem


def test_the_defaults_are_private_and_offline() -> None:
    settings = Settings()
    assert (settings.host, settings.port, settings.modeller) == ("127.0.0.1", 8765, "auto")
    assert settings.database_url.startswith("sqlite+aiosqlite:///")
    assert settings.database_url.endswith("decision-ai/decision-ai.db")
    assert settings.api_key is None
    assert settings.allowed_origins == ()
    assert settings.rest_data_bytes == 256 * 2**20


def test_the_environment_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECISION_AI_SERVER_PORT", "0")
    monkeypatch.setenv("DECISION_AI_SERVER_API_KEY", "abc")
    monkeypatch.setenv("DECISION_AI_SERVER_ALLOWED_ORIGINS", "https://a.example, https://b.example,")
    monkeypatch.setenv("DECISION_AI_SERVER_MODELLER", "")
    settings = Settings()
    assert settings.port == 0
    assert settings.api_key == SecretStr("abc")
    assert settings.allowed_origins == ("https://a.example", "https://b.example")
    assert settings.modeller == "auto"


def test_every_field_says_what_it_is() -> None:
    for settings in (Settings, LlmSettings, LocalModelSettings):
        assert [name for name, field in settings.model_fields.items() if not field.description] == []


def test_settings_do_not_change() -> None:
    with pytest.raises(ValidationError):
        Settings().port = 1  # type: ignore[misc]


@pytest.mark.parametrize("key", ["", " ", "with blank", "ü", "line\nbreak"])
def test_a_key_that_cannot_be_sent_is_refused(key: str) -> None:
    with pytest.raises(ValidationError, match="printable ASCII"):
        Settings(api_key=SecretStr(key))


def test_a_key_is_made_where_none_is_set_and_never_shown() -> None:
    made = Settings().with_key()
    assert made.api_key is not None
    assert made.api_key.get_secret_value() not in repr(made)
    assert made.with_key() is made
    assert Settings().with_key().api_key != made.api_key


@pytest.mark.parametrize(
    ("host", "name", "known"),
    [
        ("127.0.0.1", "localhost", True),
        ("127.0.0.1", "[::1]", True),
        ("192.0.2.7", "192.0.2.7", True),
        ("2001:db8::1", "[2001:db8::1]", True),
        ("Plans.Example", "plans.example", True),
        ("0.0.0.0", "0.0.0.0", False),
        ("127.0.0.1", "evil.example", False),
    ],
)
def test_the_server_answers_to_loopback_names_and_its_own(host: str, name: str, known: bool) -> None:
    assert (name in Settings(host=host).hosts) is known


def test_further_names_can_be_allowed() -> None:
    assert "plans.example" in Settings(allowed_hosts=("plans.example",)).hosts


def test_origins_are_compared_as_browsers_send_them() -> None:
    assert Settings(allowed_origins=("https://Plans.example/",)).origins == {"https://plans.example"}


LOCAL = "http://127.0.0.1:8080/v1"


def test_no_language_model_is_set_by_itself_nor_by_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-somebody")
    assert not LlmSettings().is_set
    assert not Settings().llm.is_set


def test_the_language_model_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "BASE_URL": f"{LOCAL}/",
        "MODEL": "m",
        "API_KEY": "secret",
        "TOOLS": "small",
        "NATIVE_TOOL_CALLS": "false",
        "MAX_TOKENS": "",
    }.items():
        monkeypatch.setenv(f"DECISION_AI_LLM_{name}", value)
    llm = Settings().llm
    assert llm.is_set
    assert llm.tools == "small"
    assert llm.harness_config() == HarnessConfig(
        base_url=LOCAL, model="m", api_key=SecretStr("secret"), native_tool_calls=False
    )
    assert "secret" not in repr(llm) + repr(llm.harness_config())


def test_the_defaults_are_those_of_the_parts_they_set() -> None:
    llm, limits, options = LlmSettings(), Limits(), LlmOptions()
    assert (llm.turn_calls, llm.turn_seconds, llm.turn_tokens) == (
        limits.calls,
        limits.seconds,
        limits.tokens,
    )
    assert (llm.data_visibility, llm.tools) == (options.data_visibility, options.tools)
    assert llm.history_characters == options.history_characters
    given = llm.harness_config().model_dump(exclude={"api_key"})
    assert given == HarnessConfig().model_dump(exclude={"api_key"})


@pytest.mark.parametrize(
    ("address", "own", "sent"),
    [
        ("https://api.openai.com/v1", None, "sk-openai"),
        ("https://eu.api.openai.com/v1", None, "sk-openai"),
        ("https://api.openai.com/v1", "own", "own"),
        ("https://models.example/v1", None, PLACEHOLDER),
        ("https://notopenai.com/v1", None, PLACEHOLDER),
        ("https://openai.com.evil.example/v1", None, PLACEHOLDER),
        (LOCAL, None, PLACEHOLDER),
        (LOCAL, "own", "own"),
    ],
)
def test_the_key_of_openai_goes_to_openai_only(
    address: str, own: str | None, sent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    llm = LlmSettings(base_url=address, model="m", api_key=SecretStr(own) if own else None)
    key = llm.harness_config().api_key
    assert key is not None
    assert key.get_secret_value() == sent


@pytest.mark.parametrize(
    "address",
    [
        "https://api.openai.com/v1",
        "https://models.example:8443",
        LOCAL,
        "http://localhost:1/v1",
        "http://[::1]/v1",
    ],
)
def test_an_address_that_is_safe_is_taken(address: str) -> None:
    assert LlmSettings(base_url=address, model="m").base_url == address


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (
            {"base_url": "ftp://models.example", "model": "m"},
            "LLM_BASE_URL: it is not an http or https address",
        ),
        ({"base_url": "models.example/v1", "model": "m"}, "LLM_BASE_URL: it is not an http"),
        ({"base_url": "https://", "model": "m"}, "LLM_BASE_URL: it is not an http"),
        ({"base_url": "https://a b.example", "model": "m"}, "LLM_BASE_URL: it is not an http"),
        ({"base_url": "https://[::1", "model": "m"}, "LLM_BASE_URL: it is not an address"),
        ({"base_url": "https://a.example:x", "model": "m"}, "LLM_BASE_URL: it is not an address"),
        ({"base_url": "https://u:secret@a.example", "model": "m"}, "LLM_BASE_URL: it has a user or password"),
        ({"base_url": "https://a.example?key=secret", "model": "m"}, "LLM_BASE_URL: it has a query"),
        ({"base_url": "https://a.example#secret", "model": "m"}, "LLM_BASE_URL: it has a query"),
        (
            {"base_url": "https://a.example/v1/chat/completions", "model": "m"},
            "LLM_BASE_URL: leave off /chat/completions",
        ),
        (
            {"base_url": "http://a.example/v1", "model": "m"},
            "DECISION_AI_LLM_BASE_URL is http, and everything",
        ),
        ({"base_url": LOCAL}, "name the model that the endpoint shall use: set DECISION_AI_LLM_MODEL"),
        ({"model": "m"}, "say where the model is: set DECISION_AI_LLM_BASE_URL"),
        ({"api_key": "with secret"}, "LLM_API_KEY: a key is printable ASCII"),
        ({"temperature": -1}, "LLM_TEMPERATURE: Input should be greater than or equal to 0"),
        ({"tools": "many"}, "LLM_TOOLS: Input should be 'full' or 'small'"),
        ({"price_prompt": 1.0}, "set PRICE_PROMPT, PRICE_COMPLETION and CURRENCY of DECISION_AI_LLM_*"),
        ({"price_prompt": 1.0, "price_completion": 2.0}, "set PRICE_PROMPT, PRICE_COMPLETION and CURRENCY"),
    ],
)
def test_what_is_wrong_is_one_sentence_without_the_secret(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError) as caught:
        LlmSettings(**given)
    told = setting_problem(caught.value)
    assert problem in told
    assert "secret" not in told
    assert "Value error" not in told


def test_http_in_a_network_of_trust() -> None:
    llm = LlmSettings(base_url="http://gpu.example/v1", model="m", allow_http=True)
    assert llm.harness_config().base_url == "http://gpu.example/v1"


def test_a_model_of_the_usual_endpoint_needs_a_key_only() -> None:
    llm = LlmSettings(model="a/b", api_key=SecretStr("k"))
    assert llm.harness_config().base_url == HarnessConfig().base_url


def test_settings_of_the_server_are_named_as_they_are() -> None:
    with pytest.raises(ValidationError) as caught:
        Settings(port=70000)
    assert setting_problem(caught.value).startswith("the setting port: ")


def test_where_models_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert LocalModelSettings().models_dir.parts[-2:] == ("decision-ai", "models")
    monkeypatch.setenv("DECISION_AI_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("DECISION_AI_LOCAL_API_KEY", "two words")
    with pytest.raises(ValidationError) as caught:
        LocalModelSettings()
    assert setting_problem(caught.value).startswith("the setting DECISION_AI_LOCAL_API_KEY: a key is")
    monkeypatch.delenv("DECISION_AI_LOCAL_API_KEY")
    assert LocalModelSettings().models_dir == tmp_path / "models"
