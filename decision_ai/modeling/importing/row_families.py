"""Which rows of a script are one family, and the index of each: the loops around the line that adds it."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, TypeAlias

from decision_ai.modeling.importing.pulp_algebra import Linear, LpConstraint

Label: TypeAlias = str | int
Member: TypeAlias = tuple[str, tuple[Label, ...]]

_EDGES = " _-,.:;()[]"


def label(value: Any) -> Label:
    """A label as text or a whole number."""
    return int(value) if is_whole(value) else str(value)


def loop_labels(frame: FrameType) -> tuple[Label, ...]:
    """What the loops around the running line stand at, the outermost first, as far as these are labels."""
    names = _loop_names(frame.f_code.co_filename).get(frame.f_lineno, ())
    space = frame.f_locals
    values = (one for name in names for one in _parts(space.get(name)))
    return tuple(label(one) for one in values if isinstance(one, str) or is_whole(one))


def row_members(names: Sequence[str], rows: Sequence[LpConstraint]) -> dict[str, Member]:
    """Family and index by the name of the row, for the rows of which the script says both.

    Args:
        names: the name of every row.
        rows: the rows.
    """
    groups: dict[tuple[str, bool], list[tuple[str, LpConstraint]]] = defaultdict(list)
    for name, row in zip(names, rows, strict=True):
        groups[row.line, bool(row.given)].append((name, row))
    members: dict[str, Member] = {}
    for (line, has_name), group in groups.items():
        plain = line.replace(" ", "_")
        found = _named(group) if has_name else _nameless(group)
        members |= {name: (family or plain, index) for name, (family, index) in found.items()}
    return members


def _named(group: list[tuple[str, LpConstraint]]) -> dict[str, Member]:
    """Rows with names: those loop variables that the names hold, if the rest of all names is the same."""
    if len(group) == 1:
        return {}
    taken = {name: _taken_apart(row.given or "", row.loops) for name, row in group}
    families = {family for family, _index in taken.values()}
    indices = {index for _family, index in taken.values()}
    return taken if len(families) == 1 and len(indices) == len(group) and () not in indices else {}


def _taken_apart(text: str, labels: Sequence[Label]) -> Member:
    pieces, index = [], []
    for one in labels:
        found = _found(one, text)
        if found:
            pieces.append(text[: found.start()].strip(_EDGES))
            index.append(one)
            text = text[found.end() :]
    pieces.append(text.strip(_EDGES))
    return re.sub(r"\s+", "_", "_".join(piece for piece in pieces if piece)), tuple(index)


def _found(one: Label, text: str) -> re.Match[str] | None:
    """A label in a name: a number by itself, a text as a word of its own if it is one somewhere."""
    if isinstance(one, int):
        return re.search(rf"(?<!\d)0*{one}(?!\d)", text)
    word = re.search(rf"(?<![^\W_]){re.escape(one)}(?![^\W_])", text)
    return (word or re.search(re.escape(one), text)) if one else None


def _nameless(group: list[tuple[str, LpConstraint]]) -> dict[str, Member]:
    """Rows without names: the loop variables that are labels of the variables, else all, else a number."""
    rows = [row for _name, row in group]
    if len(rows) == 1:
        return {group[0][0]: ("", ())}
    numbers: list[tuple[Label, ...]] = [(n,) for n in range(1, len(rows) + 1)]
    for indices in ([_shared(row) for row in rows], [row.loops for row in rows], numbers):
        depths = {len(index) for index in indices}
        if depths != {0} and len(depths) == 1 and len(set(indices)) == len(rows):
            return {name: ("", index) for (name, _row), index in zip(group, indices, strict=True)}
    return {}


def _shared(row: LpConstraint) -> tuple[Label, ...]:
    known = {label(one) for variable in row for one in (variable.member or ("", ()))[1]}
    return tuple(one for one in row.loops if one in known)


@cache
def _loop_names(filename: str) -> dict[int, tuple[str, ...]]:
    """Line → names that the loops around it set, the outermost first."""
    try:
        tree = ast.parse(Path(filename).read_bytes())
    except (OSError, SyntaxError):
        return {}
    names: dict[int, tuple[str, ...]] = {}
    _walk(tree, (), names)
    return names


def _walk(node: ast.AST, around: tuple[str, ...], names: dict[int, tuple[str, ...]]) -> None:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        around = ()
    around += tuple(_targets(node))
    if around and isinstance(node, ast.stmt | ast.expr):
        names.update(dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), around))
    for child in ast.iter_child_nodes(node):
        _walk(child, around, names)


def _targets(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.For):
        yield from _stored(node.target)
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        for generator in node.generators:
            yield from _stored(generator.target)


def _stored(target: ast.AST) -> Iterator[str]:
    for node in ast.walk(target):
        if isinstance(node, ast.Name):
            yield node.id


def _parts(value: Any) -> tuple[Any, ...]:
    """What may be labels in the value of a loop variable: of a record its texts, else its whole numbers."""
    if isinstance(value, tuple):
        return value
    record = value if isinstance(value, dict) else getattr(value, "__dict__", None)
    if not isinstance(record, dict) or isinstance(value, Linear):
        return (value,)
    fields = [one for name, one in record.items() if not str(name).startswith("_")]
    return tuple([one for one in fields if isinstance(one, str)] or filter(is_whole, fields))


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number, Python's or numpy's."""
    if isinstance(value, int):
        return not isinstance(value, bool)
    return getattr(getattr(value, "dtype", None), "kind", "") in {"i", "u"} and getattr(value, "ndim", 1) == 0
