import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from openpyxl import load_workbook

from decision_ai.examples import example
from decision_ai.tabular.data_sheets import data_sheets
from decision_ai.tabular.workbooks import write_workbook

pytestmark = pytest.mark.timeout(180)
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def session(run: Run, knapsack: tuple[str, str]) -> str:
    done = run("chat", knapsack[0], "--data", knapsack[1], typed="/quit\n")
    return done.stdout.splitlines()[0].rpartition(" ")[2]


@pytest.fixture
def workbook(tmp_path: Path) -> str:
    """The example's data with half the capacity, in Excel."""
    model, text = example("knapsack")
    data = {**json.loads(text), "capacity": 15.0}
    path = tmp_path / "next week.xlsx"
    path.write_bytes(write_workbook(data_sheets(data, model)))
    return str(path)


def test_a_session_runs_on_a_workbook_and_the_plan_is_written(
    run: Run, session: str, workbook: str, tmp_path: Path
) -> None:
    out = tmp_path / "plan.xlsx"
    done = run("run", session, "--data", workbook, "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    assert "optimal: objective" in done.stdout
    unwrapped = "".join(done.stdout.split())
    assert f"Writtento{out}." in unwrapped
    assert load_workbook(out).sheetnames == ["Summary", "Constraints", "take"]
    again = run("run", session, "--data", workbook, "--out", str(out))
    assert (again.returncode, again.stdout) == (2, "")
    assert "exists already" in again.stderr
    folder = run("run", session, "--data", workbook, "--version", "0", "--out", str(tmp_path / "plan"))
    assert folder.returncode == 0, folder.stderr
    assert (tmp_path / "plan" / "take.csv").is_file()
    full = run("run", session, "--data", workbook, "--out", str(tmp_path / "plan"))
    assert (full.returncode, full.stdout) == (2, "")  # before anybody waits for the solve
    assert "not empty" in full.stderr


def test_what_is_wrong_with_the_data_names_the_cell(run: Run, session: str, workbook: str) -> None:
    book = load_workbook(workbook)
    book["items"]["B2"] = "heavy"
    book.save(workbook)
    done = run("run", session, "--data", workbook)
    assert (done.returncode, done.stdout) == (2, "")
    assert "next week.xlsx, items!B2, column 'weight': 'heavy' is not a number" in done.stderr


def test_parts_that_do_not_build_stop_a_run_unless_allowed(run: Run, tmp_path: Path) -> None:
    model, text = example("diet")
    data = json.loads(text)
    (tmp_path / "model.py").write_text(model)
    (tmp_path / "data.json").write_text(text)
    del data["content"]["Rice"]
    (tmp_path / "new.json").write_text(json.dumps(data))
    started = run("chat", str(tmp_path / "model.py"), "--data", str(tmp_path / "data.json"), typed="/quit\n")
    session = started.stdout.splitlines()[0].rpartition(" ")[2]
    done = run("run", session, "--data", str(tmp_path / "new.json"))
    assert done.returncode == 2
    assert "Parts that do not build on these data:" in done.stdout
    assert "constraint nutrient_min" in done.stdout
    allowed = run("run", session, "--data", str(tmp_path / "new.json"), "--allow-incompatible")
    assert allowed.returncode == 0
    assert "are left out" in allowed.stdout
    went_on = run("chat", "--session", session, "--data", str(tmp_path / "new.json"), typed="y\n/quit\n")
    assert went_on.returncode == 0, went_on.stderr
    assert "left out" in went_on.stdout
    assert "The session has the new data." in went_on.stdout
    rejected = run("chat", "--continue", "--data", str(tmp_path / "data.json"), typed="no, later\n/quit\n")
    assert "The session keeps its data." in rejected.stdout
