"""Stored data after a change of the input-data classes.

Fields that the classes no longer have are dropped, new ones are filled in where the default is written out,
so that later changes of the data can show the old value. Nothing is executed and no rename is guessed: old
and new annotations are walked side by side along the data. Defaults that are computed are left to the class.
"""

import ast
import copy
from typing import Any

from decision_ai.modeling.data import MAX_NESTING, canonical_json, joined, parse_json
from decision_ai.modeling.data_shapes import NOT_WRITTEN, DataShapes, Shape
from decision_ai.modeling.outline import read_outline
from decision_ai.modeling.program import Program
from decision_ai.modeling.refusals import refusal

_MOST_PLACES = 3
_MOST_FILLED = 16 * 2**20
"""Characters of defaults that may be filled in, an object counting as many; the classes may be hostile."""
_COST_OF_AN_OBJECT = 256


def migrated(json_data: str, before: Program, after: Program) -> str:
    """The data as the new input-data classes want them; the same text where there is nothing to do.

    Args:
        json_data: data that fit `before`, as JSON text; they may have values for new fields already.
        before: the program with the old classes.
        after: the program with the new ones.

    Raises:
        ProgramError: `no_value`, if a field without a default is new and the data have no value for it.
        DataError: if the text is not JSON.
    """
    data = parse_json(json_data)
    migration = Migration(before, after)
    moved = migration.moved(data)
    migration.check()
    return json_data if moved == data else canonical_json(moved)


def migrated_again(old: str, new: str, programs: tuple[Program, Program, Program]) -> str:
    """Migrated data after somebody edited the new classes: values that were filled in follow the edit.

    Args:
        old: the data before the migration, as JSON text.
        new: the data after it, perhaps with values changed on purpose, which stay.
        programs: with the classes before the migration, as it made them, and as they were edited.
    """
    before, made, edited = programs
    data = parse_json(old)
    filled, refilled = (Migration(before, program).moved(data) for program in (made, edited))
    followed = _followed(filled, parse_json(new), refilled)
    return canonical_json(Migration(made, edited).moved(followed))


def _followed(filled: Any, present: Any, refilled: Any) -> Any:
    """The present value, with what is as it was filled in as it is filled in now."""
    if present == filled:
        return refilled
    if isinstance(filled, dict) and isinstance(present, dict) and isinstance(refilled, dict):
        return {
            key: _followed(filled[key], inner, refilled[key]) if key in filled and key in refilled else inner
            for key, inner in present.items()
        }
    return present


class Migration:
    """The way of data from one program's input-data classes to another's."""

    def __init__(self, before: Program, after: Program) -> None:
        self._old, self._new = (DataShapes(read_outline(program.source)) for program in (before, after))
        self._old_root, self._new_root = (
            ast.Name(program.main_data_class, ctx=ast.Load()) for program in (before, after)
        )
        self._missing: dict[tuple[str, str], list[str]] = {}
        self._room = self._depth = 0

    def moved(self, data: Any) -> Any:
        """The data with old fields dropped and new ones filled in; what is missing is noted for `check`."""
        self._missing, self._room, self._depth = {}, _MOST_FILLED, 0
        return self._moved(data, self._old_root, self._new_root, "")

    def check(self) -> None:
        """Refuse data that had no value for a new field.

        Raises:
            ProgramError: `no_value`, with the fields and the places.
        """
        if not self._missing:
            return
        said = "; ".join(f"{owner}.{name} (at {_places(at)})" for (owner, name), at in self._missing.items())
        (owner, name), *_ = self._missing
        raise refusal(
            "no_value",
            f"the input data have no value for new fields without a default: {said}; "
            "give each field a default, or its values in the same change",
            component="input_data",
            component_id=owner,
            hint=f"write a default behind {name!r}, such as `{name}: float = 0`",
        )

    def _moved(self, value: Any, old: ast.expr | None, new: ast.expr, path: str) -> Any:
        """One value from the place `old` of the old classes to the place `new` of the new ones."""
        if not isinstance(value, dict | list):
            return value
        was = None if old is None else self._old.shape(old, value)
        now = self._new.shape(new, value, prefer=was.class_name if was else "")
        if now is None:
            return value
        if isinstance(value, list):
            return [
                self._moved(inner, _part(was, n), now.parts[min(n, len(now.parts) - 1)], f"{path}[{n}]")
                for n, inner in enumerate(value)
            ]
        if now.kind == "map":
            return {
                key: self._moved(inner, _part(was, 0), now.parts[0], joined(path, key))
                for key, inner in value.items()
            }
        return self._object(value, was.class_name if was else "", now.class_name, path)

    def _object(self, value: dict[str, Any], old_class: str, new_class: str, path: str) -> dict[str, Any]:
        old, new = self._old.fields.get(old_class, {}), self._new.fields[new_class]
        moved: dict[str, Any] = {}
        for name, inner in value.items():
            if name in new:
                was = old[name].annotation if name in old else None
                moved[name] = self._moved(inner, was, new[name].annotation, joined(path, name))
            elif name not in old:
                moved[name] = inner  # it was wrong before; the check of the data says so
        for name in new:
            if name in moved or (name in old and (old[name].required or not new[name].required)):
                continue  # what the data never had is not the change's doing
            default = self._old.default(old[name]) if name in old else self._new.default(new[name])
            if default is not NOT_WRITTEN:
                moved[name] = self._filled(default, new[name].annotation, joined(path, name))
            elif new[name].required:
                self._missing.setdefault((new_class, name), []).append(path or "the top")
        return moved

    def _filled(self, default: Any, annotation: ast.expr, path: str) -> Any:
        """A default for one place, with the defaults of what is inside of it."""
        self._room -= len(repr(default)) + (_COST_OF_AN_OBJECT if isinstance(default, dict) else 0)
        if self._room < 0 or self._depth == MAX_NESTING:
            raise refusal(
                "too_large",
                "filling in the new defaults makes the input data too large; write smaller defaults",
                component="input_data",
            )
        self._depth += 1
        filled = self._moved(copy.deepcopy(default), None, annotation, path)
        self._depth -= 1
        return filled


def _part(shape: Shape | None, position: int) -> ast.expr | None:
    """The annotation of what stands at a position; the last one holds for all that follow."""
    if shape is None or not shape.parts:
        return None
    return shape.parts[min(position, len(shape.parts) - 1)]


def _places(paths: list[str]) -> str:
    more = len(paths) - _MOST_PLACES
    return ", ".join(paths[:_MOST_PLACES]) + (f" and {more} more" if more > 0 else "")
