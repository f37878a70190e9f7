"""Locks: parts of a plan held fixed, one constraint for each variable family.

What is locked is a literal in the constraint's own source and is read back from its syntax tree, so that a
lock is a rule like any other: it has a diff, a version and a switch.
"""

import ast
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, TypeAlias

from rapidfuzz import process

from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff
from decision_ai.errors import DataError, ProgramError
from decision_ai.modeling.keywords import with_keyword
from decision_ai.modeling.parts import ConstraintPart, VariablePart
from decision_ai.modeling.program import Program
from decision_ai.modeling.refusals import refusal, unknown
from decision_ai.modeling.snapshots import read_constraint_code
from decision_ai.modeling.syntax import parse_expression, parse_module
from decision_ai.solving.outcome import Label

Key: TypeAlias = Label | tuple[Label, ...]
"""How a program looks a member up: by a label, or by a tuple of them."""
Fixed: TypeAlias = Mapping[Key, float] | float
"""The values to hold: by key, or the one of a family without an index."""

_WHOLE = 1e-5
"""How far from a whole number a solver may leave the value of a whole variable."""
_EXACT = 2**53
_MOST_CHARACTERS = 100


@dataclass(frozen=True)
class Lock:
    """A constraint that does nothing but hold members of one family fixed."""

    part: ConstraintPart
    family: str
    fixed: Fixed


def locks(program: Program) -> dict[str, Lock]:
    """Family → its lock, for every family that has one. A lock that somebody edited is none any more."""
    found = [_read(part, family) for part in program.constraints.values() for family in program.variables]
    return {lock.family: lock for lock in reversed(found) if lock is not None}


def lock_changes(program: Program, fixed: Mapping[str, Fixed]) -> list[ConstraintDiff]:
    """The diffs that hold members of families fixed, one for each family whose lock changes.

    What is locked already stays locked; a member that is named again gets the new value.

    Args:
        program: the present model.
        fixed: family → key → value, or family → value where the family has no index.

    Raises:
        ProgramError: if there is no such family.
        DataError: if a key or a value cannot be one, such as a fraction for a whole variable.
    """
    present, changes = locks(program), []
    for name, values in fixed.items():
        if name not in program.variables:
            raise unknown("variable", name, program.variables)
        wanted = _checked(program.variables[name], values)
        lock = present.get(name)
        if lock is not None and isinstance(wanted, Mapping) and isinstance(lock.fixed, Mapping):
            wanted = {**lock.fixed, **wanted}
        change = _change(program, name, lock, wanted)
        if change is not None:
            changes.append(change)
    return changes


def unlock_changes(
    program: Program, family: str, keys: Collection[Key] | None = None
) -> list[ConstraintDiff]:
    """The diff that lets members of a family go; a lock that holds nothing any more is removed.

    Args:
        program: the present model.
        family: the family.
        keys: which members; None lets all of them go.

    Raises:
        ProgramError: if there is no such family, or it is not locked.
        DataError: if a member is not locked.
    """
    if family not in program.variables:
        raise unknown("variable", family, program.variables)
    lock = locks(program).get(family)
    if lock is None:
        raise refusal("not_a_lock", _no_lock(program, family), component="variable", component_id=family)
    removed = program.snapshot("constraint", lock.part.id)
    if keys is None or not isinstance(lock.fixed, Mapping):
        return [ConstraintDiff(removed=removed)]
    wanted = [_key(key) for key in keys]
    for key in wanted:
        if key not in lock.fixed:
            raise DataError(f"{_shown(family, key)} is not locked; locked are {_some(family, lock.fixed)}")
    left = {key: value for key, value in lock.fixed.items() if key not in wanted}
    change = _change(program, family, lock, left) if left else ConstraintDiff(removed=removed)
    return [] if change is None else [change]


