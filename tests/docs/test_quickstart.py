"""The quickstart's own files work as it says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "quickstart.md"


@pytest.mark.timeout(60)
def test_the_model_of_the_quickstart_solves(tmp_path: Path) -> None:
    blocks = re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", PAGE.read_text(), re.DOTALL)
    for name, text in blocks:
        (tmp_path / name).write_text(text)

    done = subprocess.run(
        [sys.executable, "-m", "decision_ai.cli", "solve", "model.py", "--data", "data.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )

    assert "objective 20" in done.stdout
    assert "Fund Bridge, Park" in done.stdout
