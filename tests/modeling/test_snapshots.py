import pytest

from decision_ai.errors import ProgramError
from decision_ai.modeling.snapshots import read_constraint_code, read_objective_code, read_variable_code

pytestmark = pytest.mark.core


def test_id_formula_and_description_are_read_from_code() -> None:
    constraint = read_constraint_code(
        '  @constraint("m")\n  def c(self, data, v):\n    """Said."""\n    return 1\n'
    )
    assert (constraint.constraint_id, constraint.math_formulation, constraint.description) == (
        "c",
        "m",
        "Said.",
    )
    assert constraint.code == '@constraint("m")\ndef c(self, data, v):\n  """Said."""\n  return 1'
    variable = read_variable_code("# why\nx: Var = integer(math='x')\n'Said.'\n# after")
    assert variable.model_dump() == {
        "variable_id": "x",
        "code": "x: Var = integer(math='x')\n'Said.'",
        "math_formulation": "x",
        "description": "Said.",
    }
    objective = read_objective_code("@objective('minimize', 'o')\ndef o(self, data, v):\n    return 1")
    assert (objective.math_formulation, objective.description) == ("o", "")


def test_code_of_another_kind_is_refused() -> None:
    variable = "x: Var = integer()"
    for read in (read_constraint_code, read_objective_code):
        with pytest.raises(ProgramError, match="exactly one method decorated with"):
            read(variable)
    with pytest.raises(ProgramError, match="exactly one annotated assignment"):
        read_variable_code("x = integer()")