def named_members(text: str, indices: Mapping[str, Sequence[tuple[Label, ...]]]) -> tuple[str, list[Key]]:
    """The family and the members that a text such as `pack[Tent]` or `pack` means.

    Args:
        text: a family, or one member with its labels as they are shown or as Python writes them.
        indices: family → index of every member; the one of a family without an index is empty.

    Raises:
        ProgramError: if there is no such family.
        DataError: if there is no such member, or several are written alike.
    """
    family, bracket, rest = text.strip().partition("[")
    family, inside = family.strip(), rest.strip().removesuffix("]").strip()
    if family not in indices:
        raise unknown("variable", family, indices)
    keys = [key_of(index) for index in indices[family]]
    if not bracket:
        return family, keys
    written = _literal(inside)
    if written in keys and not isinstance(written, int | float):
        return family, [written]
    alike = [key for key in keys if _label_text(key) == inside]
    if len(alike) > 1:
        raise DataError(
            f"{text!r} may be {' or '.join(map(repr, alike))}; name it by its key, such as "
            f"{{{family!r}: {{{alike[0]!r}: 1}}}}"
        )
    if not alike:
        raise no_such_members(family, [inside], keys)
    return family, alike


def no_such_members(family: str, missing: Sequence[Key], keys: Sequence[Key]) -> DataError:
    """The error that names members a family does not have, with the nearest one it has."""
    known = {_label_text(key): key for key in keys}
    nearest = process.extractOne(_label_text(missing[0]), list(known), score_cutoff=60)
    meant = f"; did you mean {_shown(family, known[nearest[0]])}?" if nearest else ""
    there = f"; there are {_some(family, keys)}" if not nearest and keys else ""
    return DataError(f"there is no {_some(family, missing)}{meant}{there}")


def key_of(index: tuple[Label, ...]) -> Key:
    """How a program looks the member of an index up."""
    return index[0] if len(index) == 1 else index


def _change(program: Program, family: str, lock: Lock | None, fixed: Fixed) -> ConstraintDiff | None:
    if lock is None:
        return _new_lock(program, family, fixed)
    if lock.fixed == fixed and lock.part.enabled:
        return None
    code = with_keyword(_code(lock.part.id, family, fixed), "priority", lock.part.priority, "hard")
    return ConstraintDiff(
        removed=program.snapshot("constraint", lock.part.id), added=read_constraint_code(code)
    )


def _new_lock(program: Program, family: str, fixed: Fixed) -> ConstraintDiff:
    """A new constraint under the first name that nothing else in the model class has."""
    number = 1
    while True:
        name = f"lock_{family}" if number == 1 else f"lock_{family}_{number}"
        change = ConstraintDiff(added=read_constraint_code(_code(name, family, fixed)))
        try:
            program.apply(change)
        except ProgramError as error:
            if error.report.error_type != "id_taken":
                raise
        else:
            return change
        number += 1


def _code(name: str, family: str, fixed: Fixed) -> str:
    symbol = rf"\mathrm{{{family}}}".replace("_", r"\_")
    if isinstance(fixed, Mapping):
        formula = rf"{symbol}_i = \overline{{{symbol}}}_i \quad \forall i \in L"
        count = "1 member" if len(fixed) == 1 else f"{len(fixed)} members"
        sentence = f"Locked: {count} of {family} at the values written here."
    else:
        formula = rf"{symbol} = \overline{{{symbol}}}"
        sentence = f"Locked: {family} at the value written here."
    lines = [
        f'@constraint(r"{formula}", policy=True)',
        f"def {name}(self, data, v):",
        f'    """{sentence}"""',
        *(f"    {line}" for line in _body(family, fixed)),
    ]
    return "\n".join(lines) + "\n"


def _body(family: str, fixed: Fixed) -> list[str]:
    if not isinstance(fixed, Mapping):
        return [f"locked = {fixed!r}", *_rows(family, indexed=False)]
    pairs = [f"{key!r}: {value!r}" for key, value in fixed.items()]
    lines = [f"locked = {{{', '.join(pairs)}}}"]
    if len(lines[0]) > _MOST_CHARACTERS:
        lines = ["locked = {", *(f"    {pair}," for pair in pairs), "}"]
    return [*lines, *_rows(family, indexed=True)]


def _rows(family: str, *, indexed: bool) -> list[str]:
    if not indexed:
        return [f"return v.{family} == locked"]
    return ["for index, value in locked.items():", f"    yield index, v.{family}[index] == value"]


