from collections.abc import Callable

import pytest

from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ObjectiveDiff,
    OptInputDataDiff,
    VariableDiff,
)
from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai.client.schemas.constraint import Constraint
from decision_ai.client.schemas.variable import Variable
from decision_ai.errors import DataError, ProgramError
from decision_ai.modeling.program import Program
from decision_ai.modeling.snapshots import read_constraint_code, read_objective_code, read_variable_code
from decision_ai.modeling.state import SessionFacts, session_state, state_changes

pytestmark = pytest.mark.core

FACTS = SessionFacts(id="s", opt_model_id="m", opt_input_data_id="data-1", created_at=1, updated_at=2)
CAP = '@constraint("k")\ndef cap(self, data, v):\n    """Said."""\n    return v.slack <= 1'


@pytest.fixture
def program(source: str) -> Program:
    return Program.parse(source)


@pytest.fixture
def state(program: Program) -> ChatSessionState:
    return session_state(program, program, FACTS)


def edited(
    state: ChatSessionState, program: Program, edit: Callable[[ChatSessionState], object]
) -> tuple[list[object], Program]:
    after = state.model_copy(deep=True)
    edit(after)
    changes = state_changes(state, after, program)
    for change in changes:
        program = program.apply(change)
    return list(changes), program


def test_the_base_model_is_all_base(state: ChatSessionState, program: Program) -> None:
    assert state.base_constraint_ids == {"capacity", "few"}
    assert state.user_constraint_ids == state.user_variable_ids == set()
    assert state.objective.is_user_objective is False
    assert (state.py_class_name_of_model, state.py_class_name_of_input_data) == ("Pack", "PackData")
    assert state.constraints["few"].priority == "B"
    assert not state.constraints["few"].enabled
    assert state.input_data_classes == program.data_schema_snapshot().input_data_classes
    assert state.opt_model_notations.sets == {"items": "Items by näme."}
    assert ChatSessionState.model_validate_json(state.model_dump_json()) == state


def test_the_summary_is_a_few_plain_sentences(state: ChatSessionState) -> None:
    assert state.executive_summary == (
        "Pick the most valuable items. It maximizes: Total value. "
        "It has 2 variable families and 2 constraints (1 switched off, 1 soft)."
    )


def test_what_chat_added_or_changed_is_the_users(program: Program) -> None:
    old = program.objective_snapshot()
    less = "@objective('minimize')\ndef less(self, data, v):\n    return v.slack"
    current = (
        program.apply(ConstraintDiff(added=read_constraint_code(CAP)))
        .apply(VariableDiff(added=read_variable_code("extra: Var = binary()")))
        .apply(ObjectiveDiff(removed=old, added=read_objective_code(less)))
    )
    state = session_state(
        program, current, FACTS, {("constraint", "cap"): "no slack", ("variable", "pack"): "?"}
    )
    assert state.user_constraint_ids == {"cap"}
    assert state.user_variable_ids == {"extra"}
    assert state.objective.is_user_objective is True
    assert (state.constraints["cap"].incompatible, state.constraints["cap"].incompatibility_reason) == (
        True,
        "no slack",
    )
    assert state.variables["pack"].incompatible
    assert not state.variables["slack"].incompatible
    assert "1 added in the chat" in state.executive_summary
    gone = session_state(program, program.apply(ObjectiveDiff(removed=old)), FACTS)
    assert gone.objective.is_user_objective is True
    assert gone.objective.code is None
    assert "no objective" in gone.executive_summary


def test_an_unedited_state_is_no_change(state: ChatSessionState, program: Program) -> None:
    assert edited(state, program, lambda after: None) == ([], program)


def test_switches_and_priorities_become_diffs(state: ChatSessionState, program: Program) -> None:
    def edit(after: ChatSessionState) -> None:
        after.disable_constraint("capacity")
        after.set_constraint_priority("capacity", "A")
        after.enable_constraint("few")
        after.disable_variable("slack")

    changes, changed = edited(state, program, edit)
    assert [type(change) for change in changes] == [VariableDiff, ConstraintDiff, ConstraintDiff]
    assert (changed.constraints["capacity"].enabled, changed.constraints["capacity"].priority) == (False, "A")
    assert changed.constraints["few"].enabled
    assert not changed.variables["slack"].enabled


