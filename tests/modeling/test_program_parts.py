"""Taking parts out of a program, and bringing one back to the base."""

import pytest
from hypothesis import given, settings, strategies as st

from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff, ObjectiveDiff, VariableDiff
from decision_ai.errors import ProgramError
from decision_ai.examples import EXAMPLES, example
from decision_ai.modeling.program import Program
from decision_ai.modeling.snapshots import read_constraint_code, read_objective_code, read_variable_code
from decision_ai.solving.findings import IncompatiblePart, PartName

pytestmark = pytest.mark.core

CAP = '@constraint("k")\ndef cap(self, data, v):\n    """Said."""\n    return v.slack <= 1'
LESS = "@objective('minimize')\ndef less(self, data, v):\n    return v.slack"


def parts_of(program: Program) -> list[PartName]:
    return [
        *(PartName(kind="constraint", id=id) for id in program.constraints),
        *(PartName(kind="variable", id=id) for id in program.variables),
        *([PartName(kind="objective", id=program.objective.id)] if program.objective else []),
    ]


def test_parts_are_taken_out_and_everything_else_is_kept(source: str) -> None:
    program = Program.parse(source)
    few = IncompatiblePart(kind="constraint", id="few", reason="?")
    rest = program.without({few, PartName(kind="variable", id="slack")})
    assert list(rest.constraints) == ["capacity"]
    assert list(rest.variables) == ["pack"]
    one_by_one = program.apply(ConstraintDiff(removed=program.snapshot("constraint", "few"))).apply(
        VariableDiff(removed=program.snapshot("variable", "slack"))
    )
    assert rest.source == one_by_one.source
    assert program.without([PartName(kind="objective", id="value")]).objective is None
    assert program.without(()) is program


@settings(max_examples=40)
@given(data=st.data())
def test_any_parts_can_be_taken_out(data: st.DataObject, variants: dict[str, str]) -> None:
    texts = {**variants, **{name: example(name)[0] for name in EXAMPLES}}
    program = Program.parse(texts[data.draw(st.sampled_from(sorted(texts)))])
    parts = data.draw(st.lists(st.sampled_from(parts_of(program)), unique=True))
    rest = program.without(parts)
    assert parts_of(rest) == [part for part in parts_of(program) if part not in parts]
    assert all(rest.constraints[id].code == program.constraints[id].code for id in rest.constraints)
    assert all(rest.variables[id].code == program.variables[id].code for id in rest.variables)
    Program.parse(rest.composed())


def test_a_class_without_members_keeps_pass(source: str) -> None:
    program = Program.parse(source)
    rest = program.without([PartName(kind="variable", id=id) for id in program.variables])
    assert "class PackVariables(Variables):\n    pass\n" in rest.source


def test_only_parts_of_the_program_can_be_taken_out(source: str) -> None:
    program = Program.parse(source)
    for kind, id in (("variable", "few"), ("constraint", "slack"), ("objective", "capacity")):
        with pytest.raises(ProgramError, match=f"there is no {kind} '{id}'"):
            program.without([PartName(kind=kind, id=id)])


def changed(base: Program) -> Program:
    """One constraint switched off, one gone, one new; a family gone; another objective."""
    return (
        base.apply(base.switch("capacity", enabled=False))
        .apply(ConstraintDiff(removed=base.snapshot("constraint", "few")))
        .apply(ConstraintDiff(added=read_constraint_code(CAP)))
        .apply(VariableDiff(removed=base.snapshot("variable", "slack")))
        .apply(VariableDiff(added=read_variable_code("late: Var = binary()")))
        .apply(ObjectiveDiff(removed=base.objective_snapshot(), added=read_objective_code(LESS)))
    )


@pytest.mark.parametrize("id", ["capacity", "few", "cap", "slack", "late", "value", "less", "objective"])
def test_a_component_is_brought_back_to_the_base(variant: str, id: str) -> None:
    base = Program.parse(variant)
    program = changed(base)
    (change,) = program.reset(id, base)
    again = program.apply(change)
    for kind in ("constraints", "variables"):
        now, was = getattr(again, kind).get(id), getattr(base, kind).get(id)
        assert (now and now.code) == (was and was.code)
    if isinstance(change, ObjectiveDiff):
        assert again.objective_snapshot() == base.objective_snapshot()
    if id not in ("cap", "late", "less"):
        assert again.reset(id, base) == []


def test_resetting_every_component_gives_the_base_again(source: str) -> None:
    base = Program.parse(source)
    program = changed(base)
    for id in ("capacity", "few", "cap", "slack", "late", "objective"):
        for change in program.reset(id, base):
            program = program.apply(change)
    assert set(program.constraints) == set(base.constraints)
    assert {part.code for part in program.constraints.values()} == {
        part.code for part in base.constraints.values()
    }
    assert program.objective_snapshot() == base.objective_snapshot()


def test_what_is_as_in_the_base_needs_no_diff(source: str) -> None:
    program = Program.parse(source)
    for id in ("capacity", "pack", "value", "objective"):
        assert program.reset(id, program) == []


def test_an_unknown_component_comes_with_the_nearest_one(source: str) -> None:
    program = Program.parse(source)
    with pytest.raises(ProgramError, match="there is no component 'capazity'; there are: capacity") as caught:
        program.reset("capazity", program)
    assert caught.value.report.hint == "did you mean 'capacity'?"
