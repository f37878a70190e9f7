"""One JSON document with everything."""

import json

import pytest

from decision_ai.errors import DataError
from decision_ai.examples import example
from decision_ai.modeling.data import data_id, program_hash
from decision_ai.modeling.exporting.json_document import FORMAT, json_text
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import ConstraintDescription, FamilyDescription, ModelDescription

pytestmark = pytest.mark.core


def test_it_holds_program_parts_schema_data_and_hash() -> None:
    source, data = example("knapsack")
    program = Program.parse(source)
    document = json.loads(json_text(program, json_data=data))
    assert document["format"] == FORMAT
    assert document["data"] == json.loads(data)
    assert document["data_id"] == data_id(data)
    assert document["hash"] == program_hash(program.composed(), data_id(data), None)
    assert (
        Program.parse(document["program"]["source"]).constraints
        == Program.parse(program.composed()).constraints
    )
    assert [part["id"] for part in document["constraints"]] == list(program.constraints)
    assert [part["id"] for part in document["variables"]] == list(program.variables)
    assert document["objective"]["sense"] == "maximize"
    (item, _) = document["data_classes"]
    assert [field["name"] for field in item["fields"]] == ["weight", "value", "category"]
    assert document["sizes"] is None


def test_sizes_are_those_of_the_built_model() -> None:
    source, data = example("knapsack")
    description = ModelDescription(
        families={"take": FamilyDescription(variable_id="take", domain="binary", indices=[("a",), ("b",)])},
        constraints={"capacity": ConstraintDescription(constraint_id="capacity", indices=[()])},
        sense="maximize",
        columns=2,
        rows=1,
    )
    document = json.loads(json_text(Program.parse(source), json_data=data, description=description))
    sizes = {"columns": 2, "rows": 1, "variables": {"take": 2}, "constraints": {"capacity": 1}}
    assert document["sizes"] == sizes


def test_data_that_are_no_json_are_refused() -> None:
    with pytest.raises(DataError):
        json_text(Program.parse(example("knapsack")[0]), json_data="{")
