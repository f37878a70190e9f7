"""Sentences on model files that have nothing in common: what is proposed, and that it builds."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies as st

from decision_ai.modeling.program import Program
from decision_ai_server.agent.edits import (
    ChangeData,
    RemoveConstraint,
    SetConstraint,
    SetObjective,
    to_changes,
)
from decision_ai_server.modellers.offline.understanding import Subject, Understanding, understand

Rebuild = Callable[[str, str], Subject]


def carried_out(text: str, subject: Subject) -> tuple[Understanding, Program, str]:
    understanding = understand(text, subject)
    assert understanding.proposals, (understanding.missed, understanding.refusal)
    proposal = understanding.proposals[0]
    assert proposal.question is None, proposal.question
    program, data = subject.program, subject.json_data
    for change in to_changes(list(proposal.edits), program, data):
        if change.kind == "input_data_diff":
            assert change.added is not None
            data = change.added.json_data
        else:
            program = program.apply(change)
    return understanding, program, data


RULES = [
    ("knapsack", "pick at most 4 items", "pulp.lpSum(v.take[i] for i in data.items) <= 4"),
    (
        "knapsack",
        "total weight at most 25",
        "item.weight * v.take[i] for i, item in data.items.items()) <= 25",
    ),
    ("knapsack", "no more than two outdoor things", 'if item.category == "outdoor") <= 2'),
    ("knapsack", "From each categroy we want two items at most", "yield category, pulp.lpSum("),
    ("knapsack", "never take the camera", 'v.take["Camera"] == 0'),
    ("knapsack", "the ladder must come along", 'v.take["Ladder"] == 1'),
    (
        "knapsack",
        "If the stove goes into the van, the speaker has to go too.",
        'v.take["Stove"] <= v.take["Speaker"]',
    ),
    ("knapsack", "the tent or the stove must be taken", 'for i in ("Tent", "Stove")) >= 1'),
    ("staff_scheduling", "Dov should not work more than two shifts", '"Dov", s] for s in data.shifts) <= 2'),
    ("staff_scheduling", "Cleo has to do the Saturday early shift", 'v.work["Cleo", "Sat-early"] == 1'),
    (
        "staff_scheduling",
        "Ben and Gus must never be on the same shift",
        'v.work[e, s] for e in ("Ben", "Gus")) <= 1',
    ),
    ("staff_scheduling", "Ada gets Friday off", 'if shift.day == "Fri") == 0'),
    (
        "staff_scheduling",
        "Ada and Ben must be on the same shifts together",
        'v.work["Ada", s] == v.work["Ben", s]',
    ),
    ("staff_scheduling", "every shift needs at least 2 seniors", "if employee.senior) >= 2"),
    ("staff_scheduling", "no more than 5 people on Mon-early", '"Mon-early"] for e in data.employees) <= 5'),
    ("knapsack", "if the tent is taken the stove must be taken too", 'v.take["Tent"] <= v.take["Stove"]'),
    ("staff_scheduling", "at most 3 seniors on each shift", "if employee.senior) <= 3"),
    ("vrp_time_windows", "Blue must not go to Gerda", 'if ve == "Blue" and cu == "Gerda") == 0'),
    ("harbour", "Petrel must lie at Oil Pier", 'v.moor["Petrel", "Oil Pier"] == 1'),
    ("harbour", "no vessel may have more than 2 cranes", "v.cranes[ve] <= 2"),
    ("harbour", "Panama vessels must not lie at Oil Pier", 'if vessel.flag == "Panama") == 0'),
    (
        "harbour",
        "the total length at North 1 must not exceed 200 metres",
        'vessel.length * v.moor[ve, "North 1"]',
    ),
    ("harbour", "no north berth may take more than one vessel", 'if berth.quay == "north"'),
    ("harbour", "the delay of Petrel is at most 3 hours", 'v.delay["Petrel"] <= 3'),
    ("harbour", "more than 2 cranes for Petrel", 'v.cranes["Petrel"] >= 3'),
]


@pytest.mark.parametrize(("model", "text", "code"), RULES)
def test_rules(subjects: dict[str, Subject], rebuilt: Rebuild, model: str, text: str, code: str) -> None:
    understanding, program, data = carried_out(text, subjects[model])
    (edit,) = understanding.proposals[0].edits
    assert isinstance(edit, SetConstraint)
    assert code in edit.code, edit.code
    rebuilt(program.composed(), data)


REFUSED = [
    ("staff_scheduling", "Ada works at least 2 night shifts"),  # what is a night shift?
    ("staff_scheduling", "at most 20 shifts"),  # of each person, or of all?
    ("production_planning", "by the end of March make at least 60 Birch in total"),
    ("knapsack", "minimise the calories"),
    ("knapsack", "compare at most 3 items with at most 5 items"),
    ("knapsack", "delete the tent"),
]


@pytest.mark.parametrize(("model", "text"), REFUSED)
def test_what_is_half_understood_is_not_proposed(subjects: dict[str, Subject], model: str, text: str) -> None:
    proposals = understand(text, subjects[model]).proposals
    assert all(proposal.question is not None or not proposal.edits for proposal in proposals[:1])


DATA = [
    ("knapsack", "Correction: the Toolbox weighs 9.2 kg.", [(["items", "Toolbox", "weight"], 9.2)]),
    ("knapsack", "the capacity is 33", [(["capacity"], 33)]),
    ("knapsack", "double the value of the tent", [(["items", "Tent", "value"], 60)]),
    (
        "production_planning",
        "the demand for dogwood in june is 260, not 200",
        [(["products", "Dogwood", "demand", "Jun"], 260)],
    ),
    (
        "vrp_time_windows",
        "Berit moved, she is at x = -14, y = 10",
        [(["customers", "Berit", "x"], -14), (["customers", "Berit", "y"], 10)],
    ),
    ("harbour", "the depth of North 2 is 13", [(["berths", 1, "depth"], 13)]),
    ("harbour", "raise the cargo of Petrel by 10 %", [(["vessels", "Petrel", "cargo"], 462)]),
    ("harbour", "the tariff of Petrel at Oil Pier is 450", [(["tariff", "Petrel", "Oil Pier"], 450)]),
]


@pytest.mark.parametrize(("model", "text", "values"), DATA)
def test_data(
    subjects: dict[str, Subject], model: str, text: str, values: list[tuple[list[str], float]]
) -> None:
    understanding, _, _ = carried_out(text, subjects[model])
    changes = [c for e in understanding.proposals[0].edits if isinstance(e, ChangeData) for c in e.changes]
    assert [(change.path, change.value) for change in changes] == values


def test_several_meanings_in_one_sentence(subjects: dict[str, Subject]) -> None:
    understanding, program, _ = carried_out(
        "at most 4 items, and not the tent together with the stove", subjects["knapsack"]
    )
    assert len(understanding.proposals[0].edits) == 2
    assert len(program.constraints) == len(subjects["knapsack"].program.constraints) + 2


def test_an_added_rule_is_renumbered_and_removed(subjects: dict[str, Subject], rebuilt: Rebuild) -> None:
    start = subjects["harbour"]
    _, program, data = carried_out("at most 2 cranes for Petrel", start)
    added = rebuilt(program.composed(), data)
    now = Subject(program, start.program, data, added.description)
    _, changed, _ = carried_out("make it 3 instead", now)
    (name,) = set(changed.constraints) - set(start.program.constraints)
    assert "<= 3" in changed.constraints[name].code
    removed, _, _ = carried_out("forget the Petrel rule", now)
    assert removed.proposals[0].edits == (RemoveConstraint(id=name),)


def test_the_objective_is_replaced(subjects: dict[str, Subject], rebuilt: Rebuild) -> None:
    understanding, program, data = carried_out("minimise the total delay instead", subjects["harbour"])
    assert isinstance(understanding.proposals[0].edits[0], SetObjective)
    rebuilt(program.composed(), data)


UNCLEAR = [
    ("knapsack", "set the weight to 5"),
    ("harbour", "the total late fee must stay under 100 euros"),
]


@pytest.mark.parametrize(("model", "text"), UNCLEAR)
def test_what_is_unclear_is_asked(subjects: dict[str, Subject], model: str, text: str) -> None:
    proposal = understand(text, subjects[model]).proposals[0]
    assert proposal.question is not None
    assert proposal.question.endswith("?")
    assert proposal.edits == ()


NOT_UNDERSTOOD = [
    ("knapsack", "Limit the kitchen things."),
    ("knapsack", "the Camera must not be taken unless the Drill is"),
    ("knapsack", "the tent is at least twice as good"),
    ("knapsack", "at most 4"),
    ("harbour", "Petrel and 3 others at most 2"),
    ("harbour", "forget about the delay"),
    ("harbour", "The note on Petrel says 'Petrel must lie at North 1 and at most 2 cranes'"),
    ("staff_scheduling", "Ben and Gus must never work on the same day"),
    ("production_planning", "Cedar should be produced in no more than three of the six months."),
    ("knapsack", "write me a poem about the tent"),
    ("knapsack", "either the tent or the stove must go"),
    ("knapsack", "the weights of Tent and Stove must not be more than 2 kg apart"),
    ("vrp_time_windows", "Hugo must be the first stop of his tour."),
    ("vrp_time_windows", "No vehicle may be on the road for more than 90 km."),
    ("vrp_time_windows", "Green may do only one stop."),
    ("vrp_time_windows", "Derk has to be served before Gerda"),
    ("harbour", "if a vessel lies at Oil Pier it must get at least 2 cranes"),
    ("harbour", "take Petrel out of the data"),
    ("staff_scheduling", "Nobody should have to work more than two days in a row."),
]


@pytest.mark.parametrize(("model", "text"), NOT_UNDERSTOOD)
def test_nothing_is_guessed(subjects: dict[str, Subject], model: str, text: str) -> None:
    assert all(not proposal.edits for proposal in understand(text, subjects[model]).proposals[:1])


VOCABULARY = (
    "at most least no not never more than the a of Tent Stove kitchen items item weight value 3 4.5 10 % "
    "and or , . together must if then raise lower set switch off on rule capacity max_items remove undo "
    "solve minimise total each every instead between ? take it quoted category seven show"
)
WORDS = st.sampled_from(VOCABULARY.split())


@settings(max_examples=120)
@given(st.text(max_size=120) | st.lists(WORDS, max_size=14).map(" ".join))
def test_no_text_raises_or_yields_what_cannot_be_applied(subjects: dict[str, Subject], text: str) -> None:
    subject = subjects["knapsack"]
    for proposal in understand(text, subject).proposals:
        program = subject.program
        for change in to_changes(list(proposal.edits), program, subject.json_data):
            program = program.apply(change)


@pytest.mark.parametrize(
    ("model", "text", "edits"),
    [
        (
            "later",
            "put the capacity back to how it was originally",
            [{"op": "change_data", "changes": [{"path": ["capacity"], "remove": False, "value": 30.0}]}],
        ),
        ("knapsack", "turn off the variable family take", [{"op": "switch", "id": "take", "enabled": False}]),
        ("knapsack", "switch the capacity off", [{"op": "switch", "id": "capacity", "enabled": False}]),
        ("later", "switch max_items on", [{"op": "switch", "id": "max_items", "enabled": True}]),
        ("later", "bring it back", [{"op": "switch", "id": "max_items", "enabled": True}]),
        (
            "knapsack",
            "Make the capacity soft with priority A, and the cap on the number of items soft, priority C.",
            [
                {"op": "set_priority", "id": "capacity", "priority": "A"},
                {"op": "set_priority", "id": "max_items", "priority": "C"},
            ],
        ),
        (
            "later",
            "OK, not possible. All the minimum amounts stay hard, but treat my new rule as soft, priority A.",
            [{"op": "set_priority", "id": "no_camera", "priority": "A"}],
        ),
    ],
)
def test_what_is_brought_back_switched_and_softened(
    subjects: dict[str, Subject], model: str, text: str, edits: list[object]
) -> None:
    (proposal, *_) = understand(text, subjects[model]).proposals
    assert [edit.model_dump() for edit in proposal.edits] == edits


def test_data_that_are_as_they_were_are_not_reset(subjects: dict[str, Subject]) -> None:
    understanding = understand("reset the weight of the tent", subjects["later"])
    assert not understanding.proposals
    assert "as it was when the model was opened" in (understanding.refusal or "")


def test_commands_of_one_sentence_with_the_moves_first(subjects: dict[str, Subject]) -> None:
    (proposal, *_) = understand("compare with main and go back to version 2", subjects["later"]).proposals
    assert [type(command).__name__ for command in proposal.commands] == ["Checkout", "Compare"]
