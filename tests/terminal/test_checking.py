import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def chat(run: Run, knapsack: tuple[str, str]) -> Callable[..., list[str]]:
    """Types lines into a new session and gives the answer to each."""

    def typed(*lines: str) -> list[str]:
        done = run("chat", knapsack[0], "--data", knapsack[1], typed="\n".join([*lines, "/quit"]))
        assert (done.returncode, done.stderr) == (0, "")
        return [part.partition("\n")[2].strip() for part in done.stdout.split("you> ")[1:]]

    return typed


def test_checks_are_kept_shown_and_removed_in_the_chat(chat: Callable[..., list[str]]) -> None:
    answers = chat(
        "/checks",
        "/check few sum(v.take.values()) <= 2",
        "/check no_ladder v.take['Ladder'] <= 0",
        "/checks",
        "/uncheck few",
        "/uncheck few",
        "/check few",
        "/check few v.take <=",
        "/uncheck",
    )
    expected = [
        "You keep no check",
        "The check few is kept",
        "The check no_ladder is kept",
        r"few is broken: sum\(v.take.values\(\)\) <= 2 \(\d must be at most 2: it is missed by \d\) "
        "no_ladder is kept",
        "The check few is no longer kept.",
        "no check 'few' is kept; kept are: no_ladder",
        "say the name of the check and what must hold",
        "a check is an expression such as",
        "say which check to keep no longer",
    ]
    for answer, words in zip(answers, expected, strict=False):
        assert re.search(words.replace(" ", r"\s+"), answer), answer


def test_a_plan_in_a_file_is_checked(run: Run, knapsack: tuple[str, str], tmp_path: Path) -> None:
    opened = run(
        "chat", knapsack[0], "--data", knapsack[1], typed="/check few sum(v.take.values()) <= 2\n/quit"
    )
    assert opened.returncode == 0
    listed = run("sessions").stdout
    found = re.search(r"[0-9a-f]{8}-[0-9a-f-]{27}", listed)
    assert found, listed
    good = {"take": {"Tent": 1, "Kettle": 1}}
    (tmp_path / "good.json").write_text(json.dumps(good))
    bad = run("check", found[0], "--plan", str(tmp_path / "good.json"))
    assert (bad.returncode, bad.stderr) == (3, "")
    assert bad.stdout.startswith("not feasible: objective 42")
    assert "category_min[tools]: 0 must be at least 1, missed by 1" in bad.stdout
    assert "your check few is kept" in bad.stdout
    full = run("check", found[0], "--plan", str(tmp_path / "good.json"), "--data", knapsack[1])
    assert (full.returncode, full.stdout) == (3, bad.stdout)
    (tmp_path / "odd.json").write_text(json.dumps({"take": {"Tend": 1}}))
    odd = run("check", found[0], "--plan", str(tmp_path / "odd.json"))
    assert (odd.returncode, "Tend" in odd.stderr) == (2, True)
    solved = run("run", found[0], "--data", knapsack[1], "--out", str(tmp_path / "plan.xlsx"))
    assert solved.returncode == 0, solved.stderr
    best = run("check", found[0], "--plan", str(tmp_path / "plan.xlsx"))
    assert (best.returncode, best.stdout.startswith("feasible: objective")) == (3, True)
    assert "your check few is broken" in best.stdout
