"""The private server of this user: joined if one runs, else started; it ends after its last client.

In the state folder: `clients.lock`, shared by all clients for as long as they live (see `clients_lock.py`);
`start.lock`, held while one client looks for or starts the server; `server.json` with address, key and
digests of the settings that chose its modeller, for this user's eyes only; the database; and the log. A
server that died is started again at its old address with its old key by the first client that misses it, so
that all of them find it where they look.
"""

import contextlib
import hmac
import os
import secrets
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from decision_ai.client.clients_lock import ClientsLock
from decision_ai.client.file_lock import try_lock
from decision_ai.client.request_handler import RequestHandler
from decision_ai.client.settings import child_environment, modeller_environment
from decision_ai.errors import ConnectionFailed

_COMMAND = (sys.executable, "-m", "decision_ai_server")
_START_SECONDS = 30.0
_ENDING_SECONDS = 5.0
"""Enough for a server that its last client has just left; it waits a second for the next one."""
_POLL_SECONDS = 0.05
_TAIL_BYTES = 2000


class _Address(BaseModel):
    """What `server.json` says."""

    model_config = ConfigDict(frozen=True)

    url: str
    key: str
    pid: int
    modeller: dict[str, str] | None = None
    """Digests, made with the key, of the variables of `modeller_environment` it was started with; None = an
    older release wrote the file."""


class _Ready(BaseModel):
    """The line a server writes when it accepts connections."""

    url: str
    pid: int


@dataclass(frozen=True)
class LocalServer:
    """A running private server, and this client's share of it."""

    url: str
    key: str = field(repr=False)
    clients_lock: ClientsLock = field(repr=False)
    state_dir: Path
    command: tuple[str, ...]
    notice: str | None = None
    """What the person should know before the chat begins: the server has another modeller than asked for."""

    def revive(self) -> None:
        """Start the server again at its address, if it is gone; for whoever found nobody there.

        Raises:
            ConnectionFailed: if it does not start, or only at another address.
        """
        address = _found_or_started(self.state_dir, self.command, time.monotonic() + _START_SECONDS)
        if (address.url, address.key) != (self.url, self.key):
            raise ConnectionFailed(
                f"the private server had to move from {self.url} to {address.url}; open the client again and "
                "continue the session"
            )

    def release(self) -> None:
        """Stop counting as a client."""
        self.clients_lock.release()


def join_or_start(state_dir: Path, command: tuple[str, ...] = _COMMAND) -> LocalServer:
    """Join the private server of a state folder, or start one with a command.

    Raises:
        ConnectionFailed: if it does not start; the text has the end of its log.
    """
    if sys.platform == "win32":
        raise ConnectionFailed(
            "there is no private server on Windows: run `decision-ai serve` and set DECISION_AI_URL and "
            "DECISION_AI_API_KEY"
        )
    deadline = time.monotonic() + _START_SECONDS
    try:
        state_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = ClientsLock(state_dir / "clients.lock")
        try:
            address = _joined(lock, state_dir, command, deadline)
            if _notice(address) is not None:
                if lock.drop():  # nobody else needs its settings
                    _wait_until_ended(address)
                address = _joined(lock, state_dir, command, deadline)
        except BaseException:
            lock.release()
            raise
    except OSError as error:
        raise ConnectionFailed(
            f"the state folder {str(state_dir)!r} cannot be used: {error.strerror or error}; set "
            "DECISION_AI_STATE_DIR to another one"
        ) from error
    return LocalServer(address.url, address.key, lock, state_dir, command, _notice(address))


def _joined(lock: ClientsLock, state_dir: Path, command: tuple[str, ...], deadline: float) -> _Address:
    while not lock.hold():  # a server that is just ending
        _wait(deadline, "the private server that is ending does not end")
    return _found_or_started(state_dir, command, deadline)


def _wait_until_ended(address: _Address) -> None:
    """Wait for a server without clients to end, unless another client comes and keeps it."""
    deadline = time.monotonic() + _ENDING_SECONDS
    while _answers(address) and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)


def _notice(address: _Address) -> str | None:
    """Tell when the settings of this process are not those that the running server was started with."""
    if address.modeller is None:
        return None
    here = _digests(address.key)
    different = sorted(
        name for name in {*here, *address.modeller} if here.get(name) != address.modeller.get(name)
    )
    if not different:
        return None
    return (
        f"the private server was started by another client with other values of {', '.join(different)} and "
        "keeps them; to use those of this process, close all other clients first, or set "
        "DECISION_AI_STATE_DIR to another folder"
    )


