import pytest

from decision_ai.examples import example
from decision_ai.modeling.notations import notations
from decision_ai.modeling.program import Program

pytestmark = pytest.mark.core


def test_sets_parameters_and_variables_are_told_apart() -> None:
    found = notations(Program.parse(example("production_planning")[0]))
    assert found.sets == {
        "months": "Months in the order of time.",
        "products": "Products by name.",
        "machines": "Machines by name.",
    }
    assert found.parameters["products.demand"] == "Demand by month, in units."
    assert found.parameters["hours_per_unit"] == "Machine time by product and machine, in hours per unit."
    assert found.variables["stock"] == "Units of the product in stock at the end of the month."


def test_single_nested_data_and_data_that_nest_themselves_are_read() -> None:
    text = (
        "from decision_ai import *\nclass Node(InputData):\n    size: float\n    parts: 'list[Node]'\n"
        "class D(InputData):\n    root: Node\n    spare: Node | None\n    weights: list[float]\n"
        "class V(Variables):\n    x: Var = binary()\nclass M(OptModel[D, V]):\n    pass\n"
    )
    found = notations(Program.parse(text))
    assert list(found.parameters) == ["root.size", "root.parts", "spare.size", "spare.parts", "weights"]
    text = text.replace("'list[Node]'", "list[Node]")
    assert "root.parts" in notations(Program.parse(text)).sets


def test_endless_paths_through_nested_data_end() -> None:
    classes = "".join(
        f"class N{n}(InputData):\n    a: N{n + 1}\n    b: N{n + 1}\n    c: float\n" for n in range(60)
    )
    text = (
        f"from decision_ai import *\n{classes}class N60(InputData):\n    c: float\n"
        "class V(Variables):\n    x: Var = binary()\nclass M(OptModel[N0, V]):\n    pass\n"
    )
    assert len(notations(Program.parse(text)).parameters) == 500
