"""Edits become diffs whose "before" is filled in from the version at hand."""

import json

import pytest
from pydantic import TypeAdapter

from decision_ai.errors import DataError, ProgramError
from decision_ai.examples import example
from decision_ai.modeling.data import data_id, differences
from decision_ai.modeling.program import Program
from decision_ai_server.agent.edits import Edit, nothing_there, to_changes

EDITS = TypeAdapter(list[Edit])
CAP = '''@constraint(r"\\sum_i take_i \\le 4")
def {name}(self, data, v):
    """At most four."""
    return pulp.lpSum(v.take.values()) <= 4
'''
FAMILY = '''late: dict[str, Var] = binary(over=lambda data: data.items, math=r"l_i")
"""1 if late."""
'''


@pytest.fixture
def model() -> tuple[Program, str]:
    source, json_data = example("knapsack")
    return Program.parse(source), json_data


def changes(model, *edits):
    program, json_data = model
    return to_changes(EDITS.validate_python(list(edits)), program, json_data)


def test_a_new_constraint_is_an_addition_with_math_and_description_read_from_its_code(model):
    (diff,) = changes(model, {"op": "set_constraint", "code": CAP.format(name="cap")})

    assert diff.removed is None
    assert diff.added.constraint_id == "cap"
    assert diff.added.math_formulation == r"\sum_i take_i \le 4"
    assert diff.added.description == "At most four."


def test_a_constraint_of_a_known_name_is_a_change(model):
    (diff,) = changes(model, {"op": "set_constraint", "code": CAP.format(name="max_items")})

    assert diff.removed == model[0].snapshot("constraint", "max_items")
    assert "<= 4" in diff.added.code


def test_removals_switches_and_priorities_quote_the_present_part(model):
    removed, off, soft = changes(
        model,
        {"op": "remove_constraint", "id": "capacity"},
        {"op": "switch", "id": "max_items", "enabled": False},
        {"op": "set_priority", "id": "category_min", "priority": "B"},
    )

    assert removed.added is None
    assert "enabled=False" in off.added.code
    assert 'priority="B"' in soft.added.code or "priority='B'" in soft.added.code


def test_a_variable_family_is_added_and_removed(model):
    (diff,) = changes(model, {"op": "set_variable", "code": FAMILY})

    assert diff.added.variable_id == "late"
    assert diff.added.description == "1 if late."
    with_family = model[0].apply(diff), model[1]
    (removed,) = changes(with_family, {"op": "remove_variable", "id": "late"})
    assert removed.added is None


def test_the_objective_is_replaced(model):
    code = '''@objective("minimize", "w")
def weight(self, data, v):
    """Least weight."""
    return pulp.lpSum(item.weight * v.take[i] for i, item in data.items.items())
'''
    (diff,) = changes(model, {"op": "set_objective", "code": code})

    assert diff.removed == model[0].objective_snapshot()
    assert diff.added.description == "Least weight."


def test_data_edits_of_one_set_make_one_diff(model):
    (diff,) = changes(
        model,
        {"op": "change_data", "changes": [{"path": ["capacity"], "value": 33}]},
        {
            "op": "change_data",
            "changes": [
                {"path": ["items", "Tent", "weight"], "value": 8},
                {"path": ["items", "Kettle"], "remove": True},
            ],
        },
    )

    after = json.loads(diff.added.json_data)
    assert after["capacity"] == 33
    assert after["items"]["Tent"]["weight"] == 8
    assert "Kettle" not in after["items"]
    assert diff.added.opt_input_data_id == data_id(diff.added.json_data)
    assert json.loads(diff.removed.json_data) == json.loads(model[1])


def test_lists_are_changed_by_position_and_appended_to():
    source, json_data = example("production_planning")
    model = Program.parse(source), json_data
    (diff,) = changes(
        model,
        {
            "op": "change_data",
            "changes": [
                {"path": ["months", 0], "value": "January"},
                {"path": ["months", "-"], "value": "Jul"},
            ],
        },
    )

    assert json.loads(diff.added.json_data)["months"] == ["January", "Feb", "Mar", "Apr", "May", "Jun", "Jul"]


def test_a_set_is_ordered_so_that_each_part_may_use_the_ones_before(model):
    found = changes(
        model,
        {"op": "set_constraint", "code": CAP.format(name="cap")},
        {"op": "set_variable", "code": FAMILY},
        {"op": "change_data", "changes": [{"path": ["capacity"], "value": 33}]},
    )

    assert [diff.kind for diff in found] == ["input_data_diff", "variable_diff", "constraint_diff"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"path": ["itms", "Tent"], "value": 1}, "'itms'; there is 'items', and 1 more"),
        (
            {"path": ["items", "Tnt", "weight"], "value": 1},
            "'items.Tnt'; in 'items' there is 'Tent', and 11 more",
        ),
        ({"path": ["items", "Tnt"], "remove": True}, "'items.Tnt'; in 'items' there is 'Tent', and 11 more"),
        ({"path": ["capacity", "x"], "value": 1}, "'capacity.x'; in 'capacity' there is a single value"),
        (
            {"path": ["items", "Tent", "x"], "remove": True},
            "'items.Tent.x'; in 'items.Tent' there is 'weight', 'value', 'category'",
        ),
    ],
)
def test_a_path_that_does_not_exist_is_named(model, change, sentence):
    with pytest.raises(DataError) as caught:
        changes(model, {"op": "change_data", "changes": [change]})

    assert str(caught.value) == f"the input data have no {sentence}"


