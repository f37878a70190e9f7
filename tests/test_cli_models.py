"""What the command hands on; what becomes of it is tested in `server/models`."""

import runpy
import subprocess
import sys
from typing import Any

import pytest
from typer.testing import CliRunner

from decision_ai.cli import app


@pytest.mark.parametrize("command", [[], ["check"], ["fetch"], ["serve-local"]])
def test_every_command_has_help_with_an_example_in_80_columns(command: list[str]) -> None:
    done = CliRunner().invoke(app, ["models", *command, "--help"], env={"COLUMNS": "80", "TERM": "dumb"})
    assert done.exit_code == 0
    assert f"decision-ai models {' '.join(command)}".strip() in done.output.partition("Options")[0]
    assert all(len(line) <= 80 for line in done.output.splitlines())


@pytest.mark.parametrize(
    ("arguments", "handed_on"),
    [
        (["check"], ["check"]),
        (["check", "--json"], ["check", "--json"]),
        (["fetch"], ["fetch"]),
        (
            ["fetch", "--from", "a b.gguf", "--name", "-x", "--sha256", "00", "--link", "--yes"],
            ["fetch", "--from=a b.gguf", "--name=-x", "--sha256=00", "--link", "--yes"],
        ),
        (["fetch", "--list"], ["fetch", "--list"]),
        (["serve-local"], ["serve-local"]),
        (
            [
                "serve-local",
                "--model",
                "m",
                "--host",
                "::1",
                "--port",
                "0",
                "--threads",
                "2",
                "--context",
                "9",
            ],
            ["serve-local", "--model=m", "--host=::1", "--port=0", "--threads=2", "--context=9"],
        ),
    ],
)
def test_what_is_given_is_handed_on(
    arguments: list[str], handed_on: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(sys, "argv", ["decision-ai"])
    monkeypatch.setattr(runpy, "run_module", lambda name, **_: seen.append((name, sys.argv[1:])))
    done = CliRunner().invoke(app, ["models", *arguments])
    assert (done.exit_code, done.output) == (0, "")
    assert seen == [("decision_ai_server.models", handed_on)]


def test_the_exit_status_of_the_server_package_is_that_of_the_command() -> None:
    command = [sys.executable, "-m", "decision_ai.cli", "models", "check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("decision-ai: there is no language model")
