"""The snippets of the first pages work as they say, with a private server of their own."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from decision_ai.examples import example

pytestmark = pytest.mark.timeout(120)

ROOT = Path(__file__).parents[2]
QUICKSTART = (ROOT / "docs" / "quickstart.md").read_text()
README = (ROOT / "README.md").read_text()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the model and the data of the quickstart."""
    for name, text in re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", QUICKSTART, re.DOTALL):
        (tmp_path / name).write_text(text)
    return tmp_path


def run(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def snippet(page: str) -> str:
    """The one snippet that talks to a session, as a script: a notebook runs it as it stands."""
    (code,) = [
        block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "stream_messages" in block
    ]
    return f"import asyncio\nasync def main():\n{textwrap.indent(code, '    ')}\nasyncio.run(main())\n"


def test_the_model_of_the_quickstart_solves(folder: Path) -> None:
    printed = run(folder, "-m", "decision_ai.cli", "solve", "model.py", "--data", "data.json")

    assert "objective 20" in printed
    assert "Fund Bridge, Park" in printed


def test_the_snippet_of_the_quickstart_runs(folder: Path) -> None:
    printed = run(folder, "-c", snippet(QUICKSTART))

    assert "Done." in printed
    assert "Fund Bridge, Park" in printed


def test_the_snippet_of_the_readme_runs(tmp_path: Path) -> None:
    source, json_data = example("knapsack")
    (tmp_path / "model.py").write_text(source)
    (tmp_path / "data.json").write_text(json_data)

    printed = run(tmp_path, "-c", snippet(README))

    assert "Done." in printed
    assert "Load 4 items" in printed
