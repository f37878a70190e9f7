"""`python -m decision_ai_server` as a process: how it says that it is ready, and how it ends."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from decision_ai.client.clients_lock import ClientsLock

pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.skipif(sys.platform == "win32", reason="hands on file descriptors"),
]
KEY = "the-key-of-this-test"
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started: list[subprocess.Popen[str]] = []

    def start_server(*arguments: str, key: str | None = KEY, **options: Any) -> "subprocess.Popen[str]":
        environment = {
            **os.environ,
            "DECISION_AI_SERVER_DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path}/test.db",
            **({"DECISION_AI_SERVER_API_KEY": key} if key else {}),
        }
        command = [sys.executable, "-m", "decision_ai_server", *arguments]
        started.append(
            subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
            )
        )
        return started[-1]

    yield start_server
    for process in started:
        process.kill()
        process.communicate()


def start_private(start: Start, *arguments: str) -> tuple["subprocess.Popen[str]", dict[str, Any]]:
    reading, writing = os.pipe()
    process = start("--port", "0", "--ready-fd", str(writing), *arguments, pass_fds=(writing,))
    os.close(writing)
    with os.fdopen(reading) as ready:
        told = ready.read()  # to the end: the server closes it
    assert told, process.communicate()[1]
    return process, json.loads(told)


def test_a_private_server_says_where_it_is_and_nothing_else(start: Start) -> None:
    process, told = start_private(start)
    assert told["pid"] == process.pid
    headers = {"Authorization": f"Bearer {KEY}"}
    assert httpx.get(f"{told['url']}/v1/opt_models", headers=headers).status_code == 200
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=15) == ("", "")


def test_it_ends_when_the_last_client_is_gone(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "clients.lock"
    first, second = ClientsLock(path), ClientsLock(path)
    assert first.hold()
    assert second.hold()
    process, told = start_private(start, "--clients-lock", str(path))
    first.release()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(2)
    assert httpx.get(f"{told['url']}/healthz").status_code == 200
    second.release()
    assert process.communicate(timeout=20) == ("", "")
    assert process.returncode == 0


def test_a_key_that_is_made_is_shown_once_and_works(start: Start) -> None:
    process = start("--port", "0", key=None)
    assert process.stderr is not None
    address, key = process.stderr.readline(), process.stderr.readline()
    url = address.split("answers at ")[1].partition(";")[0]
    value = key.removeprefix("DECISION_AI_API_KEY=").split(" ")[0]
    headers = {"Authorization": f"Bearer {value}"}
    assert httpx.get(f"{url}/v1/opt_models", headers=headers).status_code == 200
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=15) == ("", "")
    assert process.returncode == 130


def test_a_taken_port_and_a_bad_setting_are_one_sentence(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        process = start("--port", port)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (2, "")
    assert err.startswith(f"decision-ai: cannot listen on 127.0.0.1, port {port}: Address already in use")
    assert len(err.splitlines()) == 1
    process = start("--port", "70000")
    assert "port" in process.communicate(timeout=20)[1]
    assert process.returncode == 2
