"""Settings of the server; the only file of it that reads the environment (`DECISION_AI_SERVER_*`)."""

import re
from pathlib import Path
from typing import Annotated, Any, Self

from platformdirs import user_data_dir
from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from decision_ai.wire.limits import PROGRAM_BYTES
from decision_ai_server.auth.keys import new_key

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "[::1]")
ANY_ADDRESS = ("", "0.0.0.0", "::")
"""What `host` may be to listen on every address; nobody is reached by these names."""

Names = Annotated[tuple[str, ...], NoDecode]
"""In the environment: separated by commas."""


def _default_database() -> str:
    return f"sqlite+aiosqlite:///{Path(user_data_dir('decision-ai', appauthor=False)) / 'decision-ai.db'}"


class Settings(BaseSettings):
    """Everything that can be set; every field is `DECISION_AI_SERVER_` and its name in capitals."""

    model_config = SettingsConfigDict(
        env_prefix="DECISION_AI_SERVER_",
        env_ignore_empty=True,
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
    )

    host: str = "127.0.0.1"
    """Address to listen on."""
    port: int = Field(default=8765, ge=0, le=65535)
    """Port to listen on; 0 = any free one."""
    database_url: str = Field(default_factory=_default_database)
    """SQLAlchemy address of the store, with an async driver."""
    api_key: SecretStr | None = None
    """What callers send as bearer key; None = made at the start and shown once by the command line."""
    allowed_hosts: Names = ()
    """Names this server answers to in `Host`, besides the loopback names and `host`; `*` = any."""
    allowed_origins: Names = ()
    """Web pages of other origins that may call, such as `https://plans.example.com`."""
    modeller: str = "offline"
    """Who writes changes: `offline`, or `package.module:factory`, called without arguments."""
    program_bytes: int = Field(default=PROGRAM_BYTES, ge=1, le=PROGRAM_BYTES)
    """Largest model file."""
    rest_data_bytes: int = Field(default=256 * 2**20, ge=1)
    """Largest input data uploaded over REST."""
    executor_workers: int | None = Field(default=None, ge=1)
    """Builds and solves that run at the same time; None = one per processor."""
    sandbox_memory_bytes: int = Field(default=4 * 2**30, ge=256 * 2**20)
    """Memory of one build or solve."""
    sandbox_extra_imports: Names = ()
    """Modules that programs may import besides those of the allow-list."""
    sandbox_strict: bool = False
    """Run nothing where a layer of the sandbox is missing."""

    @field_validator("allowed_hosts", "allowed_origins", "sandbox_extra_imports", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        return (
            tuple(filter(None, (part.strip() for part in value.split(","))))
            if isinstance(value, str)
            else value
        )

    @field_validator("api_key")
    @classmethod
    def _sendable(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not re.fullmatch("[!-~]+", value.get_secret_value()):
            raise ValueError("a key is printable ASCII without blanks, or it cannot be sent")
        return value

    def with_key(self) -> Self:
        """These settings with a key: theirs, or a new random one."""
        if self.api_key is not None:
            return self
        return self.model_copy(update={"api_key": SecretStr(new_key())})

    @property
    def hosts(self) -> frozenset[str]:
        """All names the server answers to, in small letters."""
        own = () if self.host in ANY_ADDRESS else (f"[{self.host}]" if ":" in self.host else self.host,)
        return frozenset(name.lower() for name in (*LOOPBACK_HOSTS, *own, *self.allowed_hosts))

    @property
    def origins(self) -> frozenset[str]:
        """The foreign origins whose pages may call, written as browsers send them."""
        return frozenset(origin.lower().rstrip("/") for origin in self.allowed_origins)
