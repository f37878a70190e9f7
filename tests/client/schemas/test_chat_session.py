import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from decision_ai.client.schemas.chat_session import ChatSessionState

pytestmark = pytest.mark.core


def state(**changes: Any) -> ChatSessionState:
    fields: dict[str, Any] = {
        "id": "session-1",
        "opt_model_id": "model-1",
        "opt_input_data_id": "data-1",
        "created_at": 1767225600000,
        "updated_at": 1767225600000,
        "py_class_name_of_model": "Packing",
        "py_class_name_of_input_data": "PackingData",
        "executive_summary": "Pick the most valuable items.",
        "constraints": {
            "capacity": {"description": "The weight fits."},
            "at_most_4": {"is_user_constraint": True, "description": "At most 4 items.", "priority": "B"},
        },
        "variables": {
            "pack": {"description": "1 if packed.", "is_user_variable": False},
            "bags": {"is_user_variable": True},
        },
        "objective": {"description": "Total value."},
        "opt_model_notations": {"sets": {"items": "I"}},
    }
    return ChatSessionState.model_validate(fields | changes)


def test_components_are_told_apart_by_who_added_them() -> None:
    session = state()
    assert session.base_constraint_ids == {"capacity"}
    assert session.user_constraint_ids == {"at_most_4"}
    assert session.base_variable_ids == {"pack"}
    assert session.user_variable_ids == {"bags"}


def test_descriptions_are_mapped_by_id_and_a_missing_one_is_empty() -> None:
    session = state()
    assert session.constraint_descriptions == {
        "capacity": "The weight fits.",
        "at_most_4": "At most 4 items.",
    }
    assert session.variable_descriptions == {"pack": "1 if packed.", "bags": ""}


def test_switches_and_priority() -> None:
    session = state()
    session.disable_constraint("capacity")
    session.disable_variable("pack")
    assert not session.is_constraint_enabled("capacity")
    assert not session.is_variable_enabled("pack")
    assert session.is_constraint_enabled("at_most_4")
    session.enable_constraint("capacity")
    session.enable_variable("pack")
    assert session.is_constraint_enabled("capacity")
    assert session.is_variable_enabled("pack")
    session.set_constraint_priority("capacity", "A")
    assert session.constraints["capacity"].priority == "A"


def test_a_priority_that_is_none_is_refused_at_once() -> None:
    session = state()
    with pytest.raises(ValueError, match=r"constraint 'capacity' must be one of .*'C'\), not 'D'"):
        session.set_constraint_priority("capacity", "D")  # type: ignore[arg-type]
    assert session.constraints["capacity"].priority == "hard"


def test_the_deprecated_switches_of_all_constraints_still_work() -> None:
    session = state()
    session.set_constraint_priority("at_most_4", "C")
    with pytest.warns(DeprecationWarning, match=r"use set_constraint_priority\(id, \"A\"\)") as warned:
        session.make_constraints_soft()
    assert warned[0].filename == __file__
    assert {id: part.priority for id, part in session.constraints.items()} == {
        "capacity": "A",
        "at_most_4": "C",
    }
    with pytest.warns(DeprecationWarning, match="set_constraint_priority"):
        session.make_constraints_hard()
    assert {part.priority for part in session.constraints.values()} == {"hard"}


@pytest.mark.parametrize(
    ("use", "sentence"),
    [
        (
            lambda s: s.is_constraint_enabled("cap"),
            "no constraint 'cap'; there are ['at_most_4', 'capacity']",
        ),
        (lambda s: s.disable_variable("packs"), "no variable family 'packs'; there are ['bags', 'pack']"),
    ],
)
def test_an_unknown_id_is_named_with_those_there_are(
    use: Callable[[ChatSessionState], None], sentence: str
) -> None:
    with pytest.raises(KeyError) as unknown:
        use(state())
    assert unknown.value.args == (sentence,)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"colour": "red"}, ("colour",)),
        ({"constraints": {"capacity": {"colour": "red"}}}, ("constraints", "capacity", "colour")),
        ({"variables": {"pack": {"colour": "red"}}}, ("variables", "pack", "colour")),
        ({"objective": {"colour": "red"}}, ("objective", "colour")),
        ({"opt_model_notations": {"colour": {}}}, ("opt_model_notations", "colour")),
    ],
)
def test_an_unknown_field_is_refused_by_name(changes: dict[str, Any], place: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError) as refused:
        state(**changes)
    (problem,) = refused.value.errors()
    assert (problem["loc"], problem["type"]) == (place, "extra_forbidden")


def test_a_state_is_read_back_as_written() -> None:
    session = state(input_data_classes=["class Item(InputData): ..."], reasoning_enabled=True)
    assert ChatSessionState.model_validate_json(session.model_dump_json()) == session


def test_usage_is_ours_and_written_only_where_there_is_some() -> None:
    """The published state has no such field, and a strict reader of it refuses unknown ones."""
    assert "usage" not in state().model_dump()
    assert "usage" not in json.loads(state().model_dump_json())
    cost = {"prompt_tokens": 5, "completion_tokens": 1, "cost": 0.5, "currency": "EUR", "seconds": 2.0}
    usage = cost | {"decisions": 1, "last_turn": cost | {"decisions": 1}}
    session = state(usage=usage)
    assert session.model_dump()["usage"] == usage
    assert ChatSessionState.model_validate_json(session.model_dump_json()) == session


def test_defaults_of_a_constraint_are_the_published_ones() -> None:
    capacity = state(constraints={"capacity": {}}).constraints["capacity"]
    assert capacity.model_dump() == {
        "code": None,
        "math_formulation": None,
        "description": None,
        "is_user_constraint": None,
        "incompatible": None,
        "incompatibility_reason": None,
        "enabled": True,
        "priority": "hard",
    }
