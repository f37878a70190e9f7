import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

from decision_ai.client.local_server import LocalServer, join_or_start
from decision_ai.client.request_handler import RequestHandler
from decision_ai.errors import ConnectionFailed

SERVER = """
import argparse, asyncio, json, os, sys
from pathlib import Path
from decision_ai.client.clients_lock import wait_until_no_clients

options = argparse.ArgumentParser()
for name in ("--port", "--ready-fd", "--clients-lock"):
    options.add_argument(name)
options = options.parse_args()
key = os.environ["DECISION_AI_SERVER_API_KEY"]

async def answer(reader, writer):
    asked = await reader.readuntil(b"\\r\\n\\r\\n")
    good = f"Bearer {key}".encode() in asked
    body = b'{"items": []}'
    writer.write(b"HTTP/1.1 %s\\r\\nContent-Length: %d\\r\\nConnection: close\\r\\n\\r\\n%s"
                 % (b"200 OK" if good else b"401 No", len(body), body))
    await writer.drain()
    writer.close()

async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", int(options.port))
    url = "http://127.0.0.1:%d" % server.sockets[0].getsockname()[1]
    os.write(int(options.ready_fd), json.dumps({"url": url, "pid": os.getpid()}).encode() + b"\\n")
    await wait_until_no_clients(Path(options.clients_lock))
    server.close()

asyncio.run(main())
"""

