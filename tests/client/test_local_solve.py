"""A solve without a server."""

from pathlib import Path

import pytest

import decision_ai
from decision_ai.errors import DecisionAIError
from decision_ai.examples import example
from decision_ai.examples.knapsack.model import Knapsack
from decision_ai.solving.outcome import OutcomeKind


def test_paths_texts_and_classes_are_solved(tmp_path: Path) -> None:
    source, data = example("knapsack")
    (tmp_path / "model.py").write_text(source, encoding="utf-8")
    (tmp_path / "data.json").write_text(data, encoding="utf-8")
    for model, given in ((tmp_path / "model.py", tmp_path / "data.json"), (source, data), (Knapsack, data)):
        solution = decision_ai.solve(model, given)
        assert (solution.status, solution.objective_value) == (OutcomeKind.OPTIMAL, 149)


def test_limits_are_kept() -> None:
    parameters = decision_ai.SolveParameters(objective_limit=100)
    assert decision_ai.solve(*example("knapsack"), parameters).objective_value >= 100


def test_a_model_that_does_not_build_is_an_outcome() -> None:
    source, data = example("knapsack")
    solution = decision_ai.solve(source.replace("v.take", "v.tale"), data)
    assert not solution
    assert "did you mean 'take'" in str(solution)


def test_ids_mean_nothing_without_a_server() -> None:
    with pytest.raises(DecisionAIError, match="without a server a model and data have no ids"):
        decision_ai.solve("model-1", example("knapsack")[1])


def test_what_is_no_model_file_is_imported_with_its_own_data(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import pulp\np = pulp.LpProblem('p')\nx = p.add_variable('x', 2)\np += 3 * x\n")
    plan = tmp_path / "plan.lp"
    plan.write_text("min\n 3 x\nst\n c: x >= 2\nend\n")
    for path in (script, str(script), plan):
        assert decision_ai.solve(path).objective_value == 6
        with pytest.raises(DecisionAIError, match="brings its own data; leave the data out"):
            decision_ai.solve(path, {})
    with pytest.raises(DecisionAIError, match=r"name the data .*: solve\(model, data\)"):
        decision_ai.solve(example("knapsack")[0])
