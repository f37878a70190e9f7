"""The README shows what the command really prints."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

ROOT = Path(__file__).parents[2]
TYPED = "pick at most 4 items\ny\nsolve\n"


def without_session_id(text: str) -> str:
    return re.sub(r"session [0-9a-f-]{36}", "session …", text)


def test_the_transcript_is_real() -> None:
    example = "decision_ai/examples/knapsack"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "decision_ai.cli",
            "chat",
            f"{example}/model.py",
            "--data",
            f"{example}/data.json",
        ],
        input=TYPED,
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=100,
        check=True,
    )
    shown = re.search(
        r"<!-- transcript: begin -->\n```\n(.*?)```\n<!-- transcript: end -->",
        (ROOT / "README.md").read_text(),
        re.DOTALL,
    )

    assert shown is not None
    assert without_session_id(done.stdout).rstrip() == without_session_id(shown[1]).rstrip()
