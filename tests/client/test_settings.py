from pathlib import Path

import pytest

from decision_ai.client.settings import ClientSettings, child_environment, modeller_environment


def test_the_environment_says_where_the_server_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECISION_AI_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("DECISION_AI_API_KEY", "secret")
    monkeypatch.setenv("DECISION_AI_STATE_DIR", "/tmp/somewhere")
    settings = ClientSettings()
    assert settings.url == "http://127.0.0.1:1"
    assert settings.api_key is not None
    assert settings.state_dir == Path("/tmp/somewhere")
    assert "secret" not in repr(settings)


def test_an_empty_variable_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECISION_AI_URL", "")
    monkeypatch.setenv("DECISION_AI_STATE_DIR", "")
    settings = ClientSettings()
    assert settings.url is None
    assert settings.state_dir.name == "decision-ai"


def test_a_child_gets_the_environment_and_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECISION_AI_LLM_MODEL", "m")
    environment = child_environment({"EXTRA": "1"})
    assert environment["DECISION_AI_LLM_MODEL"] == "m"
    assert environment["EXTRA"] == "1"


def test_the_settings_that_choose_a_modeller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECISION_AI_LLM_MODEL", "m")
    monkeypatch.setenv("DECISION_AI_LLM_BASE_URL", "")
    monkeypatch.setenv("DECISION_AI_SERVER_MODELLER", "offline")
    monkeypatch.setenv("DECISION_AI_SERVER_PORT", "1")
    assert modeller_environment() == {"DECISION_AI_LLM_MODEL": "m", "DECISION_AI_SERVER_MODELLER": "offline"}
