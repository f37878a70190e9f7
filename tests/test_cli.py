"""The command's own surface: help, version and how errors are told. What it does is tested in `terminal/`."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from decision_ai import __version__
from decision_ai.cli import app


def test_version() -> None:
    done = CliRunner().invoke(app, ["--version"])
    assert (done.exit_code, done.output) == (0, f"decision-ai {__version__}\n")


@pytest.mark.parametrize(
    "command", [[], ["chat"], ["solve"], ["import"], ["export"], ["serve"], ["sessions"]]
)
def test_every_command_has_help_with_an_example_in_80_columns(command: list[str]) -> None:
    done = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "80", "TERM": "dumb"})
    assert done.exit_code == 0
    assert f"decision-ai {' '.join(command)}".strip() in done.output.partition("Options")[0]
    assert all(len(line) <= 80 for line in done.output.splitlines())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["solve", "no.py", "--data", "no.json"], "the model file 'no.py' cannot be read"),
        (["chat", "no.py", "--data", "no.json"], "the model file 'no.py' cannot be read"),
        (["chat"], "name a model file and its data"),
        (["chat", "model.py"], "name the data that 'model.py' runs on: --data DATA.json"),
        (["solve", "model.py"], "name the data that 'model.py' runs on: --data DATA.json"),
        (["solve", "empty.py"], "needs one class that derives from OptModel"),
        (["import", "no.py"], "the script 'no.py' cannot be read"),
        (["import", "model.py", "-o", "new.py"], "'model.py' is a model file already"),
        (["import", "data.json", "-o", "new.py"], "'data.json' cannot be imported: name a PuLP script"),
        (["solve", "model.py", "--data", "data.json"], "the data in 'data.json': not valid JSON at line 1"),
        (["chat", "model.py", "--data", "data.json"], "the data in 'data.json': not valid JSON at line 1"),
        (["solve", "data.json", "--data", "data.json"], "'data.json' is not a model file: line 1"),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from decision_ai.examples import example

    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(example("diet")[0])
    Path("data.json").write_text("{oops")
    Path("empty.py").write_text("")
    done = CliRunner().invoke(app, arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("decision-ai: ")
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_server_that_is_not_there_is_status_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = CliRunner().invoke(app, ["sessions", "--url", "http://127.0.0.1:9"])
    assert done.exit_code == 1
    assert "http://127.0.0.1:9 cannot be reached" in done.stderr


@pytest.mark.parametrize(
    "wrong", [["--gap", "-1"], ["--threads", "0"], ["--time-limit", "nan"], ["--gap", "inf"]]
)
def test_numbers_that_make_no_sense_are_refused(wrong: list[str]) -> None:
    done = CliRunner().invoke(app, ["solve", "model.py", "--data", "data.json", *wrong])
    assert done.exit_code == 2
    assert "Traceback" not in done.output
