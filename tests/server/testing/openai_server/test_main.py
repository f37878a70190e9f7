"""The command runs a script's endpoint and ends in good order."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from decision_ai_server.testing import Peer, Script


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_is_and_ends_at_a_signal(tmp_path: Path, number: signal.Signals):
    file = tmp_path / "script.json"
    file.write_text(Script(replies=(), peer=Peer(models=("a",))).model_dump_json())
    command = [sys.executable, "-W", "error", "-m", "decision_ai_server.testing.openai_server", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        models = httpx.get(f"{ready['base_url']}/models", trust_env=False).json()["data"]
        process.send_signal(number)
        _, complaints = process.communicate(timeout=10)

    assert [model["id"] for model in models] == ["a"]
    assert ready["pid"] == process.pid
    assert (process.returncode, complaints) == (0, "")
