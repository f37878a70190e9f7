import io
from pathlib import Path

import pytest

from decision_ai.errors import DecisionAIError
from decision_ai.terminal.files import read_data, read_inputs, read_model
from decision_ai.terminal.screen import Screen


def test_what_is_wrong_with_a_model_file_is_said_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    with pytest.raises(DecisionAIError, match=r"model\.py.*cannot be read"):
        read_model(path)
    path.write_text("import pulp\n\nclass Broken(:\n")
    with pytest.raises(DecisionAIError, match=r"model\.py' is not a model file: line 3"):
        read_model(path)


def test_what_is_wrong_with_a_data_file_is_said_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    with pytest.raises(DecisionAIError, match=r"data\.json.*cannot be read"):
        read_data(path)
    path.write_text('{"a": 1,\n "a": 2}')
    with pytest.raises(DecisionAIError, match="'a' occurs twice"):
        read_data(path)


def test_a_pulp_script_is_no_model_file_and_is_imported(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text("import pulp\np = pulp.LpProblem('p')\nx = p.add_variable('x', 1)\np += x\n")
    assert read_model(path).model_class == "P"
    with pytest.raises(DecisionAIError, match="there is no such file"):
        read_model(tmp_path / "plan.mps")
    inputs = read_inputs(Screen(io.StringIO()), path, None)
    assert inputs.imported is not None
    assert inputs.program.source == inputs.imported.source


def test_a_script_that_does_not_import_pulp_itself_is_told_what_to_try(tmp_path: Path) -> None:
    path = tmp_path / "main.py"
    path.write_text("import planning\nplanning.run()\n")
    with pytest.raises(DecisionAIError, match=r"if it builds a PuLP model, `decision-ai import .*main\.py`"):
        read_model(path)


def test_a_model_file_needs_its_data(knapsack: tuple[str, str]) -> None:
    model, data = map(Path, knapsack)
    assert read_inputs(Screen(io.StringIO()), model, data).imported is None
    with pytest.raises(DecisionAIError, match="name the data"):
        read_inputs(Screen(io.StringIO()), model, None)


def test_files_of_any_name_are_read(knapsack: tuple[str, str], tmp_path: Path) -> None:
    (tmp_path / "model.txt").write_text(Path(knapsack[0]).read_text())
    assert read_model(tmp_path / "model.txt").model_class == "Knapsack"
    (tmp_path / "data").write_text(Path(knapsack[1]).read_text())
    assert '"capacity"' in read_data(tmp_path / "data")
