"""Where a session can go among its versions. Pure; the session's runner makes the move, the store keeps it.

Nothing is ever lost: what was undone stays in the tree, and a version outside of every branch gets a branch
of its own when somebody goes there.
"""

import unicodedata
from difflib import get_close_matches
from itertools import pairwise

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.errors import DecisionAIError
from decision_ai.modeling.program import Program
from decision_ai_server.agent.ports import ModelVersion, Move, VersionTree

MOST_NAME_CHARACTERS = 64
_MOST_LISTED = 20


class NothingToUndo(DecisionAIError):
    """The session is at its first version."""

    def __init__(self) -> None:
        super().__init__("there is no approved change to undo: this is the model as it was opened")


class NothingToRedo(DecisionAIError):
    """The session is at the newest version of its branch."""

    def __init__(self, branch: str) -> None:
        super().__init__(f"there is nothing to redo: this is the newest version of the branch {branch!r}")


class NothingToReset(DecisionAIError):
    """A component is as it was when the session was opened."""

    def __init__(self, id: str) -> None:
        super().__init__(f"{id!r} is as it was when the model was opened; there is nothing to reset")


class UnknownVersion(DecisionAIError):
    """There is no such version, branch or component to go to."""


class BadBranchName(DecisionAIError):
    """What cannot be the name of a branch."""


class BranchTaken(DecisionAIError):
    """There is a branch of that name already."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is a branch {name!r} already; choose another name, or check that one out")


def undo(tree: VersionTree, steps: int) -> Move:
    """Go back by that many versions, at most to the first; the branch keeps its tip.

    Raises:
        NothingToUndo: at the first version.
    """
    line = tree.line()
    if len(line) == 1:
        raise NothingToUndo
    return Move(line[min(steps, len(line) - 1)].id, tree.branch)


def undone(tree: VersionTree) -> tuple[ModelVersion, ...]:
    """The versions of the branch after the present one, the next first."""
    line = tree.line(tree.branches[tree.branch])
    ids = [version.id for version in line]
    return tuple(reversed(line[: ids.index(tree.head)])) if tree.head in ids else ()


def redo(tree: VersionTree, steps: int) -> Move:
    """Go forward by that many versions, at most to the newest of the branch.

    Raises:
        NothingToRedo: at the newest version.
    """
    ahead = undone(tree)
    if not ahead:
        raise NothingToRedo(tree.branch)
    return Move(ahead[min(steps, len(ahead)) - 1].id, tree.branch)


def branch(tree: VersionTree, name: str) -> Move:
    """Make a new branch at the present version and go on there.

    Raises:
        BadBranchName: if it cannot be a name.
        BranchTaken: if there is one of that name.
    """
    name = _plain(name)
    if not 0 < len(name) <= MOST_NAME_CHARACTERS or not name.isprintable() or name.isdecimal():
        raise BadBranchName(
            f"{name!r:.80} cannot be the name of a branch; take 1 to {MOST_NAME_CHARACTERS} printable "
            "characters that are not a number, such as 'night shift'"
        )
    if any(version.id == name for version in tree.versions):
        raise BadBranchName(f"{name!r} is the id of a version; choose another name")
    taken = next((known for known in tree.branches if known.casefold() == name.casefold()), None)
    if taken is not None:
        raise BranchTaken(taken)
    return Move(tree.head, name)


def checkout(tree: VersionTree, target: str) -> Move:
    """Go to the newest version of a branch, or to a version by number or id.

    Raises:
        UnknownVersion: if there is no such branch or version.
    """
    target = _plain(target)
    if target in tree.branches:
        return Move(tree.branches[target], target)
    return _going_to(tree, find(tree, target).id)


def before(tree: VersionTree, component: str) -> Move:
    """Go to the newest version in which a component was as before its newest change, or was not there yet.

    Raises:
        UnknownVersion: if the component was never there, or is as it was opened.
    """
    line = tree.line()
    for newer, older in pairwise(line):
        if _component(newer.program, component) != _component(older.program, component):
            return _going_to(tree, older.id)
    program = line[0].program
    if _component(program, component) is not None:
        raise UnknownVersion(f"{component!r} is as it was when the model was opened; there is no before")
    known = [*program.variables, *program.constraints, "objective"]
    close = get_close_matches(component, known, 1)
    advice = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(known)}"
    raise UnknownVersion(f"there is no component {component!r} in the line of this version; {advice}")


def find(tree: VersionTree, target: str) -> ModelVersion:
    """A version by name of its branch, by number, or by id.

    Raises:
        UnknownVersion: if there is none; the text says what there is.
    """
    target = _plain(target)
    known = {version.id: version for version in tree.versions}
    if target in tree.branches:
        return known[tree.branches[target]]
    if target in known:
        return known[target]
    if target.isascii() and target.isdecimal() and len(target) < 10 and int(target) < len(tree.versions):
        return tree.versions[int(target)]
    names = [repr(name) for name in tree.branches]
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    raise UnknownVersion(
        f"there is no version {target!r:.80}; there are the numbers 0 to {len(tree.versions) - 1} and the "
        f"branches {', '.join(names[:_MOST_LISTED])}{more}"
    )


def reset(tree: VersionTree, component: str) -> list[ModelChanges]:
    """The changes that bring a component of the present version back to what it was at first.

    Raises:
        ProgramError: if there is no such component.
        NothingToReset: if it is as it was.
    """
    changes = tree.line()[0].program.reset(component, tree.versions[0].program)
    if not changes:
        raise NothingToReset(component)
    return changes


def _plain(name: str) -> str:
    """A name in one way of writing: letters with accents have two, which look the same."""
    return unicodedata.normalize("NFC", name).strip()


def _going_to(tree: VersionTree, version_id: str) -> Move:
    """The move to a version: on the present branch where it is part of it, else on another, else on a new."""
    names = [tree.branch, *(name for name in tree.branches if name != tree.branch)]
    for name in names:
        if any(version.id == version_id for version in tree.line(tree.branches[name])):
            return Move(version_id, name)
    return Move(version_id, _free_name(tree, f"version {tree.number(version_id)}"))


def _free_name(tree: VersionTree, wanted: str) -> str:
    name, count = wanted, 1
    while name in tree.branches:
        count += 1
        name = f"{wanted} ({count})"
    return name


def _component(program: Program, id: str) -> str | None:
    """The code of a component, or None where the program does not have it."""
    part = program.constraints.get(id) or program.variables.get(id) or program.data_classes.get(id)
    if part is not None:
        return part.code
    objective = program.objective
    return objective.code if objective is not None and id in {objective.id, "objective"} else None
