"""The commands as a person runs them."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from subprocess import PIPE

import pytest

from decision_ai_server.models.__main__ import main
from decision_ai_server.models.trial import SENTENCE
from decision_ai_server.testing import Manner, Peer, Reply, Script, scripted_process
from tests.server.models.tiny import gguf

KEY = "sk-the-secret-of-this-test"
READY = Reply.text("ready")
JSON = Reply.text('{"word": "ready", "count": 5}')
CALL = Reply.tool_call("note", {"word": "ready"})
EDIT = {
    "op": "set_constraint",
    "code": "@constraint()\ndef few(self, data, v):\n"
    "    return pulp.lpSum(v.take[i] for i in data.items) <= 5\n",
}
CHANGE = Reply.tool_call("propose_changes", {"edits": [EDIT], "sentence": SENTENCE, "reading": "few"})
SCRIPT = Script(replies=(READY, READY, CALL, CALL, JSON, JSON, CHANGE), peer=Peer(models=("m",), api_key=KEY))


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DECISION_AI_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


def test_check_tries_everything_and_never_prints_the_key(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DECISION_AI_LLM_MODEL", "m")
    monkeypatch.setenv("DECISION_AI_LLM_API_KEY", KEY)
    with scripted_process(SCRIPT) as server:
        monkeypatch.setenv("DECISION_AI_LLM_BASE_URL", server.base_url)
        status = main(["check"])
    said, complained = capsys.readouterr()
    assert (status, complained) == (0, "")
    lines = said.splitlines()
    assert all(line.startswith("ok  ") for line in lines[:-1])
    assert "the plan with it loads 5 items" in lines[-2]
    assert lines[-1] == "This endpoint can be used."
    assert KEY not in said


def test_check_as_json_and_a_status_where_it_is_not_usable(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DECISION_AI_LLM_MODEL", "m")
    monkeypatch.setenv("DECISION_AI_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    assert main(["check", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["usable"] is False
    assert [step["name"] for step in told["steps"]] == ["reachable", "plain reply"]


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({}, "there is no language model: set DECISION_AI_LLM_BASE_URL"),
        ({"BASE_URL": "http://models.example/v1", "MODEL": "m"}, "DECISION_AI_LLM_BASE_URL is http"),
        ({"BASE_URL": "nonsense", "MODEL": "m"}, "the setting DECISION_AI_LLM_BASE_URL: it is not an http"),
        ({"MAX_TOKENS": "many"}, "the setting DECISION_AI_LLM_MAX_TOKENS: Input should be a valid integer"),
    ],
)
def test_bad_settings_are_one_sentence_and_status_2(
    environment: dict[str, str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(f"DECISION_AI_LLM_{name}", value)
    assert main(["check"]) == 2
    said, complained = capsys.readouterr()
    assert said == ""
    assert complained.startswith(f"decision-ai: {sentence}")
    assert len(complained.splitlines()) == 1


def test_a_file_is_fetched_and_listed(
    tmp_path: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "own.gguf"
    file.write_bytes(gguf())
    assert main(["fetch", "--from", str(file), "--name", "mine"]) == 0
    assert capsys.readouterr().out == f"{cache / 'mine.gguf'}\n"
    assert main(["fetch", "--list"]) == 0
    assert "mine (here): " in capsys.readouterr().out


def test_a_large_download_needs_a_yes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fetch"]) == 2
    assert "add --yes to agree" in capsys.readouterr().err

    class Terminal:
        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            return "n\n"

    monkeypatch.setattr(sys, "stdin", Terminal())
    assert main(["fetch"]) == 1
    assert "Download 1,117 MB? [y/N] " in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="ends by a signal")
@pytest.mark.parametrize("where", ["in a probe", "in the trial edit"])
def test_a_stop_in_the_middle_of_a_check_is_clean(where: str) -> None:
    slow = Reply.text("ready", manner=Manner(stall_seconds=60))
    done = 2 if where == "in a probe" else 6
    script = Script(replies=(*SCRIPT.replies[:done], slow), peer=Peer(models=("m",)))
    with scripted_process(script) as server:
        environment = {
            **os.environ,
            "DECISION_AI_LLM_MODEL": "m",
            "DECISION_AI_LLM_BASE_URL": server.base_url,
        }
        command = [sys.executable, "-m", "decision_ai_server.models", "check"]
        with subprocess.Popen(command, env=environment, stdout=PIPE, stderr=PIPE, text=True) as process:
            assert process.stdout is not None
            shown = done + (1 if done == 2 else 2)
            lines = [process.stdout.readline() for _ in range(shown)]
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            said, complained = process.communicate(timeout=10)
    assert all(line.startswith("ok") for line in lines)
    assert (process.returncode, complained) == (130, "")
    assert "cannot be used" not in said


def test_a_stop_is_status_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("decision_ai_server.models.__main__.fetch", stopped)
    assert main(["fetch", "--yes"]) == 130


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["serve-local", "--port", "70000"],
        ["serve-local", "--threads", "0"],
        ["fetch", "--sha256", "12"],
        ["fetch", "--sha256", "g" * 64],
    ],
)
def test_bad_arguments_are_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_model_that_is_not_there_is_not_served(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve-local"]) == 2
    assert "run: decision-ai models fetch --name qwen2.5-coder-1.5b" in capsys.readouterr().err
    assert main(["serve-local", "--host", "0.0.0.0"]) == 2
    assert "DECISION_AI_LOCAL_API_KEY" in capsys.readouterr().err
