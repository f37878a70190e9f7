from pathlib import Path

import pytest

from decision_ai.examples import example
from decision_ai.modeling.importing.kinds import is_model_file, is_pulp_script, is_solver_file

pytestmark = pytest.mark.core


@pytest.mark.parametrize("name", ["a.lp", "a.MPS", "a.mps.gz", "a.b.lp.gz"])
def test_solver_files_are_known_by_their_names(name: str) -> None:
    assert is_solver_file(Path(name))


def test_other_names_are_no_solver_files() -> None:
    assert not any(is_solver_file(Path(name)) for name in ("a.py", "lp", "a.lp.txt", "a.gz"))


@pytest.mark.parametrize(
    "text",
    [
        "import pulp\n",
        "\ufeffimport pulp as p\n",
        "def f():\n    from pulp import *\n",
        "import csv, pulp.apis\n",
    ],
)
def test_a_text_that_imports_pulp_is_a_script(text: str) -> None:
    assert is_pulp_script(text)


@pytest.mark.parametrize("text", [example("knapsack")[0], "x = 1\n", "import pulp\n1 +\n", '{"a": 1}', "\0"])
def test_model_files_and_other_texts_are_none(text: str) -> None:
    assert not is_pulp_script(text)
    assert is_model_file(text) == (text == example("knapsack")[0])
