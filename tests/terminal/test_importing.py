"""`decision-ai import`, and a chat or solve straight from a script or a solver's file."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from decision_ai.cli import app
from decision_ai.modeling.program import Program

SCRIPTS = Path(__file__).parents[1] / "data" / "scripts"
SCRIPT = (SCRIPTS / "blending_v2.py").read_text()
OPTIMUM = 0.5215
LP = "\\ a plan\nMaximize\n profit: 3 x_1 + 2 x_2\nSubject To\n cap: x_1 + x_2 <= 4\nBounds\n x_1 <= 3\nEnd\n"

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a PuLP script and an LP file, which is the present one."""
    (tmp_path / "food.py").write_text(SCRIPT)
    (tmp_path / "plan.lp").write_text(LP)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _told(*arguments: str, status: int = 0) -> str:
    done = CliRunner().invoke(app, list(arguments), env={"COLUMNS": "80"})
    assert done.exit_code == status, done.output
    return done.output


def test_an_import_writes_model_and_data_and_says_what_it_found(here: Path) -> None:
    told = _told("import", "food.py")
    assert "TheCatFoodProblem: 6 columns, 3 rows" in told
    assert "Ingr (6 continuous)" in told
    assert "ProteinRequirement (1)" in told
    assert "minimize Total_cost_per_can" in told
    assert told.endswith("Next: decision-ai chat food_model.py --data food_model.json\n")
    assert set(Program.parse((here / "food_model.py").read_text()).variables) == {"Ingr"}
    assert json.loads((here / "food_model.json").read_text())["Ingr"]["WHEAT"]["upper"] == 40
    assert f"objective {OPTIMUM}" in _told("solve", "food_model.py", "--data", "food_model.json")


def test_an_import_replaces_files_only_by_force(here: Path) -> None:
    (here / "mine.json").write_text("{}")
    arguments = ["import", "plan.lp", "-o", "mine.py", "--data", "mine.json"]
    assert "'mine.json' exists already; name others with -o and --data" in _told(*arguments, status=2)
    assert not (here / "mine.py").exists()
    _told(*arguments, "--force")
    assert set(Program.parse((here / "mine.py").read_text()).constraints) == {"cap"}
    told = _told("import", "food.py", "-o", "food.py", "--force", status=2)
    assert "would replace 'food.py'" in told
    assert (here / "food.py").read_text() == SCRIPT


def test_one_of_several_problems_is_chosen(here: Path) -> None:
    script = str(SCRIPTS / "two_problems.py")
    assert "name one (--problem NAME" in _told("import", script, "-o", "m.py", status=2)
    assert "maximize" in _told("import", script, "-o", "m.py", "--problem", "second")


@pytest.mark.parametrize("name", ["food.py", "plan.lp"])
def test_a_solve_needs_no_import_before(here: Path, name: str) -> None:
    told = _told("solve", name)
    assert f"objective {OPTIMUM if name == 'food.py' else 11}" in told
    assert sorted(path.name for path in here.iterdir()) == ["food.py", "plan.lp"]


def test_an_import_has_its_own_data(here: Path) -> None:
    (here / "data.json").write_text("{}")
    told = _told("solve", "food.py", "--data", "data.json", status=2)
    assert "brings its own data; leave --data out" in told.replace("\n", " ")


def test_what_stops_a_script_is_one_sentence(here: Path) -> None:
    (here / "food.py").write_text(SCRIPT.replace("costs = ", "costs = unknown + "))
    told = _told("solve", "food.py", status=2)
    assert told.splitlines()[-1].startswith("decision-ai: 'food.py': line 7: NameError")


@pytest.mark.e2e
@pytest.mark.parametrize(("name", "optimum"), [("food.py", OPTIMUM), ("plan.lp", 11)])
def test_a_chat_opens_on_a_script_in_one_command(here: Path, run: Run, name: str, optimum: float) -> None:
    done = run("chat", name, typed="solve\n/export kept.py\n/quit\n")
    assert done.returncode == 0, done.stderr
    assert f"Imported from {name}" in done.stdout
    assert f"optimal: objective {optimum}" in done.stdout
    assert Program.parse((here / "kept.py").read_text()).variables
    assert "Status:" not in done.stdout
