"""Settings come from the environment, are checked, and keep the key to themselves."""

import pytest
from pydantic import SecretStr, ValidationError

from decision_ai_server.settings import Settings


def test_the_defaults_are_private_and_offline() -> None:
    settings = Settings()
    assert (settings.host, settings.port, settings.modeller) == ("127.0.0.1", 8765, "offline")
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
    assert settings.modeller == "offline"


def test_every_field_says_what_it_is() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []


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
