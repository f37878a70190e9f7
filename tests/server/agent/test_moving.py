"""Where a session can go: nothing is lost, and every version can be reached again."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from decision_ai.errors import DecisionAIError, ProgramError
from decision_ai.examples import example
from decision_ai.modeling.program import Program
from decision_ai_server.agent import moving
from decision_ai_server.agent.ports import ModelVersion, Move, VersionTree

SOURCE, DATA = example("knapsack")
BASE = Program.parse(SOURCE)
OFF = BASE.apply(BASE.switch("max_items", enabled=False))
SOFT = OFF.apply(OFF.prioritise("max_items", "A"))


def version(id: str, parent: str | None, program: Program = BASE) -> ModelVersion:
    return ModelVersion(
        id=id, parent=parent, program=program, json_data=DATA, data_id="d", sentence="", summary=f"made {id}"
    )


def grown(tree: VersionTree, program: Program = BASE) -> VersionTree:
    """The tree after one more version on its head, as the store makes it."""
    made = version(f"v{len(tree.versions)}", tree.head, program)
    branches = {**tree.branches, tree.branch: made.id}
    return VersionTree(versions=(*tree.versions, made), branches=branches, branch=tree.branch, head=made.id)


def moved(tree: VersionTree, move: Move) -> VersionTree:
    """The tree after a move, as the store makes it."""
    branches = {move.branch: move.head, **tree.branches}
    return replace(tree, branches=branches, branch=move.branch, head=move.head)


ONE = VersionTree(versions=(version("v0", None),), branches={"main": "v0"}, branch="main", head="v0")
THREE = grown(grown(ONE, OFF), SOFT)


def test_undo_leaves_the_tip_and_redo_goes_back_to_it() -> None:
    back = moved(THREE, moving.undo(THREE, 1))
    assert (back.head, back.branches) == ("v1", {"main": "v2"})
    assert [v.id for v in moving.undone(moved(THREE, moving.undo(THREE, 9)))] == ["v1", "v2"]
    assert moved(back, moving.redo(back, 9)) == THREE


def test_at_the_ends_there_is_nothing_to_undo_or_redo() -> None:
    with pytest.raises(moving.NothingToUndo, match="this is the model as it was opened"):
        moving.undo(ONE, 1)
    with pytest.raises(moving.NothingToRedo, match="the newest version of the branch 'main'"):
        moving.redo(THREE, 1)


def test_names_that_look_alike_are_one_name() -> None:
    tree = moved(THREE, moving.branch(THREE, "Cafe\u0301"))
    assert tree.branch == "Caf\u00e9"
    assert moving.checkout(tree, "Cafe\u0301").branch == "Caf\u00e9"
    assert moving.find(tree, "Cafe\u0301").id == "v2"
    for name in ("Caf\u00e9", "CAFE\u0301", "MAIN"):
        with pytest.raises(moving.BranchTaken):
            moving.branch(tree, name)


def test_no_branch_hides_a_version_behind_its_id() -> None:
    with pytest.raises(moving.BadBranchName, match="'v1' is the id of a version"):
        moving.branch(THREE, "v1")


def test_what_a_new_version_left_behind_gets_a_branch_when_somebody_goes_there() -> None:
    other = grown(moved(THREE, moving.undo(THREE, 1)))
    assert moving.checkout(other, "v1") == Move("v1", "main")
    assert moving.checkout(other, "2") == Move("v2", "version 2")
    there = moved(other, moving.checkout(other, "v2"))
    assert there.branches == {"main": "v3", "version 2": "v2"}
    assert moving.checkout(there, "main") == Move("v3", "main")
    assert moving.checkout(there, "0") == Move("v0", "version 2"), "the present branch comes first"
    taken = moved(other, moving.branch(other, "version 2"))
    assert moving.checkout(taken, "2") == Move("v2", "version 2 (2)")


def test_a_version_of_another_branch_leads_onto_it() -> None:
    tree = grown(moved(THREE, moving.branch(THREE, " night shift ")))
    tree = moved(tree, moving.checkout(tree, "main"))
    assert moving.checkout(tree, "v3") == Move("v3", "night shift")
    assert moving.find(tree, "night shift").id == "v3"


@pytest.mark.parametrize("name", ["", "  ", "x" * 65, "a\nb", "12", "\u202e", "a\x00"])
def test_what_is_no_name_of_a_branch(name: str) -> None:
    with pytest.raises(moving.BadBranchName, match="1 to 64 printable characters that are not a number"):
        moving.branch(THREE, name)


def test_a_name_is_given_once() -> None:
    with pytest.raises(moving.BranchTaken, match="there is a branch 'main' already"):
        moving.branch(THREE, "main")


@pytest.mark.parametrize("target", ["9", "v9", "", "-1", "1.0", "1" * 500])
def test_an_unknown_version_is_answered_with_what_there_is(target: str) -> None:
    with pytest.raises(moving.UnknownVersion, match="the numbers 0 to 2 and the branches 'main'"):
        moving.checkout(THREE, target)


def test_before_a_component_was_changed_or_added() -> None:
    assert moving.before(THREE, "max_items") == Move("v1", "main")
    again = moved(THREE, moving.undo(THREE, 1))
    assert moving.before(again, "max_items") == Move("v0", "main")
    with pytest.raises(moving.UnknownVersion, match="as it was when the model was opened"):
        moving.before(ONE, "max_items")
    with pytest.raises(moving.UnknownVersion, match=r"there is no component 'max_item'.*'max_items'"):
        moving.before(THREE, "max_item")
    with pytest.raises(moving.UnknownVersion, match="'objective' is as it was"):
        moving.before(THREE, "objective")


def test_reset_brings_a_component_back() -> None:
    (change,) = moving.reset(THREE, "max_items")
    assert SOFT.apply(change).constraints["max_items"] == BASE.constraints["max_items"]
    with pytest.raises(moving.NothingToReset, match="'max_items' is as it was"):
        moving.reset(ONE, "max_items")
    with pytest.raises(ProgramError):
        moving.reset(THREE, "min_items")


STEPS = st.lists(
    st.sampled_from(["grow", "undo", "redo", "branch", "checkout"]) | st.integers(0, 30), max_size=25
)


@given(steps=STEPS)
def test_whatever_is_done_every_version_can_be_gone_to(steps: list[str | int]) -> None:
    tree = ONE
    for n, step in enumerate(steps):
        try:
            match step:
                case "grow":
                    tree = grown(tree)
                case "undo":
                    tree = moved(tree, moving.undo(tree, 1))
                case "redo":
                    tree = moved(tree, moving.redo(tree, 1))
                case "branch":
                    tree = moved(tree, moving.branch(tree, f"b{n}"))
                case _:
                    tree = moved(tree, moving.checkout(tree, str(step)))
        except DecisionAIError:
            continue
        tip = tree.branches[tree.branch]
        assert tree.head in {found.id for found in tree.line(tip)}, "the head is on its branch"
        for number, wanted in enumerate(tree.versions):
            there = moved(tree, moving.checkout(tree, str(number)))
            assert there.head == wanted.id
            assert set(tree.branches.items()) <= set(there.branches.items())
