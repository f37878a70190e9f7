"""Stored data follow a change of the input-data classes."""

import json
from typing import Any

import pytest

from decision_ai.errors import DataError, ProgramError
from decision_ai.examples import EXAMPLES, example
from decision_ai.modeling.data import canonical_json
from decision_ai.modeling.loading import load_model
from decision_ai.modeling.migration import migrated, migrated_again
from decision_ai.modeling.program import Program

pytestmark = pytest.mark.core

FILE = """from typing import Annotated, Optional, Union
from collections.abc import Mapping, Sequence
from pydantic import Field
from decision_ai import InputData, OptModel, Var, Variables, binary

LIMIT = 5
{classes}

class V(Variables):
    x: Var = binary()

class M(OptModel[Main, V]):
    def solution_to_str(self, data, v):
        return ""
"""
ITEM = "class Item(InputData):\n    weight: float\n"
MAIN = "class Main(InputData):\n    items: dict[str, Item]\n"
DATA = {"items": {"Tent": {"weight": 3}, "Pan": {"weight": 1.5}}}


def program(*classes: str) -> Program:
    return Program.parse(FILE.format(classes="\n".join(classes)))


def moved(data: Any, before: Program, after: Program) -> Any:
    """The data in the new classes, which must fit them and stay as they are when moved again."""
    text = migrated(json.dumps(data), before, after)
    load_model(after.source).data_class.model_validate_json(text)
    assert migrated(text, before, after) == text
    return json.loads(text)


def test_nothing_to_do_leaves_the_text_as_it_is() -> None:
    before = program(ITEM, MAIN)
    text = json.dumps(DATA, indent=2)
    assert migrated(text, before, before) is text
    assert migrated(text, before, program(ITEM + "    colour: str | None = str(1)\n", MAIN)) is text


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_the_examples_stay_as_they_are(name: str) -> None:
    source, json_data = example(name)
    found = Program.parse(source)
    assert migrated(json_data, found, found) is json_data


@pytest.mark.parametrize(
    ("declared", "value"),
    [
        ("int = 3", 3),
        ("float = -1.5", -1.5),
        ("str = 'a' 'b'", "ab"),
        ("bool = False", False),
        ("int | None = None", None),
        ("list[str] = ['a']", ["a"]),
        ("tuple[int, ...] = (1, 2)", [1, 2]),
        ("dict[str, list[int]] = {'a': [1]}", {"a": [1]}),
        ("dict[int, float] = {1: 0.5}", {"1": 0.5}),
        ("int = Field(4, ge=0)", 4),
        ("int = Field(default=4, description='x')", 4),
        ("list[str] = Field(default_factory=list)", []),
        ("dict[str, int] = Field(default_factory=dict)", {}),
        ("list[int] = Field(default_factory=lambda: [1, 2])", [1, 2]),
        ("Annotated[int, Field(default=7)]", 7),
        ("set[str] = set()", []),
    ],
)
def test_a_new_field_gets_the_default_that_is_written_out(declared: str, value: object) -> None:
    after = program(ITEM + f"    extra: {declared}\n", MAIN)
    assert moved(DATA, program(ITEM, MAIN), after) == {
        "items": {"Tent": {"weight": 3, "extra": value}, "Pan": {"weight": 1.5, "extra": value}}
    }


def test_a_default_that_is_computed_is_left_to_the_class() -> None:
    after = program(ITEM + "    extra: int = LIMIT\n    more: float = 2 * 3.5\n", MAIN)
    assert moved(DATA, program(ITEM, MAIN), after) == DATA


def test_fields_that_are_gone_are_dropped_with_everything_in_them() -> None:
    before = program(ITEM + "    size: float\n", MAIN + "    notes: list[Item]\n")
    data = {"items": {"Tent": {"weight": 3, "size": 2}}, "notes": [{"weight": 1, "size": 2}]}
    assert moved(data, before, program(ITEM, MAIN)) == {"items": {"Tent": {"weight": 3}}}