def test_labels_in_other_letters_are_those_of_the_data(model):
    camera = {"path": ["ITEMS", "camera", "Weight"], "value": 2.5}
    (diff,) = changes(model, {"op": "change_data", "changes": [camera]})
    before, after = (json.loads(part.json_data)["items"] for part in (diff.removed, diff.added))
    assert after == {**before, "Camera": {**before["Camera"], "weight": 2.5}}

    rule = {"op": "set_rule", "id": "a", "description": "No tent.", "left": "v.take['TENT']"}
    (diff,) = changes(model, rule | {"sense": "==", "right": "0"})
    assert "v.take['Tent'] == 0" in diff.added.code
    term = {"op": "extend_objective", "term": "v.take['tent']", "sign": "-"}
    (diff,) = changes(model, term)
    assert "- v.take['Tent']" in diff.added.code


@pytest.mark.parametrize(("place", "there"), [([1, 2], "a list of 2, counted from 0"), ({}, "nothing")])
def test_what_there_is_instead_of_a_key(place, there):
    assert nothing_there(place, ["a", "b"]) == f"the input data have no 'a.b'; in 'a' there is {there}"


@pytest.mark.parametrize(
    ("code", "part"),
    [
        ("def broken(:", "not valid Python"),
        ("import os", "exactly one method decorated"),
        ("", "exactly one method decorated"),
    ],
)
def test_code_of_the_wrong_form_is_refused_before_it_is_spliced(model, code, part):
    with pytest.raises(ProgramError, match=part):
        changes(model, {"op": "set_constraint", "code": code})


def test_unknown_components_are_refused(model):
    with pytest.raises(ProgramError, match="max_itms"):
        changes(model, {"op": "switch", "id": "max_itms", "enabled": False})


def classes(program, **replaced):
    """The edit that replaces some input-data classes; a new name stands before the others."""
    codes = {name: part.code for name, part in program.data_classes.items()}
    new = {name: code for name, code in replaced.items() if name not in codes}
    return {"op": "set_data_classes", "classes": list((new | codes | replaced).values())}


def with_fields(program, name, *lines):
    return program.data_classes[name].code + "".join(f"\n    {line}" for line in lines)


def test_a_new_field_brings_the_stored_data_along_in_one_diff(model):
    program, json_data = model
    item = with_fields(program, "Item", "fragile: bool = False")
    schema, data, cap = changes(
        model,
        {"op": "set_constraint", "code": CAP.format(name="cap")},
        {"op": "change_data", "changes": [{"path": ["items", "Tent", "fragile"], "value": True}]},
        classes(program, Item=item),
    )

    assert [diff.kind for diff in (schema, data, cap)] == [
        "input_data_schema_diff",
        "input_data_diff",
        "constraint_diff",
    ]
    found = differences(json.loads(json_data), json.loads(data.added.json_data))
    assert {item.path for item in found} == {
        f"items.{name}.fragile" for name in json.loads(json_data)["items"]
    }
    assert [item.path for item in found if item.after is True] == ["items.Tent.fragile"]
    assert data.removed.opt_input_data_id == data_id(json_data)
    assert data.added.opt_input_data_id == data_id(data.added.json_data)


def test_a_field_that_goes_leaves_the_data_too(model):
    program, _ = model
    item = "\n".join(
        line for line in program.data_classes["Item"].code.split("\n") if not line.startswith("    weight:")
    )
    _, data = changes(model, classes(program, Item=item))

    assert all("weight" not in item for item in json.loads(data.added.json_data)["items"].values())


def test_data_that_fit_the_new_classes_already_are_left_alone(model):
    program, _ = model
    (schema,) = changes(model, classes(program, Item=with_fields(program, "Item", "size: float = float(1)")))

    assert schema.kind == "input_data_schema_diff"


def test_a_new_field_without_default_takes_its_values_from_the_same_set(model):
    program, json_data = model
    edit = classes(program, Item=with_fields(program, "Item", "size: float"))
    with pytest.raises(
        ProgramError, match=r"no value for new fields without a default: Item\.size \(at items"
    ):
        changes(model, edit)
    sizes = [{"path": ["items", name, "size"], "value": 2} for name in json.loads(json_data)["items"]]
    _, data = changes(model, {"op": "change_data", "changes": sizes}, edit)

    assert {item["size"] for item in json.loads(data.added.json_data)["items"].values()} == {2}


def test_a_new_item_gets_the_new_defaults_and_a_new_class_can_be_edited(model):
    program, _ = model
    main = with_fields(program, program.main_data_class, "limits: Limits = Limits()")
    edit = classes(
        program,
        Item=with_fields(program, "Item", "fragile: bool = False"),
        Limits="class Limits(InputData):\n    most: float = 9\n    least: float = 0",
        **{program.main_data_class: main},
    )
    item = json.loads(model[1])["items"]["Tent"]
    _, data = changes(
        model,
        edit,
        {
            "op": "change_data",
            "changes": [
                {"path": ["items", "Rope"], "value": item},
                {"path": ["limits", "most"], "value": 4},
            ],
        },
    )

    after = json.loads(data.added.json_data)
    assert after["items"]["Rope"] == item | {"fragile": False}
    assert after["limits"] == {"most": 4, "least": 0}
