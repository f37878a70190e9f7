from typing import Any

import pulp as real
import pytest

from decision_ai.modeling.importing.pulp_algebra import NotRead
from decision_ai.modeling.importing.pulp_names import NAMES

pytestmark = pytest.mark.core

TABLE = """
      L1   L2
C1    6    42
C2    21   22
"""


@pytest.mark.parametrize(
    "call",
    [
        "makeDict([['a', 'b'], [1, 2]], [[3, 4], [5, 6]])",
        "makeDict([['a', 'b'], [1, 2]], [[3, 4], [5, 6]], 0)['a'][9]",
        "makeDict([['a', 'b'], [1, 2]], [[3, 4], [5, 6]], 7)['z'][9]",
        "makeDict([['a', 'b']], [3, 4], 0)['z']",
        "splitDict({'a': [1, 2], 'b': [3, 4]})",
        "list(combination('abc', 2)) + list(permutation('abc', 2))",
        "list(allcombinations([1, 2, 3, 4], 2))",
        "list(allpermutations([1, 2, 3], 3))",
        "read_table(TABLE, int)['C2', 'L1']",
        "read_table(TABLE, int, transpose=True)['L2', 'C1']",
        "(LpMinimize, LpMaximize, LpConstraintLE, LpConstraintEQ, LpConstraintGE)",
        "(LpContinuous, LpInteger, LpBinary)",
        "value(3), isNumber(2.5), isNumber('a')",
    ],
)
def test_helpers_and_constants_are_those_of_pulp(call: str) -> None:
    assert eval(call, {**NAMES, "TABLE": TABLE}) == eval(call, {**vars(real), "TABLE": TABLE})


def test_no_public_name_of_the_installed_pulp_is_unknown_that_a_model_needs() -> None:
    public = {name for name in dir(real) if name[:2] in {"Lp", "lp"} and name[2:3].isalpha()}
    written_only = {"LpConstraintTypeToMps", "LpCplexLPLineSize", "LpSensesMPS", "LpStatusToSolution"}
    results = {"LpSolveStats", "LpSolveStatus"}
    assert public - set(NAMES) - written_only - results - {"LpProblem"} == set()


@pytest.mark.parametrize("name", ["PULP_CBC_CMD", "HiGHS", "HiGHS_CMD", "GLPK_CMD", "GUROBI", "COIN_CMD"])
def test_solvers_take_any_options(name: str) -> None:
    solver = NAMES[name](msg=False, timeLimit=3, path="/nowhere")
    assert solver.available()
    assert name in NAMES["listSolvers"](onlyAvailable=True)
    assert type(NAMES["getSolver"](name, msg=0)) is NAMES[name]


@pytest.mark.parametrize("name", ["LpFractionConstraint", "FixedElasticSubProblem", "LpConstraintVar"])
def test_what_is_not_read_says_so(name: str) -> None:
    made: Any = NAMES[name]
    with pytest.raises(NotRead, match=r"(is|are) not read"):
        made("a", 1)
