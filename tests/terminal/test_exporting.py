"""`decision-ai export` of files and sessions."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from decision_ai.cli import app
from decision_ai.client.client import DecisionAI
from decision_ai.examples import example


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DECISION_AI_STATE_DIR", str(tmp_path / "state"))
    source, data = example("diet")
    Path("model.py").write_text(source, encoding="utf-8")
    Path("data.json").write_text(data, encoding="utf-8")


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["export", *arguments])
    return done.exit_code, done.stdout, done.stderr


def test_a_model_file_is_written_in_another_form() -> None:
    assert run("model.py", "diet.lp", "--data", "data.json") == (0, "Written to diet.lp.\n", "")
    assert Path("diet.lp").read_text(encoding="utf-8").startswith("\\ Diet")
    assert Path("diet.lp.names.json").is_file()
    assert run("model.py", "diet.txt", "--data", "data.json", "--format", "latex")[0] == 0
    assert Path("diet.txt").read_text(encoding="utf-8").startswith("\\documentclass")


def test_a_file_that_is_there_is_kept_unless_asked() -> None:
    Path("diet.md").write_text("mine")
    arguments = ("model.py", "diet.md", "--data", "data.json")
    assert run(*arguments) == (2, "", "decision-ai: 'diet.md' exists already; choose another name\n")
    assert run(*arguments, "--overwrite")[0] == 0
    assert Path("diet.md").read_text(encoding="utf-8").startswith("# Diet")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["model.py", "diet.lp"], "name the data that 'model.py' runs on: --data DATA.json"),
        (["model.py", "diet.lp", "--data", "data.json", "--version", "1"], "a model file has no versions"),
        (["session-1", "diet.lp", "--data", "data.json"], "a session has its data; leave --data out"),
        (["model.py", "diet", "--data", "data.json"], "'diet' does not say in which format to write"),
        (["no.py", "diet.lp", "--data", "data.json"], "the model file 'no.py' cannot be read"),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], sentence: str) -> None:
    code, out, error = run(*arguments)
    assert (code, out) == (2, "")
    assert sentence in error


def test_a_model_that_does_not_build_is_one_sentence() -> None:
    Path("data.json").write_text("{}")
    code, _, error = run("model.py", "diet.lp", "--data", "data.json")
    assert (code, error.count("\n")) == (2, 1)
    assert "the data do not fit DietData" in error
    assert not Path("diet.lp").exists()


@pytest.mark.parametrize("name", ["script.py", "plan.lp"])
def test_what_is_no_model_file_is_imported_first(name: str) -> None:
    Path("script.py").write_text(
        "import pulp\np = pulp.LpProblem('p')\nx = p.add_variable('x', 2)\np += 3 * x\np.solve()\n"
    )
    Path("plan.lp").write_text("min\n 3 x\nst\n c: x >= 2\nend\n")
    code, out, error = run(name, "plan.mps")
    assert (code, error) == (0, "")
    assert out.endswith("Written to plan.mps.\n")
    assert ("Note: The model is what the script has built on line 5" in out) == (name == "script.py")
    assert " x n_obj 3" in Path("plan.mps").read_text() or " x total 3" in Path("plan.mps").read_text()
    code, _, error = run(name, "other.mps", "--data", "data.json")
    assert (code, "brings its own data; leave --data out" in error) == (2, True)


def test_a_session_is_written() -> None:
    with DecisionAI() as client:
        session = client.create_chat_session(Path("model.py"), Path("data.json"))
        assert run(session.id, "diet.tex") == (0, "Written to diet.tex.\n", "")
        assert run(session.id, "diet.py", "--version", "0")[0] == 0
    assert Path("diet.tex").read_text(encoding="utf-8").startswith("\\documentclass")
