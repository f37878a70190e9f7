"""The real command with real files, a real server and a real terminal."""

import fcntl
import itertools
import json
import os
import pty
import random
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from decision_ai.examples import example

COMMAND = [sys.executable, "-m", "decision_ai.cli"]
KEY = "the-key-of-these-tests"
HARD_MODEL = '''"""Split the markets as evenly as possible; nobody proves this optimal soon."""
import pulp
from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, continuous, objective


class Markets(InputData):
    demands: list[list[float]]


class SplitVariables(Variables):
    first: dict[int, Var] = binary(over=lambda data: range(len(data.demands[0])))
    """1 if the retailer belongs to the first division."""
    missed: dict[int, Var] = continuous(over=lambda data: range(len(data.demands)), lower=0)
    """How far a market is from an even split."""


class Split(OptModel[Markets, SplitVariables]):
    @constraint("even")
    def even(self, data, v):
        """Each division has half of each market, but for what is missed."""
        for m, row in enumerate(data.demands):
            share = pulp.lpSum(amount * v.first[n] for n, amount in enumerate(row))
            yield ("over", m), share - v.missed[m] <= sum(row) // 2
            yield ("under", m), share + v.missed[m] >= sum(row) // 2

    @objective("minimize", "missed")
    def total_missed(self, data, v):
        """What is missed in all."""
        return pulp.lpSum(v.missed.values())

    def solution_to_str(self, data, v) -> str:
        return f"missed {pulp.value(pulp.lpSum(v.missed.values())):g}"
'''
_CODES = re.compile(r"\x1b\[\??(?P<number>\d*)[\d;]*(?P<code>[A-Za-z])|(?P<text>[^\x1b])", re.DOTALL)
_ESCAPE = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|[@-_])")


@pytest.fixture
def knapsack(tmp_path: Path) -> tuple[str, str]:
    """Paths of the model file and data file of the knapsack example."""
    model, data = example("knapsack")
    (tmp_path / "model.py").write_text(model)
    (tmp_path / "data.json").write_text(data)
    return str(tmp_path / "model.py"), str(tmp_path / "data.json")


@pytest.fixture
def hard(tmp_path: Path) -> tuple[str, str]:
    """Paths of a model that has plans at once and takes hours to prove optimal."""
    dice = random.Random(7)
    demands = [[dice.randrange(100) for _ in range(60)] for _ in range(7)]
    (tmp_path / "hard.py").write_text(HARD_MODEL)
    (tmp_path / "hard.json").write_text(json.dumps({"demands": demands}))
    return str(tmp_path / "hard.py"), str(tmp_path / "hard.json")


@pytest.fixture(scope="session")
def best_value() -> Callable[[int], float]:
    """The optimum of the knapsack example with at most so many items, by trying all selections."""
    return _best_value


def _best_value(most: int) -> float:
    data = json.loads(example("knapsack")[1])
    items, categories = data["items"], {item["category"] for item in data["items"].values()}
    return max(
        sum(items[name]["value"] for name in chosen)
        for size in range(1, min(most, 7) + 1)
        for chosen in itertools.combinations(items, size)
        if sum(items[name]["weight"] for name in chosen) <= data["capacity"]
        and {items[name]["category"] for name in chosen} == categories
    )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server started with `decision-ai serve`."""
    folder = tmp_path_factory.mktemp("server")
    environment = {
        **os.environ,
        "DECISION_AI_SERVER_API_KEY": KEY,
        "DECISION_AI_SERVER_DATABASE_URL": f"sqlite+aiosqlite:///{folder}/test.db",
    }
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0"], env=environment, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.search(r"http://\S+?(?=;)", line)
    assert found, line
    yield found[0]
    process.terminate()
    process.communicate(timeout=15)


@pytest.fixture
def run(server: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command against the server, with text as its input."""
    monkeypatch.setenv("DECISION_AI_URL", server)
    monkeypatch.setenv("DECISION_AI_API_KEY", KEY)

    def run_command(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *arguments], input=typed, capture_output=True, text=True, timeout=60, check=False
        )

    return run_command


@pytest.fixture
def on_screen() -> Callable[[str], list[str]]:
    """What is left on a screen, as lines, after text with codes was written to it."""
    return _left_on_screen


def _left_on_screen(written: str) -> list[str]:
    lines, row, column = [""], 0, 0
    for found in _CODES.finditer(written):
        match found["code"], found["text"]:
            case "A", _:
                row = max(row - int(found["number"] or 1), 0)
            case "K", _:
                lines[row] = ""
            case None, "\r":
                column = 0
            case None, "\n":
                row, column = row + 1, 0
                lines += [""] * (row + 1 - len(lines))
            case None, str(character):
                lines[row] = lines[row][:column].ljust(column) + character + lines[row][column + 1 :]
                column += 1
    while lines and not lines[-1].strip():
        lines.pop()
    return [line.rstrip() for line in lines]


class Terminal:
    """A process in a terminal of its own, 80 columns wide."""

    def __init__(self, arguments: list[str], environment: dict[str, str] | None = None) -> None:
        self._fd, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        self.raw = ""
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**os.environ, "TERM": "xterm-256color", **(environment or {})},
            start_new_session=True,
            # Ctrl-C needs a controlling terminal; no other thread of this process is at work meanwhile.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509
        )
        os.close(slave)
        self._read_to = 0

    def expect(self, text: str, seconds: float = 30) -> None:
        """Read until a text is on the screen, after whatever was expected before."""
        end = time.monotonic() + seconds
        while text not in self.screen[self._read_to :]:
            assert time.monotonic() < end, f"no {text!r} in {self.screen[self._read_to :]!r}"
            if not self._read(0.2):
                assert text in self.screen[self._read_to :], self.screen
        self._read_to = self.screen.index(text, self._read_to) + len(text)

    def type(self, text: str) -> None:
        """Press keys."""
        os.write(self._fd, text.encode())

    def interrupt_line(self, typed: str = "w") -> None:
        """Press Ctrl-C while a line is typed, as fast as a person can.

        Within microseconds of a key, before Python waits for the next one, a Ctrl-C counts only at that next
        one. Nothing on the screen tells when it waits.
        """
        self.type(typed)
        self.expect(typed)
        time.sleep(0.5)
        self.type("\x03")

    def end(self, seconds: float = 15) -> int:
        """Read to the end; the exit status."""
        end = time.monotonic() + seconds
        while self._read(0.2):
            assert time.monotonic() < end, self.screen[self._read_to :]
        return self.process.wait(seconds)

    @property
    def screen(self) -> str:
        """What was written, without the codes for colours and the cursor."""
        return _ESCAPE.sub("", self.raw).replace("\r\n", "\n")

    def close(self) -> None:
        """End the process, whatever it does."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._fd)

    def _read(self, seconds: float) -> bool:
        """Read what is there; False at the end."""
        if not select.select([self._fd], [], [], seconds)[0]:
            return self.process.poll() is None
        try:
            piece = os.read(self._fd, 65536)
        except OSError:  # how a terminal ends on Linux
            return False
        self.raw += piece.decode(errors="replace")
        return bool(piece)


@pytest.fixture
def terminal(server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Terminal]]:
    """Opens terminals in which the command runs against the server."""
    monkeypatch.setenv("DECISION_AI_URL", server)
    monkeypatch.setenv("DECISION_AI_API_KEY", KEY)
    opened: list[Terminal] = []

    def open_terminal(*arguments: str, **environment: str) -> Terminal:
        opened.append(Terminal(list(arguments), environment))
        return opened[-1]

    yield open_terminal
    for one in opened:
        one.close()
