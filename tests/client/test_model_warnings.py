"""What a change brings: units that do not fit, numbers out of scale, and only if they are new."""

import json
from typing import Any

import pytest

from decision_ai.client.model_warnings import Runnable, changed_parts, changed_units, new_warnings
from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ConstraintSnapshot,
    ModelChanges,
    ObjectiveDiff,
    ObjectiveSnapshot,
    OptInputDataDiff,
    OptInputDataSnapshot,
    VariableDiff,
    VariableSnapshot,
)
from decision_ai.solving.findings import PartName

HEAD = """from typing import Annotated
from decision_ai import InputData, OptModel, Var, Variables, constraint, continuous, unit


class Item(InputData):
    weight: Annotated[float, unit("kg")]


class Data(InputData):
    items: dict[str, Item]
    fee: Annotated[float, unit("EUR")]


class Plan(Variables):
    ship: Var = continuous(unit="kg")


class Model(OptModel[Data, Plan]):
    @constraint("a")
    def old(self, data, v):
        return v.ship <= data.fee
"""
ADDED = """
    @constraint("b")
    def new(self, data, v):
        return v.ship - data.fee >= 0
"""


def weights(*values: float) -> str:
    return json.dumps({"fee": 3, "items": {f"i{n}": {"weight": value} for n, value in enumerate(values)}})


FINE, STRANGE = weights(1, 2, 3, 4, 5), weights(1, 2, 3, 4, 5000)


def test_only_what_the_present_version_does_not_have_is_new() -> None:
    shifted = HEAD.replace("class Plan", "# another line\nclass Plan") + ADDED
    found = new_warnings(Runnable(HEAD, FINE), Runnable(shifted, STRANGE))
    assert [text.partition(":")[0] for text in found] == [
        "constraint new, line 26",
        "items.i4.weight is 5000",
    ]
    assert new_warnings(Runnable(HEAD, STRANGE), Runnable(HEAD, STRANGE)) == []


def test_without_a_present_version_everything_is_new() -> None:
    assert len(new_warnings(None, Runnable(HEAD + ADDED, STRANGE))) == 3


@pytest.mark.parametrize(("code", "data"), [("def", FINE), ("# nothing", "{"), ("", "")])
def test_what_cannot_be_read_has_no_warnings(code: str, data: str) -> None:
    assert new_warnings(None, Runnable(code, data)) == []


def test_the_parts_a_set_adds_or_changes() -> None:
    texts: dict[str, Any] = {"code": "", "math_formulation": "", "description": ""}
    rule = ConstraintSnapshot(constraint_id="rule", **texts)
    family = VariableSnapshot(variable_id="make", **texts)
    changes: tuple[ModelChanges, ...] = (
        ConstraintDiff(added=rule),
        ConstraintDiff(removed=rule),
        VariableDiff(removed=family, added=family),
        ObjectiveDiff(added=ObjectiveSnapshot(**texts)),
    )
    assert changed_parts(changes) == [
        PartName(kind="constraint", id="rule"),
        PartName(kind="variable", id="make"),
    ]


def test_the_units_of_the_values_that_change() -> None:
    before, after = (
        OptInputDataSnapshot(opt_input_data_id=name, json_data=text)
        for name, text in (("a", FINE), ("b", STRANGE))
    )
    diff = OptInputDataDiff(removed=before, added=after)
    assert changed_units(HEAD, (diff,)) == {"items.i4.weight": "kg"}
    assert changed_units("nothing", (diff,)) == changed_units(HEAD, ()) == {}
