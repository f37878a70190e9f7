"""The file runs alone, and chat can open it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from decision_ai.examples import example
from decision_ai.modeling.exporting.python_file import MOST_EMBEDDED, python_text
from decision_ai.modeling.program import Program

pytestmark = pytest.mark.core


def run(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, path.name, *arguments]
    return subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)


def test_it_prints_outcome_and_plan_of_its_own_data_or_of_others(tmp_path: Path) -> None:
    source, data = example("knapsack")
    path = tmp_path / "my model.py"
    path.write_text(python_text(Program.parse(source), data), encoding="utf-8")
    alone = run(path)
    assert alone.stdout.startswith("optimal: objective 149")
    assert "Tent (outdoor)" in alone.stdout
    (tmp_path / "less.json").write_text(json.dumps(json.loads(data) | {"capacity": 29.0}))
    assert run(path, "less.json").stdout.startswith("optimal: objective 142")


def test_without_data_it_says_what_it_needs(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(python_text(Program.parse(example("diet")[0])), encoding="utf-8")
    done = run(path)
    assert (done.returncode, done.stderr) == (1, "say which data: python model.py data.json\n")


def test_chat_reads_it_as_the_same_model() -> None:
    source, data = example("transportation")
    program = Program.parse(source)
    assert Program.parse(python_text(program, data)).composed() == program.composed()


def test_no_label_ends_the_data_early() -> None:
    label = "''' + __import__('os').system('true') + r''' \\ \" \u2028 {x}"
    text = python_text(Program.parse(example("diet")[0]), json.dumps({"label": label}))
    found: dict[str, str] = {}
    block = text.partition('if __name__ == "__main__":')[2]
    lines = block[block.index("DATA = ") : block.index("    data = ")]
    exec(lines, found)
    assert json.loads(found["DATA"]) == {"label": label}


def test_large_data_stay_outside() -> None:
    data = json.dumps({"text": "x" * MOST_EMBEDDED})
    text = python_text(Program.parse(example("diet")[0]), data)
    assert len(text) < MOST_EMBEDDED
    assert "say which data" in text
