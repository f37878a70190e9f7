import pytest

from decision_ai.errors import ProgramError
from decision_ai.modeling.loading import load_model
from decision_ai.modeling.program import Program

pytestmark = pytest.mark.core

FILE = """from __future__ import annotations
import enum, math
import json
from decision_ai import InputData, OptModel, Var, Variables, binary, constraint
{top}
class D(InputData):
    n: int
class V(Variables):
    x: Var = binary()
class M(OptModel[D, V]):
    @constraint()
    def c(self, data, v):
        return v.x <= {use}
{end}"""


def composed(top: str = "", use: str = "1", end: str = "") -> str:
    return Program.parse(FILE.format(top=top, use=use, end=end)).composed()


def test_the_owners_own_code_is_left_out(variant: str) -> None:
    text = Program.parse(variant).composed()
    for gone in ("print(", "load_input_data", "__name__", "import json", "pathlib", "never_used", "\ufeff"):
        assert gone not in text
    for kept in (
        '"""Pick the most',
        "LIMIT = 7",
        "def total",
        "import pulp",
        "# a comment",
        "solution_to_str",
    ):
        assert kept in text
    before, after = Program.parse(variant), Program.parse(text)
    assert {id: part.code for id, part in after.constraints.items()} == {
        id: part.code for id, part in before.constraints.items()
    }
    assert after.variables.keys() == before.variables.keys()
    assert after.data_schema_snapshot() == before.data_schema_snapshot()
    assert after.composed() == text


def test_what_parts_use_comes_along() -> None:
    top = (
        "BIG = 10 * 100\nPAIR = tuple[str, str]\nclass Kind(enum.Enum):\n    A = 1\n"
        "def outer(x):\n    return inner(x)\ndef inner(x):\n    return x * BIG\ndef unused():\n    pass\n"
    )
    text = composed(top, "outer(1) + (Kind.A is None)")
    assert all(
        name in text for name in ("BIG", "PAIR", "class Kind", "def outer", "def inner", "import enum")
    )
    assert "unused" not in text
    assert "__future__" in text
    assert load_model(text, "composed_one").constraints.keys() == {"c"}


@pytest.mark.parametrize(
    "end",
    [
        "x = open('f')",
        "x: int = f()",
        "x = [i for i in y]",
        "for i in []:\n    pass",
        "del M",
        "x = (lambda: 1)",
    ],
)
def test_whatever_runs_is_left_out(end: str) -> None:
    assert composed(end=end + "\n") == composed()


def test_the_unit_of_a_type_is_kept() -> None:
    kilograms = 'Kilograms = Annotated[float, unit("kg")]'
    top = f"from typing import Annotated\nfrom decision_ai import unit\n{kilograms}\n"
    assert kilograms in composed(top)
    assert "unit(open" not in composed('X = unit(open("/etc/passwd").read())')


def test_a_class_used_only_in_a_quoted_annotation_comes_along() -> None:
    top = "class Kind(str):\n    pass\n"
    text = Program.parse(FILE.format(top=top, use="1", end="").replace("n: int", "n: 'Kind'")).composed()
    assert "class Kind" in text


def test_a_loader_that_is_all_of_the_model_class_leaves_pass() -> None:
    text = composed().replace(
        "    @constraint()\n    def c(self, data, v):\n        return v.x <= 1",
        "    def load_input_data(path):\n        return 1",
    )
    assert Program.parse(text).composed().rstrip().endswith("(OptModel[D, V]):\n    pass")


def test_statements_that_share_a_line_are_refused_if_only_one_goes() -> None:
    with pytest.raises(ProgramError, match="share a line"):
        composed("A = 1; print(A)")
    assert "print" not in composed("print(1); print(2)")
