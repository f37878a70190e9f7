"""Runs a person's PuLP script in a process of its own and takes over the model it builds.

Only for a script that its owner runs with their own trust: it may read files, and anything else.
"""

import contextlib
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from decision_ai.errors import DataError, DecisionAIError
from decision_ai.modeling.exporting.name_map import NameMap
from decision_ai.modeling.importing.foreign import ForeignColumn, ForeignModel, ForeignRow

DEFAULT_SECONDS = 300.0
"""How long a script may take to build its model."""

_CHILD = "decision_ai.modeling.importing.script_child"
_LONGEST_ERROR = 1000


def read_script(
    path: Path, problem: str | None = None, *, seconds: float | None = DEFAULT_SECONDS
) -> ForeignModel:
    """Run a script up to its first solve and take over the problem.

    It runs with the rights, the folder and the environment of this process, with an empty input; what it
    prints goes to standard error.

    Args:
        path: the script.
        problem: name of the problem to read, where the script has several.
        seconds: stop the script after this time; None = never.

    Raises:
        DecisionAIError: if the script fails, takes too long, or it is not clear which problem is meant.
        DataError: if the problem is none that a model file can hold.
    """
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        wanted = [] if problem is None else [problem]
        status = _run([sys.executable, "-P", "-m", _CHILD, str(result), str(path), *wanted], path, seconds)
        with contextlib.suppress(FileNotFoundError, json.JSONDecodeError):
            found = json.loads(result.read_text(encoding="utf-8"))
            if "error" in found:
                raise DecisionAIError(f"{str(path)!r}: {found['error'][:_LONGEST_ERROR]}")
            return _told(path, found["picture"])
    raise DecisionAIError(
        f"{str(path)!r}: the script ended its process (exit status {status}) before a solve"
    )


def foreign_model(picture: dict[str, Any]) -> ForeignModel:
    """A picture of the recorder as a foreign model.

    Raises:
        DataError: if it is none.
    """
    members = NameMap(
        columns={name: (family, tuple(index)) for name, (family, index) in picture["column_members"].items()},
        rows={name: (family, tuple(index)) for name, (family, index) in picture["row_members"].items()},
    )
    return ForeignModel(
        name=picture["name"],
        sense=picture["sense"],
        columns=tuple(_column(*column) for column in picture["columns"]),
        rows=tuple(_row(*row) for row in picture["rows"]),
        offset=picture["offset"],
        objective_name=picture["objective_name"],
        members=members,
        sets=tuple((name, tuple(labels)) for name, labels in picture["sets"]),
        docstring=picture.get("docstring", ""),
        notes=tuple(picture["notes"]),
    )


def _told(path: Path, picture: dict[str, Any]) -> ForeignModel:
    try:
        return foreign_model(picture)
    except DataError as error:
        raise DataError(f"{str(path)!r}: {error}") from None


def _run(command: list[str], path: Path, seconds: float | None) -> int:
    """The exit status of the child, which does not outlive this call."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        raise DecisionAIError(
            f"{str(path)!r}: the script was stopped after {seconds:g} s, before its first solve"
        ) from None
    finally:
        process.kill()
        process.wait()


def _column(
    name: str, lower: float | None, upper: float | None, integral: bool, cost: float
) -> ForeignColumn:
    return ForeignColumn(
        name=name,
        lower=-math.inf if lower is None else lower,
        upper=math.inf if upper is None else upper,
        integral=integral,
        cost=cost,
    )


def _row(name: str, lower: float | None, upper: float | None, terms: list[tuple[int, float]]) -> ForeignRow:
    return ForeignRow(
        name=name,
        lower=-math.inf if lower is None else lower,
        upper=math.inf if upper is None else upper,
        terms=tuple((column, coefficient) for column, coefficient in terms),
    )