CONTAINERS = [
    ("list[Item]", [{"weight": 1}], [{"weight": 1, "extra": 0}]),
    ("Sequence['Item']", [{"weight": 1}], [{"weight": 1, "extra": 0}]),
    ("'list[Item]'", [{"weight": 1}], [{"weight": 1, "extra": 0}]),
    ("tuple[Item, ...]", [{"weight": 1}] * 2, [{"weight": 1, "extra": 0}] * 2),
    ("tuple[int, Item]", [5, {"weight": 1}], [5, {"weight": 1, "extra": 0}]),
    ("Mapping[str, list[Item]]", {"a": [{"weight": 1}]}, {"a": [{"weight": 1, "extra": 0}]}),
    ("Item | None", {"weight": 1}, {"weight": 1, "extra": 0}),
    ("Item | None", None, None),
    ("Optional[Item]", {"weight": 1}, {"weight": 1, "extra": 0}),
    ("Union[None, list[Item], Item]", [{"weight": 1}], [{"weight": 1, "extra": 0}]),
    ("Annotated[Item, 'said']", {"weight": 1}, {"weight": 1, "extra": 0}),
    ("dict[str, Item | float]", {"a": 2.5, "b": {"weight": 1}}, {"a": 2.5, "b": {"weight": 1, "extra": 0}}),
    ("Items", {"a": {"weight": 1}}, {"a": {"weight": 1, "extra": 0}}),
    ("Other | Item", {"weight": 1}, {"weight": 1, "extra": 0}),
    ("Other | Item", {"height": 1}, {"height": 1}),
]


@pytest.mark.parametrize(("declared", "value", "expected"), CONTAINERS)
def test_objects_are_found_wherever_they_stand(declared: str, value: object, expected: object) -> None:
    rest = ("Items = dict[str, Item]", "class Other(InputData):\n    height: float\n")
    main = f"class Main(InputData):\n    place: {declared}\n"
    before, after = program(ITEM, *rest, main), program(ITEM + "    extra: int = 0\n", *rest, main)
    assert moved({"place": value}, before, after) == {"place": expected}


def test_a_new_class_inside_gets_what_is_said_of_it() -> None:
    limits = "class Limits(InputData):\n    most: float = 9\n    least: float = 0\n"
    for declared in ("Limits = Limits(most=4)", "Limits = Field(default_factory=lambda: Limits(most=4))"):
        after = program(ITEM, limits, MAIN + f"    limits: {declared}\n")
        assert moved(DATA, program(ITEM, MAIN), after) == DATA | {"limits": {"most": 4, "least": 0}}


def test_inherited_fields_and_classes_of_another_name_are_followed() -> None:
    before = program(
        "class Base(InputData):\n    a: int\n    b: int\n", "class Item(Base):\n    c: int\n", MAIN
    )
    after = program(
        "class Base(InputData):\n    b: int\n    d: int = 4\n",
        "class Thing(Base):\n    c: int\n",
        "class Main(InputData):\n    items: dict[str, Thing]\n",
    )
    data = {"items": {"x": {"a": 1, "b": 2, "c": 3}}}
    assert moved(data, before, after) == {"items": {"x": {"b": 2, "c": 3, "d": 4}}}


def test_classes_inside_themselves_are_followed_as_deep_as_the_data() -> None:
    tree = "class Main(InputData):\n    name: str\n    below: list['Main']\n"
    data = {"name": "a", "below": [{"name": "b", "below": []}]}
    assert moved(data, program(tree), program(tree + "    cost: int = 1\n")) == {
        "name": "a",
        "below": [{"name": "b", "below": [], "cost": 1}],
        "cost": 1,
    }


def test_a_field_that_loses_its_default_keeps_the_old_one() -> None:
    before = program(ITEM + "    extra: int = 3\n", MAIN)
    data = {"items": {"Tent": {"weight": 3}, "Pan": {"weight": 1, "extra": 8}}}
    assert moved(data, before, program(ITEM + "    extra: int\n", MAIN)) == {
        "items": {"Tent": {"weight": 3, "extra": 3}, "Pan": {"weight": 1, "extra": 8}}
    }


def test_a_new_field_without_default_and_data_is_refused_by_name_and_place() -> None:
    items = {name: {"weight": 1} for name in ("Tent", "Pan", "Rope.2", "Map", "Hat")}
    before = program(ITEM, MAIN)
    after = program(ITEM + "    size: float\n", MAIN + "    budget: float = Field(..., ge=0)\n")
    with pytest.raises(ProgramError) as caught:
        migrated(json.dumps({"items": items}), before, after)
    assert str(caught.value) == (
        "the input data have no value for new fields without a default: "
        'Item.size (at items.Tent, items.Pan, items["Rope.2"] and 2 more); Main.budget (at the top); '
        "give each field a default, or its values in the same change"
    )
    assert (caught.value.report.error_type, caught.value.report.component_id) == ("no_value", "Item")


def test_data_that_have_the_new_field_already_need_no_default() -> None:
    after = program(ITEM + "    size: float\n    more: int = 2\n", MAIN)
    data = {"items": {"Tent": {"weight": 3, "size": 2}}}
    assert moved(data, program(ITEM, MAIN), after) == {"items": {"Tent": {"weight": 3, "size": 2, "more": 2}}}


def test_what_does_not_fit_is_left_for_the_check_of_the_data() -> None:
    before, after = program(ITEM, MAIN), program(ITEM + "    extra: int = 0\n", MAIN)
    for data in ([1], {"items": [1]}, {"items": {"Tent": 3}}, {"item": {}}, 7):
        assert json.loads(migrated(json.dumps(data), before, after)) == data
    with pytest.raises(DataError, match="not valid JSON"):
        migrated("{", before, after)


def test_renamed_in_the_data_is_not_missing() -> None:
    after = program(ITEM + "    size: float = Field(alias='Size')\n", MAIN)
    assert migrated(json.dumps(DATA), program(ITEM, MAIN), after) == json.dumps(DATA)


@pytest.mark.parametrize(
    "hostile",
    [
        "One = Two\nTwo = One\nclass A(InputData):\n    a: One | None = None\n",
        "class A(InputData):\n    a: list[A] | " + " | ".join(["list[A]"] * 300) + " = []\n",
        "class A(InputData):\n    a: '" + "(" * 300 + "' = 1\n",
        "class A(InputData):\n    a: 'list[' = 1\n",
    ],
)
def test_hostile_classes_come_to_an_end(hostile: str) -> None:
    main = "class Main(InputData):\n    name: str\n"
    before, after = program(main), program(hostile, main + "    tree: A | None = A()\n")
    assert json.loads(migrated('{"name":"x"}', before, after)).keys() == {"name", "tree"}


def test_what_was_filled_in_follows_an_edit_of_the_new_classes() -> None:
    before = program(ITEM, MAIN)
    made = program(ITEM + "    extra: int = 0\n    more: str = 'a'\n", MAIN)
    new = json.loads(migrated(json.dumps(DATA), before, made))
    new["items"]["Tent"] |= {"extra": 7, "weight": 4}
    edited = program(ITEM + "    extra: int = 5\n    other: bool = True\n", MAIN)
    found = migrated_again(json.dumps(DATA), json.dumps(new), (before, made, edited))
    assert json.loads(found) == {
        "items": {
            "Tent": {"weight": 4, "extra": 7, "other": True},
            "Pan": {"weight": 1.5, "extra": 5, "other": True},
        }
    }
    assert migrated_again(json.dumps(DATA), json.dumps(new), (before, made, made)) == canonical_json(new)


def test_defaults_without_end_are_refused() -> None:
    main = "class Main(InputData):\n    name: str\n"
    endless = "class A(InputData):\n    a: 'A' = A()\n    b: 'A' = A()\n"
    wide = "".join(
        f"class A{n}(InputData):\n    a: A{n - 1} = A{n - 1}()\n    b: A{n - 1} = A{n - 1}()\n"
        for n in range(1, 40)
    )
    for classes, name in ((endless, "A"), ("class A0(InputData):\n    n: int = 0\n" + wide, "A39")):
        after = program(classes, main + f"    tree: {name} = {name}()\n")
        with pytest.raises(ProgramError, match="smaller defaults"):
            migrated('{"name":"x"}', program(main), after)


def test_defaults_that_fill_the_memory_are_refused() -> None:
    data = {"items": {str(n): {"weight": 1} for n in range(2000)}}
    after = program(ITEM + f"    text: str = {'x' * 10_000!r}\n", MAIN)
    with pytest.raises(ProgramError, match="smaller defaults"):
        migrated(json.dumps(data), program(ITEM, MAIN), after)
