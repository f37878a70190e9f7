"""A process that serves one GGUF file with llama.cpp's OpenAI-compatible server; all that knows xllamacpp.

Started by `serve_local.py` with one argument, a `Job` as JSON, and with `OMP_WAIT_POLICY=PASSIVE`: OpenMP
reads it when the library loads, and without it idle threads spin and starve whatever else runs.
"""

import json
import os
import shlex
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

import httpx
from pydantic import BaseModel, ConfigDict, SecretStr

from decision_ai.errors import DecisionAIError
from decision_ai_server.models.gguf_file import corrected_template
from decision_ai_server.settings import LocalModelSettings

_POLL_SECONDS = 0.2


class Job(BaseModel):
    """What to serve, and where."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    path: Path
    name: str
    """What the endpoint calls the model."""
    sha256: str
    """Of the file, as it was checked."""
    host: str
    port: int
    """0 = any free one."""
    threads: int
    context: int
    """Tokens of prompt and reply together."""
    as_json: bool


def main(arguments: list[str]) -> int:
    """Serve until a signal comes; only failure returns."""
    job = Job.model_validate_json(arguments[0])
    for number, status in ((signal.SIGTERM, 0), (signal.SIGINT, 130)):
        signal.signal(number, _ending(status))
    failures: list[DecisionAIError] = []
    # In a thread of its own: loading blocks, and only a free main thread hears signals.
    serving = threading.Thread(target=_serve, args=(job, failures), daemon=True)
    serving.start()
    while serving.is_alive():
        serving.join(_POLL_SECONDS)
    sys.stderr.write(f"decision-ai: {failures[0]}\n")
    return 1


def _ending(status: int) -> Any:
    def end(number: int, frame: FrameType | None) -> None:
        del number, frame
        # The library's own end waits up to half a minute for replies on their way; nothing here is kept.
        os._exit(status)

    return end


def _serve(job: Job, failures: list[DecisionAIError]) -> None:
    try:
        key = LocalModelSettings().local_api_key
        server = _started(job, key)
        url = str(server.listening_address)
        _wait_until_loaded(url, key)
        _tell(job, f"{url}/v1", needs_key=key is not None)
        threading.Event().wait()
    except DecisionAIError as error:
        failures.append(error)


def _started(job: Job, key: SecretStr | None) -> Any:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(job.path)
    parameters.model_alias = {job.name}
    parameters.hostnames = [job.host]
    parameters.port = job.port
    parameters.n_ctx = job.context
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = job.threads
    parameters.n_parallel = 1
    parameters.warmup = False
    parameters.verbosity = 0
    parameters.ui = False
    parameters.endpoint_slots = False  # it would show the prompts
    parameters.cors_origins = ""  # no web page may read it
    parameters.chat_template = corrected_template(job.path) or ""
    if key is not None:
        parameters.api_keys = [key.get_secret_value()]
    try:
        return xllamacpp.Server(parameters)
    except RuntimeError as error:
        raise DecisionAIError(
            f"{str(job.path)!r} cannot be served on {job.host}, port {job.port}: {error} Is the port free, "
            "and is the file a language model that fits into memory?"
        ) from error


def _wait_until_loaded(url: str, key: SecretStr | None) -> None:
    """Wait while the server answers 503, that is, while it loads."""
    headers = {} if key is None else {"Authorization": f"Bearer {key.get_secret_value()}"}
    with httpx.Client(trust_env=False, headers=headers, timeout=30) as http:
        while (status := http.get(f"{url}/v1/models").status_code) == httpx.codes.SERVICE_UNAVAILABLE:
            time.sleep(_POLL_SECONDS)
    if status != httpx.codes.OK:
        raise DecisionAIError(f"the server of the model answers {status} to {url}/v1/models")


def _tell(job: Job, base_url: str, *, needs_key: bool) -> None:
    if job.as_json:
        ready = {"base_url": base_url, "pid": os.getpid(), "model": job.name, "sha256": job.sha256}
        text = json.dumps(ready)
    else:
        text = "\n".join(_instructions(job, base_url, needs_key))
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _instructions(job: Job, base_url: str, needs_key: bool) -> list[str]:
    settings = {
        "BASE_URL": base_url,
        "MODEL": job.name,
        "NATIVE_TOOL_CALLS": "false",
        "TOOLS": "small",
        "MAX_TOKENS": "1024",
        "HISTORY_CHARACTERS": "4000",
        "REQUEST_IDLE_TIMEOUT_SECONDS": "300",
        "DATA_VISIBILITY": "full",
    }
    return [
        f"# {job.name} answers at {base_url}; Ctrl-C ends it. sha256 {job.sha256}",
        "# In the terminal of the client or of the server (nothing leaves this machine, so it may see all):",
        *(f"export DECISION_AI_LLM_{name}={shlex.quote(value)}" for name, value in settings.items()),
        *(["export DECISION_AI_LLM_API_KEY=…  # as DECISION_AI_LOCAL_API_KEY here"] if needs_key else []),
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
