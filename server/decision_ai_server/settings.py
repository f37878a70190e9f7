"""Settings of the server; the only file of it that reads the environment.

`DECISION_AI_SERVER_*`, and for language models `DECISION_AI_LLM_*`, `DECISION_AI_CACHE_DIR` and
`DECISION_AI_LOCAL_API_KEY`.
"""

import ipaddress
import os
import re
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from platformdirs import user_cache_path, user_data_dir
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from decision_ai.wire.limits import PROGRAM_BYTES
from decision_ai_server.auth.keys import new_key
from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.sdk import PLACEHOLDER

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "[::1]")
ANY_ADDRESS = ("", "0.0.0.0", "::")
"""What `host` may be to listen on every address; nobody is reached by these names."""

Names = Annotated[tuple[str, ...], NoDecode]
"""In the environment: separated by commas."""


def _default_database() -> str:
    return f"sqlite+aiosqlite:///{Path(user_data_dir('decision-ai', appauthor=False)) / 'decision-ai.db'}"


_HARNESS = HarnessConfig()
"""The defaults of the model client."""


class LlmSettings(BaseSettings):
    """The language model; every field is `DECISION_AI_LLM_` and its name in capitals."""

    model_config = SettingsConfigDict(
        env_prefix="DECISION_AI_LLM_",
        env_ignore_empty=True,
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
    )

    base_url: str | None = None
    """Address of an OpenAI-compatible endpoint, such as `https://api.openai.com/v1`."""
    api_key: SecretStr | None = None
    """Sent to it as bearer key; where unset, an endpoint of openai.com gets `OPENAI_API_KEY`."""
    model: str | None = None
    """Name of the model as the endpoint knows it."""
    allow_http: bool = False
    """Send to an `http` address that is not on this machine: others on the way can read everything."""
    temperature: float = Field(default=_HARNESS.temperature, ge=0)
    """0 = the likeliest words."""
    max_tokens: int | None = Field(default=_HARNESS.max_tokens, ge=16)
    """Longest reply in tokens."""
    data_visibility: Literal["schema", "summary", "full"] = "summary"
    """How much of the input data the model sees."""
    tools: Literal["full", "small"] = "full"
    """`small` = one narrow tool per kind of change, for small models."""
    history_characters: int = Field(default=16_000, ge=0)
    """How much of the earlier conversation goes along."""
    stream_model_calls: bool = _HARNESS.stream_model_calls
    """Show the answer while it is written."""
    native_tool_calls: bool = _HARNESS.native_tool_calls
    """False = every decision is one JSON object in the content."""
    structured_output: Literal["json_schema", "json_object", "none"] = _HARNESS.structured_output
    """What to ask for first where a decision is one JSON object."""
    tool_choice: Literal["required", "auto"] = _HARNESS.tool_choice
    """What to ask for first where tools are native."""
    request_timeout_seconds: float = Field(default=_HARNESS.request_timeout_seconds, gt=0)
    """Longest wait for a reply that is not streamed."""
    request_idle_timeout_seconds: float = Field(default=_HARNESS.request_idle_timeout_seconds, gt=0)
    """Longest silence within a streamed reply, its beginning included."""
    transport_max_retries: int = Field(default=_HARNESS.transport_max_retries, ge=0)
    """Further attempts after a lost or empty reply."""
    turn_calls: int = Field(default=12, ge=1)
    """Most tool calls for one prompt."""
    turn_seconds: float = Field(default=600.0, gt=0)
    """Longest time for one prompt; waiting for people and their solves does not count."""
    turn_tokens: int = Field(default=200_000, ge=1)
    """Most tokens for one prompt."""
    price_prompt: float | None = Field(default=None, ge=0)
    """Money per million tokens read."""
    price_completion: float | None = Field(default=None, ge=0)
    """Money per million tokens written."""
    currency: str | None = None
    """Of the prices, such as `EUR`."""

    @field_validator("base_url")
    @classmethod
    def _address(cls, value: str | None) -> str | None:
        return None if value is None else _endpoint_address(value)

    @field_validator("api_key")
    @classmethod
    def _sendable(cls, value: SecretStr | None) -> SecretStr | None:
        return _sendable_key(value)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.base_url is not None and self.model is None:
            raise ValueError("name the model that the endpoint shall use: set DECISION_AI_LLM_MODEL")
        if self.model is not None and self.base_url is None and self.api_key is None:
            raise ValueError(
                "say where the model is: set DECISION_AI_LLM_BASE_URL, or DECISION_AI_LLM_API_KEY for "
                f"{_HARNESS.base_url}"
            )
        if self.base_url is not None and not self.allow_http and _is_open_http(self.base_url):
            raise ValueError(
                "DECISION_AI_LLM_BASE_URL is http, and everything sent there can be read on the way; use "
                "https, or set DECISION_AI_LLM_ALLOW_HTTP=true in a network you trust"
            )
        prices = (self.price_prompt, self.price_completion, self.currency)
        if None in prices and any(part is not None for part in prices):
            raise ValueError(
                "set PRICE_PROMPT, PRICE_COMPLETION and CURRENCY of DECISION_AI_LLM_*, or none of them"
            )
        return self

    @property
    def is_set(self) -> bool:
        """Whether there is a language model to talk to."""
        return self.base_url is not None or self.model is not None

    def harness_config(self) -> HarnessConfig:
        """What the model client is made with."""
        given = {name: getattr(self, name) for name in HarnessConfig.model_fields}
        base_url = self.base_url or _HARNESS.base_url
        chosen = {"base_url": base_url, "model": self.model or _HARNESS.model, "api_key": self._key(base_url)}
        return HarnessConfig(**{**given, **chosen})

    def _key(self, base_url: str) -> SecretStr:
        """Its own key; the well-known variable is a key of openai.com, and nobody else is shown it.

        Never None: the `openai` library would then send that variable to whatever address.
        """
        if self.api_key is not None:
            return self.api_key
        host = urlsplit(base_url).hostname or ""
        theirs = host == "openai.com" or host.endswith(".openai.com")
        return SecretStr((theirs and os.environ.get("OPENAI_API_KEY")) or PLACEHOLDER)


