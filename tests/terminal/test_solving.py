import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from decision_ai.solving.outcome import Outcome, OutcomeKind
from decision_ai.terminal.solving import exit_code, line_in_file

pytestmark = pytest.mark.timeout(60)


def solve(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "decision_ai.cli", "solve", *arguments],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


def test_the_plan_is_written_in_the_model_s_words(
    knapsack: tuple[str, str], best_value: Callable[[int], float]
) -> None:
    done = solve(knapsack[0], "--data", knapsack[1], "--seed", "3", "--gap", "0")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"optimal: objective {best_value(7):g}")
    assert "Load 7 items" in done.stdout


def test_json_has_outcome_values_and_text(
    knapsack: tuple[str, str], best_value: Callable[[int], float]
) -> None:
    done = solve(knapsack[0], "--data", knapsack[1], "--json")
    told = json.loads(done.stdout)
    data = json.loads(Path(knapsack[1]).read_text())
    assert told["outcome"]["kind"] == "optimal"
    value = sum(data["items"][index[0]]["value"] * taken for index, taken in told["values"]["take"])
    assert value == pytest.approx(best_value(7)) == told["outcome"]["objective"]
    assert told["text"].startswith("Load 7 items")


def test_infeasible_is_no_plan_and_has_its_own_status(knapsack: tuple[str, str]) -> None:
    data = Path(knapsack[1])
    data.write_text(data.read_text().replace('"capacity": 30.0', '"capacity": 1.0'))
    done = solve(knapsack[0], "--data", str(data))
    assert (done.returncode, done.stderr) == (3, "")
    assert done.stdout.startswith("infeasible\nNo plan satisfies all constraints at once.")
    assert "objective" not in done.stdout


def test_data_that_do_not_fit_are_told_by_their_path(knapsack: tuple[str, str]) -> None:
    data = Path(knapsack[1])
    data.write_text(data.read_text().replace('"weight": 7.5', '"weight": "heavy"'))
    done = solve(knapsack[0], "--data", str(data))
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "items.Tent.weight" in done.stderr
    assert "data.json" in done.stderr


def test_a_broken_rule_is_told_with_the_line_of_the_file(knapsack: tuple[str, str]) -> None:
    model = Path(knapsack[0])
    text = model.read_text().replace("<= data.capacity", "<= data.capasity")
    model.write_text(text.replace("import pulp\n", "import os\nimport pulp\n\nprint('at the top')\n"))
    line = 1 + next(n for n, code in enumerate(model.read_text().splitlines()) if "capasity" in code)
    done = solve(str(model), "--data", knapsack[1])
    assert done.returncode == 2
    assert (
        f"model.py', line {line}: constraint 'capacity': KnapsackData has no 'capasity'; did you mean"
        in done.stderr
    )
    assert done.stderr.count("capacity'?") == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (OutcomeKind.GAP_REACHED, 0),
        (OutcomeKind.LIMIT_WITH_PLAN, 0),
        (OutcomeKind.INTERRUPTED_WITH_PLAN, 0),
        (OutcomeKind.ERROR, 1),
        (OutcomeKind.UNBOUNDED, 3),
        (OutcomeKind.INFEASIBLE_OR_UNBOUNDED, 3),
        (OutcomeKind.LIMIT_WITHOUT_PLAN, 4),
        (OutcomeKind.INTERRUPTED_WITHOUT_PLAN, 4),
    ],
)
def test_every_outcome_has_an_exit_status(kind: OutcomeKind, code: int) -> None:
    assert exit_code(Outcome(kind=kind, objective=1.0 if kind.has_plan else None)) == code


def test_a_line_that_occurs_twice_is_not_guessed() -> None:
    assert line_in_file(1, "a\n", "b\na\n") == 2
    assert line_in_file(1, "a\n", "a\nb\na\n") is None
    assert line_in_file(9, "a\n", "b\na\n") is None


def test_an_interrupt_stops_within_a_second_with_the_best_plan(hard: tuple[str, str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "decision_ai.cli", "solve", hard[0], "--data", hard[1]],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(5)
    asked = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - asked < 4
    assert (process.returncode, err) == (0, "")
    assert out.startswith("interrupted_with_plan: objective")
    assert "missed " in out


def test_a_terminal_shows_how_far_the_solve_is(terminal: Callable[..., Any], hard: tuple[str, str]) -> None:
    running = terminal("solve", hard[0], "--data", hard[1], "--time-limit", "6")
    running.expect("solving ")
    running.expect("best ")
    running.expect("limit_with_plan: objective")
    assert running.end() == 0
