"""A real server of a random model, as a process: how it says that it is ready, and how it ends."""

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from decision_ai_server.models.cache import file_sha256
from tests.server.model_client.random_gguf import write_random_gguf

pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.skipif(sys.platform == "win32", reason="ends by signals"),
]
ENDLESS = {"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 100_000, "stream": True}
Process = subprocess.Popen[str]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_random_gguf(tmp_path_factory.mktemp("models") / "random.gguf")


@contextmanager
def started(*arguments: str, **environment: str) -> Iterator[Process]:
    command = [sys.executable, "-m", "decision_ai_server.models", "serve-local", "--threads", "1", *arguments]
    with subprocess.Popen(
        command,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def ready(process: Process) -> dict[str, str]:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, process.communicate()[1]
    told: dict[str, str] = json.loads(line)
    return told


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_it_is_ready_when_it_says_so_and_ends_at_once(
    number: signal.Signals, status: int, model: Path
) -> None:
    with started("--model", str(model), "--json") as process:
        told = ready(process)
        assert told["pid"] == process.pid
        assert told["model"] == "random"
        assert told["sha256"] == file_sha256(model)
        listed = httpx.get(f"{told['base_url']}/models").json()
        assert [entry["id"] for entry in listed["data"]] == ["random"]
        with httpx.stream("POST", f"{told['base_url']}/chat/completions", json=ENDLESS) as reply:
            next(reply.iter_bytes())
            process.send_signal(number)
            assert process.communicate(timeout=5) == ("", "")
        assert process.returncode == status


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_idle_threads_wait_without_work(model: Path) -> None:
    with started("--model", str(model), "--json") as process:
        ready(process)
        assert b"OMP_WAIT_POLICY=PASSIVE" in Path(f"/proc/{process.pid}/environ").read_bytes().split(b"\0")


def test_the_settings_it_prints_can_be_pasted(tmp_path: Path, model: Path) -> None:
    named = tmp_path / "it's a model.gguf"
    named.symlink_to(model)
    with started("--model", str(named)) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(10)]
        process.send_signal(signal.SIGTERM)
    assert "Ctrl-C ends it" in lines[0]
    exported = dict(
        shlex.split(line)[1].removeprefix("DECISION_AI_LLM_").split("=", 1)
        for line in lines
        if line.startswith("export ")
    )
    assert exported.pop("BASE_URL").startswith("http://127.0.0.1:")
    assert exported == {
        "MODEL": "it's a model",
        "NATIVE_TOOL_CALLS": "false",
        "TOOLS": "small",
        "MAX_TOKENS": "1024",
        "HISTORY_CHARACTERS": "4000",
        "REQUEST_IDLE_TIMEOUT_SECONDS": "300",
        "DATA_VISIBILITY": "full",
    }


def test_a_key_is_demanded_and_never_shown(model: Path) -> None:
    with started("--model", str(model), DECISION_AI_LOCAL_API_KEY="the-secret") as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(11)]
        url = lines[2].partition("BASE_URL=")[2].strip()
        assert httpx.get(f"{url}/models").status_code == 401
        good = httpx.get(f"{url}/models", headers={"Authorization": "Bearer the-secret"})
        process.send_signal(signal.SIGTERM)
        said, complained = process.communicate()
    assert good.status_code == 200
    assert lines[-1].startswith("export DECISION_AI_LLM_API_KEY=…")
    assert "the-secret" not in "".join([*lines, said, complained])


def broken(model: Path, folder: Path) -> list[str]:
    file = folder / "broken.gguf"
    file.write_bytes(model.read_bytes()[:200_000])
    return ["--model", str(file)]


def no_model(model: Path, folder: Path) -> list[str]:
    file = folder / "text.gguf"
    file.write_text("not one")
    return ["--model", str(file)]


@pytest.mark.parametrize(
    ("arguments", "why"), [(broken, "cannot be served"), (no_model, "is not a GGUF file")]
)
def test_what_cannot_be_served_is_one_sentence(
    arguments: Callable[[Path, Path], list[str]], why: str, model: Path, tmp_path: Path
) -> None:
    with started(*arguments(model, tmp_path)) as process:
        said, complained = process.communicate(timeout=20)
    assert (said, process.returncode) == ("", 1)
    assert complained.startswith("decision-ai: ")
    assert why in complained
    assert len(complained.splitlines()) == 1


def test_a_taken_port_is_one_sentence(model: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with started("--model", str(model), "--port", port) as process:
            assert "Is the port free" in process.communicate(timeout=20)[1]