def _digests(key: str) -> dict[str, str]:
    """The settings of this process that choose a modeller: comparable, and not readable."""
    return {
        name: hmac.digest(key.encode(), value.encode(), "sha256").hex()
        for name, value in modeller_environment().items()
    }


def _found_or_started(state_dir: Path, command: tuple[str, ...], deadline: float) -> _Address:
    """The server that runs, else a new one: at the address of the last one, where its clients look for it."""
    with _start_lock(state_dir / "start.lock", deadline):
        last = _last(state_dir / "server.json")
        if last is None:
            return _start(state_dir, command, deadline, 0, secrets.token_urlsafe(32))
        if _answers(last):
            return last
        try:
            return _start(state_dir, command, deadline, urlsplit(last.url).port or 0, last.key)
        except ConnectionFailed:  # its port may be somebody else's by now
            return _start(state_dir, command, deadline, 0, secrets.token_urlsafe(32))


def _last(path: Path) -> _Address | None:
    """The server that the file names, whether it lives or not."""
    try:
        return _Address.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def _answers(address: _Address) -> bool:
    requests = RequestHandler(address.url, address.key)
    try:
        return requests.is_healthy()
    finally:
        requests.close()


def _start(state_dir: Path, command: tuple[str, ...], deadline: float, port: int, key: str) -> _Address:
    log = state_dir / "server.log"
    with contextlib.suppress(FileNotFoundError):
        log.replace(log.with_suffix(".before.log"))  # may tell why the last one ended
    reading, writing = os.pipe()
    try:
        process = _launch(state_dir, command, port, key, log, writing)
    finally:
        os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        ready = _ready_line(pipe.fileno(), process, deadline)
    if ready is None:
        process.kill()
        process.wait()
        tail = log.read_bytes()[-_TAIL_BYTES:].decode(errors="replace").strip()
        raise ConnectionFailed(f"the private server did not start; the end of {str(log)!r}:\n{tail}")
    # It may outlive this process; if it does not, this picks up its exit status.
    threading.Thread(target=process.wait, name="decision-ai-server", daemon=True).start()
    address = _Address(url=ready.url, key=key, pid=ready.pid, modeller=_digests(key))
    _write_private(state_dir / "server.json", address.model_dump_json())
    return address


def _launch(
    state_dir: Path, command: tuple[str, ...], port: int, key: str, log: Path, ready: int
) -> "subprocess.Popen[bytes]":
    lock = str(state_dir / "clients.lock")
    arguments = ["--port", str(port), "--ready-fd", str(ready), "--clients-lock", lock]
    environment = child_environment(
        {
            "DECISION_AI_SERVER_API_KEY": key,
            "DECISION_AI_SERVER_HOST": "127.0.0.1",
            "DECISION_AI_SERVER_DATABASE_URL": f"sqlite+aiosqlite:///{state_dir / 'decision-ai.db'}",
        }
    )
    with os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as log_file:
        return subprocess.Popen(
            [*command, *arguments],
            env=environment,
            pass_fds=(ready,),
            stdin=subprocess.DEVNULL,
            stdout=log_file,
            stderr=log_file,
            start_new_session=True,  # an interrupt in this terminal is not meant for it
        )


def _ready_line(pipe: int, process: "subprocess.Popen[bytes]", deadline: float) -> _Ready | None:
    """What the server says when it is ready; None if it ends or takes too long."""
    text = b""
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([pipe], [], [], min(left, 0.5))[0]:
            if process.poll() is not None:
                return None
            continue
        piece = os.read(pipe, 4096)
        text += piece
        if not piece or b"\n" in text:
            break
    try:
        return _Ready.model_validate_json(text)
    except ValidationError:
        return None


@contextlib.contextmanager
def _start_lock(path: Path, deadline: float) -> Iterator[None]:
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not try_lock(file, "exclusive"):
            _wait(deadline, "another process has been starting the private server for too long")
        yield
    finally:
        os.close(file)


def _wait(deadline: float, problem: str) -> None:
    if time.monotonic() > deadline:
        raise ConnectionFailed(f"{problem}; end it, or set DECISION_AI_STATE_DIR to another folder")
    time.sleep(_POLL_SECONDS)


def _write_private(path: Path, text: str) -> None:
    """Write a file that only this user can read, all of it or nothing."""
    beside = path.with_suffix(".new")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)
    beside.replace(path)
