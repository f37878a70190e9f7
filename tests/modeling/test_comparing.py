"""What differs between two versions, as values and in words."""

import json

import pytest
from hypothesis import given, strategies as st

from decision_ai.examples import example
from decision_ai.modeling.comparing import (
    ComparedVersion,
    Comparison,
    component_differences,
    plan_differences,
    value_differences,
)
from decision_ai.modeling.program import Program
from decision_ai.solving.findings import IncompatiblePart
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan

pytestmark = pytest.mark.core

PROGRAM = Program.parse(example("knapsack")[0])


def plan(**values: float) -> Plan:
    return Plan(values={"pack": [((name,), value) for name, value in values.items()]})


def compared(number: int, **fields: object) -> ComparedVersion:
    return ComparedVersion.model_validate({"id": f"v{number}", "number": number, "sentence": ""} | fields)


def test_components_are_added_removed_and_changed() -> None:
    off = PROGRAM.apply(PROGRAM.switch("max_items", enabled=False))
    (change,) = component_differences(PROGRAM, off)
    assert (change.kind, change.id, change.verb) == ("constraint", "max_items", "changed")
    assert change.before != change.after
    without = PROGRAM.without([IncompatiblePart(kind="constraint", id="capacity", reason="")])
    (gone,) = component_differences(PROGRAM, without)
    assert (gone.id, gone.verb, gone.after) == ("capacity", "removed", None)
    (back,) = component_differences(without, PROGRAM)
    assert (back.verb, back.before) == ("added", None)
    assert component_differences(PROGRAM, PROGRAM) == []


def test_values_are_told_as_json() -> None:
    found = value_differences(json.dumps({"a": 1, "b": "x"}), json.dumps({"a": 2.5, "c": None}))
    assert [(item.path, item.before, item.after) for item in found] == [
        ("a", "1", "2.5"),
        ("b", '"x"', None),
        ("c", None, "null"),
    ]


def test_members_differ_beyond_a_solvers_tolerance() -> None:
    found = plan_differences(plan(a=1, b=1, c=0), plan(a=1 + 1e-9, b=0, d=2))
    assert [(item.index, item.before, item.after) for item in found] == [
        (("b",), 1, 0),
        (("c",), 0, None),
        (("d",), None, 2),
    ]


@given(values=st.dictionaries(st.text(max_size=5), st.floats(-1e9, 1e9)))
def test_a_plan_does_not_differ_from_itself(values: dict[str, float]) -> None:
    assert plan_differences(plan(**values), plan(**values)) == []


def test_the_same_is_said_to_be_the_same() -> None:
    comparison = Comparison(a=compared(0), b=compared(1), components=[], data=[], data_count=0)
    assert str(comparison) == "Version 0 → version 1:\n- model and data are the same"


def test_a_comparison_reads_as_a_list_and_escapes_names_in_html() -> None:
    values = value_differences(json.dumps({"<b>": list(range(30))}), json.dumps({"<b>": [-1] * 30}))
    members = plan_differences(plan(x=1), plan(x=0))
    outcome = Outcome(kind=OutcomeKind.GAP_REACHED, objective=3, bound=4, gap=1 / 3)
    part = IncompatiblePart(kind="constraint", id="cap", reason="no <limit>")
    comparison = Comparison(
        a=compared(0, outcome=outcome),
        b=compared(1, problem="it does not build", incompatible=[part]),
        components=[],
        data=values,
        data_count=len(values),
        plan=members,
        plan_count=len(members),
    )
    lines = str(comparison).splitlines()
    assert lines[1] == "- data <b>[0]: 0 → -1"
    assert lines[21:] == [
        "- … and 10 more",
        "- version 0: gap reached, objective 3, bound 4, gap 33.33%",
        "- version 1 leaves out the constraint cap: no <limit>",
        "- version 1 was not solved: it does not build",
        "- the plans differ in 1 member",
        "- pack[x]: 1 → 0",
    ]
    shown = comparison._repr_html_()
    assert "&lt;b&gt;[0]" in shown
    assert "<b>" not in shown