def test_edited_code_becomes_one_diff_with_its_switch(state: ChatSessionState, program: Program) -> None:
    def edit(after: ChatSessionState) -> None:
        after.constraints["capacity"].code = CAP.replace("def cap", "def capacity")
        after.disable_constraint("capacity")
        after.variables["slack"].code = "  slack: Var = continuous(upper=5)\n  'At most five.'"

    changes, changed = edited(state, program, edit)
    assert len(changes) == 2
    assert (changed.constraints["capacity"].math, changed.constraints["capacity"].enabled) == ("k", False)
    assert changed.variables["slack"].description == "At most five."


def test_parts_come_and_go(state: ChatSessionState, program: Program) -> None:
    def edit(after: ChatSessionState) -> None:
        del after.constraints["few"]
        del after.variables["slack"]
        after.constraints["cap"] = Constraint(code=CAP, priority="C")
        after.variables["more"] = Variable(code="more: Var = binary()", enabled=False)
        after.objective.code = "@objective('minimize', 'n')\ndef less(self, data, v):\n    return v.more"

    changes, changed = edited(state, program, edit)
    assert len(changes) == 5
    assert list(changed.constraints) == ["capacity", "cap"]
    assert changed.constraints["cap"].priority == "C"
    assert list(changed.variables) == ["pack", "more"]
    assert not changed.variables["more"].enabled
    assert changed.objective is not None
    assert changed.objective.math == "n"


def test_the_objective_can_go(state: ChatSessionState, program: Program) -> None:
    _, changed = edited(state, program, lambda after: setattr(after.objective, "code", None))
    assert changed.objective is None


def test_other_data_become_a_diff_of_the_data(state: ChatSessionState, program: Program) -> None:
    after = state.model_copy(deep=True, update={"opt_input_data_id": "data-2"})
    after.disable_constraint("capacity")
    data, constraint = state_changes(state, after, program, json_data=('{"capacity":1}', '{"capacity":2}'))
    assert isinstance(constraint, ConstraintDiff)
    assert isinstance(data, OptInputDataDiff)
    assert data.removed is not None
    assert data.added is not None
    assert (data.removed.opt_input_data_id, data.removed.json_data) == ("data-1", '{"capacity":1}')
    assert (data.added.opt_input_data_id, data.added.json_data) == ("data-2", '{"capacity":2}')


def test_data_that_are_not_at_hand_are_refused(state: ChatSessionState, program: Program) -> None:
    with pytest.raises(DataError, match="'data-2' are not known; upload them first"):
        edited(state, program, lambda after: setattr(after, "opt_input_data_id", "data-2"))


def test_an_objective_that_does_not_fit_the_data_is_marked(program: Program) -> None:
    objective = session_state(program, program, FACTS, {("objective", "value"): "no prices"}).objective
    assert (objective.incompatible, objective.incompatibility_reason) == (True, "no prices")


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda s: setattr(s, "id", "other"), "'id'"),
        (lambda s: setattr(s, "updated_at", 9), "'updated_at'"),
        (lambda s: setattr(s, "executive_summary", "x"), "'executive_summary'"),
        (lambda s: s.opt_model_notations.sets.update(x="y"), "'opt_model_notations'"),
        (lambda s: setattr(s, "input_data_classes", None), "'input_data_classes'"),
        (lambda s: setattr(s, "py_class_name_of_model", "x"), "'py_class_name_of_model'"),
        (lambda s: setattr(s.constraints["few"], "description", "x"), r"constraints\['few'\]: only code"),
        (
            lambda s: setattr(s.constraints["few"], "is_user_constraint", True),
            r"constraints\['few'\]: only code",
        ),
        (lambda s: setattr(s.variables["pack"], "math_formulation", "x"), r"variables\['pack'\]: only code"),
        (lambda s: setattr(s.variables["pack"], "incompatible", True), r"variables\['pack'\]: only code"),
        (lambda s: setattr(s.objective, "description", "x"), "objective: only code"),
        (lambda s: setattr(s.constraints["few"], "code", None), r"constraints\['few'\] has no code"),
        (
            lambda s: s.constraints.update(x=Constraint(code=CAP)),
            r"constraints\['x'\]: its code defines 'cap'",
        ),
        (
            lambda s: s.variables.update(x=Variable(code="y: Var = binary()")),
            r"variables\['x'\]: its code defines",
        ),
    ],
)
def test_read_only_fields_are_named(
    state: ChatSessionState, program: Program, edit: Callable[[ChatSessionState], object], words: str
) -> None:
    with pytest.raises(DataError, match=words):
        edited(state, program, edit)


def test_edited_code_that_is_no_part_is_refused(state: ChatSessionState, program: Program) -> None:
    with pytest.raises(ProgramError, match="exactly one method"):
        edited(state, program, lambda s: setattr(s.constraints["few"], "code", "x = 1"))
