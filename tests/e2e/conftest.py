"""A real server in a process of its own, on a port and a database that survive its being killed."""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # for `killed_conversation.py`
KEY = "end-to-end-key"
KILLING_SERVER = Path(__file__).with_name("killing_server.py")


def free_port() -> int:
    """A port that no outgoing connection is given while the server is down: below the range for those."""
    while True:
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class ServerProcess:
    """Starts, kills and starts again a server; the address and the store stay the same."""

    def __init__(self, folder: Path, modeller: str, settings: Mapping[str, str]) -> None:
        self._folder, self._modeller, self._settings = folder, modeller, settings
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"http://127.0.0.1:{self._port}"
        self.key = KEY
        self.starts = 0

    def start(self, *, kill_at: int | None = None, before_storing: bool = False) -> None:
        """Start; with `kill_at`, the process kills itself around that write to its store."""
        self.starts += 1
        script = ["-m", "decision_ai_server"] if kill_at is None else [str(KILLING_SERVER)]
        read_end, write_end = os.pipe()
        with (self._folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, *script, "--port", str(self._port), "--ready-fd", str(write_end)],
                env={
                    "PATH": os.environ.get("PATH", ""),
                    "HOME": str(self._folder),
                    "PYTHONPATH": str(self._folder),
                    "DECISION_AI_SERVER_DATABASE_URL": f"sqlite+aiosqlite:///{self._folder / 'chat.db'}",
                    "DECISION_AI_SERVER_API_KEY": KEY,
                    "DECISION_AI_SERVER_MODELLER": self._modeller,
                    "TEST_KILL_AT": str(kill_at),
                    "TEST_KILL_BEFORE": "1" if before_storing else "",
                    **self._settings,
                },
                pass_fds=[write_end],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        os.close(write_end)
        with os.fdopen(read_end) as ready:
            line = ready.readline()
        assert line, self.log
        assert json.loads(line)["url"] == self.url

    def kill(self) -> None:
        """Kill it as a power cut does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def wait(self, seconds: float) -> bool:
        """Whether the process ended by itself within that time."""
        assert self._process is not None
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def stop(self) -> None:
        """End it, if it runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    @property
    def log(self) -> str:
        """What it wrote."""
        return (self._folder / "server.log").read_text()


@pytest.fixture
def new_server(tmp_path: Path) -> Iterator[Callable[..., ServerProcess]]:
    """Makes servers that are stopped at the end of the test."""
    made: list[ServerProcess] = []

    def make(
        modeller: str = "decision_ai_server.testing:sabotaged_offline",
        files: Mapping[str, str] | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> ServerProcess:
        folder = tmp_path / f"server-{len(made)}"
        folder.mkdir()
        for name, text in (files or {}).items():
            (folder / name).write_text(text)
        made.append(ServerProcess(folder, modeller, settings or {}))
        return made[-1]

    yield make
    for server in made:
        server.stop()