def _read(part: ConstraintPart, family: str) -> Lock | None:
    """A constraint as the lock of a family; None if it is anything else."""
    (method,) = parse_module(part.code).body
    body = method.body[bool(part.description) :] if isinstance(method, ast.FunctionDef) else []
    match body:
        case [ast.Assign(targets=[ast.Name(id="locked")], value=value), row]:
            pass
        case _:
            return None
    try:
        fixed = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    indexed = isinstance(fixed, dict)
    expected = parse_module("\n".join(_rows(family, indexed=indexed))).body[0]
    values = fixed.values() if isinstance(fixed, dict) else [fixed]
    numbers = all(type(number) in (int, float) for number in values)
    same = ast.dump(row) == ast.dump(expected)
    return Lock(part, family, fixed) if same and numbers else None


def _checked(family: VariablePart, fixed: Fixed) -> Fixed:
    """Keys and values as they are written into the source."""
    indexed = _is_indexed(family)
    if isinstance(fixed, Mapping) != indexed:
        takes = f"keys, such as {{{family.id!r}: {{key: value}}}}" if indexed else "one value and no keys"
        raise DataError(f"a lock of {family.id!r} takes {takes}")
    if isinstance(fixed, Mapping):
        return {_key(key): _value(family, _shown(family.id, key), value) for key, value in fixed.items()}
    return _value(family, family.id, fixed)


def _is_indexed(family: VariablePart) -> bool:
    node = parse_module(family.code).body[0]
    if not isinstance(node, ast.AnnAssign) or not isinstance(node.value, ast.Call):
        return False
    over = [keyword.value for keyword in node.value.keywords if keyword.arg == "over"]
    return any(not (isinstance(value, ast.Constant) and value.value is None) for value in over)


def _key(key: object) -> Key:
    """A key of plain types, whose `repr` is Python that makes it again."""
    if isinstance(key, tuple):
        return key_of(tuple(map(_label, key)))
    return _label(key)


def _label(label: object) -> Label:
    if isinstance(label, str):
        return str.__str__(label)
    if isinstance(label, Integral):
        return int(label)
    if isinstance(label, Real) and math.isfinite(label):
        return float(label)
    raise DataError(f"{label!r:.80} is no label of a member; labels are texts and numbers")


def _value(family: VariablePart, name: str, given: object) -> float:
    value = float(given) if isinstance(given, Real) else math.nan
    if not math.isfinite(value):
        raise DataError(f"{name} cannot be locked at {given!r:.80}; a lock needs a number")
    nearest = round(value)
    if family.domain == "continuous":
        # A whole number is written without its fraction, as far as every one of them has a float.
        return nearest if value == nearest and abs(nearest) < _EXACT else value
    if abs(value - nearest) > _WHOLE:
        raise DataError(
            f"{name} cannot be locked at {value!r}: it is {family.domain}, so it is a whole number"
        )
    if family.domain == "binary" and nearest not in (0, 1):
        raise DataError(f"{name} cannot be locked at {value!r}: it is binary, so it is 0 or 1")
    return nearest


def _no_lock(program: Program, family: str) -> str:
    edited = f"lock_{family}"
    if edited in program.constraints:
        return f"{family!r} is not locked, and constraint {edited!r} is a rule of its own; change it as such"
    return f"{family!r} is not locked; nothing was changed"


def _literal(text: str) -> Any:
    """The value a text is in Python; the text itself if it is none."""
    try:
        return ast.literal_eval(parse_expression(text))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return text


def _shown(family: str, key: Key) -> str:
    """A member as Python writes it, so that the text '1' and the number 1 are told apart."""
    labels = key if isinstance(key, tuple) else (key,)
    return f"{family}[{', '.join(map(repr, labels))}]" if labels else family


def _label_text(key: Key) -> str:
    return ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _some(family: str, keys: Iterable[Key]) -> str:
    names = [_shown(family, key) for key in keys]
    more = [f"{len(names) - 5} more"] if len(names) > 5 else []
    return ", ".join([*names[:5], *more])