CLIENT = """
import sys
from pathlib import Path
from decision_ai.client.local_server import join_or_start
server = join_or_start(Path(sys.argv[1]), (sys.executable, sys.argv[2]))
print(server.url, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def command(tmp_path: Path) -> tuple[str, ...]:
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    return (sys.executable, str(script))


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "private"


def pid(state: Path) -> int:
    return int(json.loads((state / "server.json").read_text())["pid"])


def wait_until_gone(process_id: int, seconds: float = 8.0) -> None:
    deadline = time.monotonic() + seconds
    while psutil.pid_exists(process_id) and psutil.Process(process_id).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, f"server {process_id} is still there"
        time.sleep(0.05)


def started(state: Path, command: tuple[str, ...]) -> LocalServer:
    return join_or_start(state, command)


def test_the_second_client_joins_and_the_last_one_ends_it(state: Path, command: tuple[str, ...]) -> None:
    one, other = started(state, command), started(state, command)
    assert (one.url, one.key) == (other.url, other.key)
    server = pid(state)
    one.release()
    time.sleep(1.5)
    assert psutil.pid_exists(server)
    other.release()
    wait_until_gone(server)


def test_only_this_user_can_read_the_key(state: Path, command: tuple[str, ...]) -> None:
    server = started(state, command)
    assert (state / "server.json").stat().st_mode & 0o777 == 0o600
    assert state.stat().st_mode & 0o077 == 0
    command_line = " ".join(psutil.Process(pid(state)).cmdline())
    assert server.key not in command_line
    server.release()
    wait_until_gone(pid(state))


def killed(state: Path) -> int:
    server = pid(state)
    os.kill(server, signal.SIGKILL)
    wait_until_gone(server)
    return server


def test_a_server_that_died_comes_back_where_its_clients_look_for_it(
    state: Path, command: tuple[str, ...]
) -> None:
    one = started(state, command)
    first = killed(state)
    other = started(state, command)
    assert (other.url, other.key) == (one.url, one.key)
    second = killed(state)
    one.revive()
    third = pid(state)
    other.revive()
    assert pid(state) == third
    assert len({first, second, third}) == 3
    one.release()
    other.release()
    wait_until_gone(third)


def test_a_server_whose_port_is_taken_moves_and_its_old_clients_are_told(
    state: Path, command: tuple[str, ...]
) -> None:
    one = started(state, command)
    killed(state)
    with socket.create_server(("127.0.0.1", urlsplit(one.url).port or 0)):
        other = started(state, command)
        assert other.url != one.url
        with pytest.raises(ConnectionFailed, match="had to move from"):
            one.revive()
    one.release()
    other.release()
    wait_until_gone(pid(state))


def test_a_request_that_finds_nobody_has_the_server_started_again(
    state: Path, command: tuple[str, ...]
) -> None:
    server = started(state, command)
    requests = RequestHandler(server.url, server.key, revive=server.revive)
    assert requests.chat_sessions().items == []
    killed(state)
    assert requests.chat_sessions().items == []
    requests.close()
    server.release()
    wait_until_gone(pid(state))


def test_the_key_is_not_shown(state: Path, command: tuple[str, ...]) -> None:
    server = started(state, command)
    assert server.key not in repr(server)
    server.release()
    wait_until_gone(pid(state))


def test_who_asks_for_another_modeller_than_the_running_server_has_is_told(
    state: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECISION_AI_LLM_MODEL", "first")
    monkeypatch.setenv("DECISION_AI_LLM_API_KEY", "the-secret")
    one = started(state, command)
    same = started(state, command)
    monkeypatch.setenv("DECISION_AI_LLM_MODEL", "second")
    monkeypatch.delenv("DECISION_AI_LLM_API_KEY")
    monkeypatch.setenv("DECISION_AI_SERVER_MODELLER", "")
    other = started(state, command)
    assert (one.notice, same.notice) == (None, None)
    assert other.notice is not None
    assert "other values of DECISION_AI_LLM_API_KEY, DECISION_AI_LLM_MODEL and keeps them" in other.notice
    assert other.url == one.url
    said = (state / "server.json").read_text()
    assert "the-secret" not in said
    assert "first" not in said
    for server in (one, same, other):
        server.release()
    wait_until_gone(pid(state))


def test_a_server_that_its_last_client_has_just_left_gives_way_to_other_settings(
    state: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DECISION_AI_LLM_MODEL", "first")
    started(state, command).release()
    first = pid(state)
    monkeypatch.setenv("DECISION_AI_LLM_MODEL", "second")
    other = started(state, command)
    assert other.notice is None
    assert pid(state) != first
    other.release()
    wait_until_gone(pid(state))


def test_a_file_of_an_older_release_gives_no_notice(state: Path, command: tuple[str, ...]) -> None:
    one = started(state, command)
    file = state / "server.json"
    said = json.loads(file.read_text())
    del said["modeller"]
    file.write_text(json.dumps(said))
    other = started(state, command)
    assert (other.url, other.notice) == (one.url, None)
    one.release()
    other.release()
    wait_until_gone(pid(state))


def test_a_state_folder_that_cannot_be_one_is_told(tmp_path: Path, command: tuple[str, ...]) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(
        ConnectionFailed, match=r"state folder '.*file' cannot be used: .*DECISION_AI_STATE_DIR"
    ):
        started(tmp_path / "file", command)


def test_killed_clients_take_the_server_with_them(
    state: Path, command: tuple[str, ...], tmp_path: Path
) -> None:
    script = tmp_path / "client.py"
    script.write_text(CLIENT)
    arguments = [sys.executable, str(script), str(state), command[1]]
    clients: list[Any] = [
        subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(2)
    ]
    urls = {client.stdout.readline() for client in clients}
    assert len(urls) == 1
    for client in clients:
        with client:
            client.send_signal(signal.SIGKILL)
    wait_until_gone(pid(state))


@pytest.mark.parametrize(
    "program",
    ["raise SystemExit('no database here')", "import os, sys; os.write(int(sys.argv[4]), b'nonsense\\n')"],
)
def test_a_server_that_does_not_start_is_told_with_its_last_words(state: Path, program: str) -> None:
    with pytest.raises(ConnectionFailed, match=r"did not start; the end of '.*server\.log'") as caught:
        started(state, (sys.executable, "-c", program))
    if "database" in program:
        assert "no database here" in str(caught.value)
