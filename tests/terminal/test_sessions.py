import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from decision_ai.modeling.program import Program

pytestmark = pytest.mark.timeout(120)
Run = Callable[..., subprocess.CompletedProcess[str]]


def test_yes_approves_everything_and_a_session_goes_on_in_another_process(
    run: Run, knapsack: tuple[str, str], tmp_path: Path, best_value: Callable[[int], float]
) -> None:
    done = run("chat", *knapsack[:1], "--data", knapsack[1], "--yes", typed="pick at most 5 items\n/quit\n")
    assert done.returncode == 0, done.stderr
    session_id = done.stdout.splitlines()[0].rpartition(" ")[2]
    assert session_id in run("sessions").stdout
    written = str(tmp_path / "written.py")
    typed = f"/export {written}\n/export {written}\n/solve\n/undo\n/solve\n/bogus\n"
    went_on = run("chat", "--session", session_id, typed=typed).stdout
    assert "exists already" in went_on
    assert "there is no command '/bogus'" in went_on
    first, _, second = went_on.partition("/undo")
    assert f"objective {best_value(5):g}" in first
    assert f"objective {best_value(7):g}" in second
    assert len(Program.parse(Path(written).read_text()).constraints) == 4
    assert run("sessions", "delete", session_id).returncode == 0
    gone = run("chat", "--session", session_id)
    assert (gone.returncode, len(gone.stderr.splitlines())) == (2, 1)


def test_without_an_address_a_private_server_is_started(
    run: Run, knapsack: tuple[str, str], monkeypatch: pytest.MonkeyPatch, best_value: Callable[[int], float]
) -> None:
    monkeypatch.delenv("DECISION_AI_URL")
    monkeypatch.delenv("DECISION_AI_API_KEY")
    done = run("chat", knapsack[0], "--data", knapsack[1], typed="solve\n")
    assert f"objective {best_value(7):g}" in done.stdout
    assert Path(os.environ["DECISION_AI_STATE_DIR"], "server.log").read_text() == ""


def test_the_newest_session_of_a_model_is_looked_for_by_its_class(
    run: Run, hard: tuple[str, str], knapsack: tuple[str, str]
) -> None:
    run("chat", *knapsack[:1], "--data", knapsack[1], typed="/quit\n")
    done = run("chat", hard[0], "--continue")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no session of Split to continue" in done.stderr
    assert "Knapsack: 1 variable family, 3 constraints" in run("chat", knapsack[0], "--continue").stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["model.py", "--session", "x"], "leave MODEL.py and --continue out"),
        (["--continue", "--session", "x"], "leave MODEL.py and --continue out"),
    ],
)
def test_what_would_be_ignored_is_refused(run: Run, arguments: list[str], sentence: str) -> None:
    done = run("chat", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr
