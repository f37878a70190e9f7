import ast
from typing import Any

import pytest
from hypothesis import given, strategies as st

from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff
from decision_ai.errors import DataError, ProgramError
from decision_ai.modeling.locking import (
    Key,
    lock_changes,
    locks,
    named_members,
    no_such_members,
    unlock_changes,
)
from decision_ai.modeling.program import Program
from decision_ai.sandbox import policy

pytestmark = pytest.mark.core

SOURCE = '''import pulp
from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, continuous, integer


class BagData(InputData):
    room: float
    things: list[str]


class BagVariables(Variables):
    pack: dict[str, Var] = binary(over=lambda data: data.things)
    count: dict[tuple[str, int], Var] = integer(over=lambda data: [(i, 1) for i in data.things])
    big_share: Var = continuous(over=None)


class Bag(OptModel[BagData, BagVariables]):
    @constraint(r"\\sum_i pack_i \\le R")
    def room(self, data, v):
        """They fit."""
        return pulp.lpSum(v.pack.values()) <= data.room
'''
PROGRAM = Program.parse(SOURCE)
LABELS = st.one_of(st.text(max_size=8), st.integers(), st.floats(allow_nan=False, allow_infinity=False))
KEYS = st.one_of(LABELS, st.tuples(LABELS, LABELS), st.tuples(LABELS, LABELS, LABELS))


def after(program: Program, changes: list[ConstraintDiff]) -> Program:
    for change in changes:
        program = program.apply(change)
    return program


def test_a_lock_is_one_policy_with_a_sentence_and_a_formula() -> None:
    (change,) = lock_changes(PROGRAM, {"pack": {"Tent": 1.0, "Stove": 0.0}})
    assert change.added is not None
    assert (change.removed, change.added.constraint_id) == (None, "lock_pack")
    assert change.added.code == (
        '@constraint(r"\\mathrm{pack}_i = \\overline{\\mathrm{pack}}_i '
        '\\quad \\forall i \\in L", policy=True)\n'
        "def lock_pack(self, data, v):\n"
        '    """Locked: 2 members of pack at the values written here."""\n'
        "    locked = {'Tent': 1, 'Stove': 0}\n"
        "    for index, value in locked.items():\n"
        "        yield index, v.pack[index] == value"
    )
    part = PROGRAM.apply(change).constraints["lock_pack"]
    assert (part.policy, part.priority, part.enabled) == (True, "hard", True)
    assert policy.check(PROGRAM.apply(change).composed()) is None


def test_several_families_are_locked_at_once_and_one_without_an_index_too() -> None:
    locked = after(PROGRAM, lock_changes(PROGRAM, {"count": {("Tent", 1): 2}, "big_share": 0.25}))
    assert {family: lock.fixed for family, lock in locks(locked).items()} == {
        "count": {("Tent", 1): 2},
        "big_share": 0.25,
    }
    assert "return v.big_share == locked" in locked.source
    assert locked.constraints["lock_big_share"].math.startswith(r"\mathrm{big\_share} =")
    assert after(locked, lock_changes(locked, {"big_share": 1})).source.count("locked = 1\n") == 1


def test_locking_again_merges_into_the_same_constraint_and_keeps_its_priority() -> None:
    locked = after(PROGRAM, lock_changes(PROGRAM, {"pack": {"Tent": 1}}))
    soft = locked.apply(locked.prioritise("lock_pack", "B"))
    off = soft.apply(soft.switch("lock_pack", enabled=False))
    again = after(off, lock_changes(off, {"pack": {"Stove": 1, "Tent": 0}}))
    assert locks(again)["pack"].fixed == {"Tent": 0, "Stove": 1}
    part = again.constraints["lock_pack"]
    assert (part.enabled, part.priority, part.policy) == (True, "B", True)
    assert list(again.constraints) == ["room", "lock_pack"]
    assert lock_changes(again, {"pack": {"Tent": 0.0}}) == []


def test_the_text_of_many_members_has_a_line_for_each() -> None:
    fixed: dict[Key, float] = {f"thing {n}": n % 2 for n in range(30)}
    locked = after(PROGRAM, lock_changes(PROGRAM, {"pack": fixed}))
    assert "\n            'thing 7': 1,\n" in locked.source
    assert locks(locked)["pack"].fixed == fixed


def test_a_taken_name_gives_way() -> None:
    rule = '    @constraint("")\n    def lock_pack(self, data, v):\n        return v.big_share <= 1\n'
    taken = Program.parse(f"{SOURCE}\n{rule}\n    def lock_pack_2(self):\n        return 1\n")
    (change,) = lock_changes(taken, {"pack": {"Tent": 1}})
    assert change.added is not None
    assert change.added.constraint_id == "lock_pack_3"
    with pytest.raises(ProgramError, match="constraint 'lock_pack' is a rule of its own"):
        unlock_changes(taken, "pack")
    locked = after(taken, [change])
    assert after(locked, unlock_changes(locked, "pack")).source == taken.source


def test_unlocking_lets_members_go_one_by_one_or_all() -> None:
    locked = after(PROGRAM, lock_changes(PROGRAM, {"pack": {"Tent": 1, "Stove": 0}}))
    fewer = after(locked, unlock_changes(locked, "pack", ["Stove"]))
    assert locks(fewer)["pack"].fixed == {"Tent": 1}
    assert after(fewer, unlock_changes(fewer, "pack", [("Tent",)])).source == SOURCE
    assert after(locked, unlock_changes(locked, "pack")).source == SOURCE
    with pytest.raises(DataError, match=r"pack\['Lamp'\] is not locked; locked are pack\['Tent'\]"):
        unlock_changes(fewer, "pack", ["Lamp"])
    with pytest.raises(ProgramError, match="'pack' is not locked"):
        unlock_changes(PROGRAM, "pack")
    with pytest.raises(ProgramError, match="no variable 'pak'"):
        unlock_changes(PROGRAM, "pak")


@pytest.mark.parametrize(
    "edited",
    [
        "locked = {'Tent': 1}\n        for index, value in locked.items():\n"
        "            yield index, v.pack[index] <= value",
        "locked = {'Tent': data.room}\n        for index, value in locked.items():\n"
        "            yield index, v.pack[index] == value",
        "locked = {'Tent': 'x'}\n        for index, value in locked.items():\n"
        "            yield index, v.pack[index] == value",
        "return v.big_share == 1",
    ],
)
def test_what_somebody_made_something_else_of_is_no_lock(edited: str) -> None:
    text = f'{SOURCE}\n    @constraint("")\n    def lock_pack(self, data, v):\n        {edited}\n'
    assert locks(Program.parse(text)) == {}


@pytest.mark.parametrize(
    ("fixed", "words"),
    [
        ({"pack": {"Tent": 0.5}}, r"pack\['Tent'\] cannot be locked at 0.5: it is binary"),
        ({"pack": {"Tent": 2}}, "0 or 1"),
        ({"count": {("Tent", 1): 1.5}}, "it is integer"),
        ({"pack": {"Tent": float("nan")}}, "a lock needs a number"),
        ({"pack": {"Tent": "one"}}, "a lock needs a number"),
        ({"pack": {None: 1}}, "None is no label"),
        ({"pack": 1}, r"takes keys, such as \{'pack': \{key: value\}\}"),
        ({"big_share": {"x": 1}}, "takes one value and no keys"),
    ],
)
def test_what_cannot_be_locked_is_said(fixed: Any, words: str) -> None:
    with pytest.raises(DataError, match=words):
        lock_changes(PROGRAM, fixed)


def test_an_unknown_family_is_said_with_the_nearest() -> None:
    with pytest.raises(ProgramError, match="there is no variable 'pakc'") as raised:
        lock_changes(PROGRAM, {"pakc": {"Tent": 1}})
    assert raised.value.report.hint == "did you mean 'pack'?"


@given(st.dictionaries(KEYS, st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=6))
def test_any_keys_and_values_come_back_and_leave_nothing_behind(fixed: dict[Any, float]) -> None:
    free = Program.parse(SOURCE.replace("binary(over", "continuous(over"))
    locked = after(free, lock_changes(free, {"pack": fixed}))
    ast.parse(locked.source)
    assert locks(locked)["pack"].fixed == fixed
    assert after(locked, unlock_changes(locked, "pack", list(fixed))).source == free.source


INDICES: dict[str, list[tuple[str | int | float, ...]]] = {
    "pack": [("Tent",), ("Big, red",), ("1",), (1,)],
    "count": [("Tent", 1)],
    "big_share": [()],
}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pack[Tent]", ("pack", ["Tent"])),
        ("pack['Tent']", ("pack", ["Tent"])),
        (" pack [ Big, red ] ", ("pack", ["Big, red"])),
        ("pack['1']", ("pack", ["1"])),
        ("count[Tent, 1]", ("count", [("Tent", 1)])),
        ("count['Tent', 1]", ("count", [("Tent", 1)])),
        ("count", ("count", [("Tent", 1)])),
        ("big_share", ("big_share", [()])),
    ],
)
def test_a_text_names_members(text: str, found: tuple[str, list[Any]]) -> None:
    assert named_members(text, INDICES) == found


def test_a_text_that_names_nothing_or_too_much_is_refused() -> None:
    with pytest.raises(DataError, match=r"may be '1' or 1; name it by its key, such as \{'pack': \{'1'"):
        named_members("pack[1]", INDICES)
    with pytest.raises(DataError, match=r"no pack\['Tend'\]; did you mean pack\['Tent'\]\?"):
        named_members("pack[Tend]", INDICES)
    with pytest.raises(ProgramError, match="no variable 'pak'"):
        named_members("pak[Tent]", INDICES)
    assert str(no_such_members("pack", ["q"], [])) == "there is no pack['q']"