class LocalModelSettings(BaseSettings):
    """A language model on this machine."""

    model_config = SettingsConfigDict(
        env_prefix="DECISION_AI_", env_ignore_empty=True, frozen=True, use_attribute_docstrings=True
    )

    cache_dir: Path = Field(default_factory=lambda: user_cache_path("decision-ai", appauthor=False))
    """`DECISION_AI_CACHE_DIR`: where fetched models are kept."""
    local_api_key: SecretStr | None = None
    """`DECISION_AI_LOCAL_API_KEY`: what `decision-ai models serve-local` demands from its callers."""

    @field_validator("local_api_key")
    @classmethod
    def _sendable(cls, value: SecretStr | None) -> SecretStr | None:
        return _sendable_key(value)

    @property
    def models_dir(self) -> Path:
        """The folder of the fetched models."""
        return self.cache_dir / "models"


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
    modeller: str = "auto"
    """Who writes changes: `llm`, `offline`, or `package.module:factory`, called without arguments; `auto` =
    `llm` where `DECISION_AI_LLM_BASE_URL` or `DECISION_AI_LLM_MODEL` is set, else `offline`."""
    llm: LlmSettings = Field(default_factory=LlmSettings)
    """The language model, set by `DECISION_AI_LLM_*`."""
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
        return _sendable_key(value)

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


def setting_problem(error: ValidationError) -> str:
    """The first thing that is wrong with settings, as one sentence that names the variable."""
    problem = error.errors(include_url=False, include_input=False, include_context=False)[0]
    message = problem["msg"].removeprefix("Value error, ")
    if not problem["loc"]:
        return message
    name = ".".join(map(str, problem["loc"]))
    prefixes = {LlmSettings.__name__: "DECISION_AI_LLM_", LocalModelSettings.__name__: "DECISION_AI_"}
    if error.title in prefixes:
        name = f"{prefixes[error.title]}{name.upper()}"
    return f"the setting {name}: {message}"


def _sendable_key(value: SecretStr | None) -> SecretStr | None:
    if value is not None and not re.fullmatch("[!-~]+", value.get_secret_value()):
        raise ValueError("a key is printable ASCII without blanks, or it cannot be sent")
    return value


def _endpoint_address(text: str) -> str:
    """The address of an endpoint, without a slash at its end; what is wrong is told without quoting it."""
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError as error:
        raise ValueError("it is not an address; write it like https://api.openai.com/v1") from error
    if parts.scheme not in {"http", "https"} or not parts.hostname or re.search(r"[^!-~]", text):
        raise ValueError("it is not an http or https address; write it like https://api.openai.com/v1")
    if "@" in parts.netloc:
        raise ValueError("it has a user or password in it; put the key into DECISION_AI_LLM_API_KEY")
    if "?" in text or "#" in text:
        raise ValueError("it has a query or fragment; give the address only, and a key in its own setting")
    if parts.path.rstrip("/").endswith("/chat/completions"):
        raise ValueError("leave off /chat/completions; it is added")
    return text.rstrip("/")


def _is_open_http(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme == "http" and not is_loopback(parts.hostname or "")


def is_loopback(host: str) -> bool:
    """Whether a host name or address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
