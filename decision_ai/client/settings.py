"""The client's settings; the only file of the client that reads the environment."""

import os
from pathlib import Path

import platformdirs
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class ClientSettings(BaseSettings):
    """Where the server is and where the client keeps its files; read from `DECISION_AI_*`."""

    model_config = SettingsConfigDict(
        env_prefix="DECISION_AI_", env_ignore_empty=True, frozen=True, use_attribute_docstrings=True
    )

    url: str | None = None
    """`DECISION_AI_URL`: base address of a server; without it a private one is used."""
    api_key: SecretStr | None = None
    """`DECISION_AI_API_KEY`: the key that server gave you."""
    state_dir: Path = Field(default_factory=lambda: platformdirs.user_state_path("decision-ai"))
    """`DECISION_AI_STATE_DIR`: outboxes, and the private server's database, key and log."""


def child_environment(extra: dict[str, str]) -> dict[str, str]:
    """This process's environment with additions, for a child process."""
    return {**os.environ, **extra}


def modeller_environment() -> dict[str, str]:
    """The variables of this process that say who writes changes on a server started from here."""
    return {
        name: value
        for name, value in os.environ.items()
        if value and (name.startswith("DECISION_AI_LLM_") or name == "DECISION_AI_SERVER_MODELLER")
    }
