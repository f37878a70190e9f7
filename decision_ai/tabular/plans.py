"""Plans as sheets and files, for Excel and CSV."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from decision_ai.errors import DecisionAIError
from decision_ai.solving.outcome import Label, Outcome, Plan, RowState
from decision_ai.tabular.workbooks import CellValue, Sheet, sheet_names, write_workbook

SUMMARY, CONSTRAINTS = "Summary", "Constraints"
WIDE = " (wide)"
"""Ending of the name of a sheet that shows a family with two indices as rows and columns."""
_WIDE_ROWS, _WIDE_COLUMNS = 200, 50


def plan_sheets(outcome: Outcome, plan: Plan, rows: Iterable[RowState] = ()) -> list[Sheet]:
    """A solved plan as sheets: the summary, the constraints, then each variable family.

    A family of two indices that is small has a second sheet, with the first index down and the second across.

    Args:
        outcome: why the solve stopped.
        plan: the values of all variables.
        rows: every row at the plan.
    """
    families = [_family(name, members) for name, members in plan.values.items()]
    wide = [_wide(name, members) for name, members in plan.values.items()]
    return [
        _summary(outcome),
        _constraints(rows),
        *families,
        *(sheet for sheet in wide if sheet is not None),
    ]


def family_sheet_names(families: Iterable[str]) -> dict[str, str]:
    """The sheet of each family → the family."""
    known = list(families)
    return dict(zip(sheet_names([SUMMARY, CONSTRAINTS, *known])[2:], known, strict=True))


def check_target(path: Path) -> None:
    """Refuse what `write_plan` would refuse, before anybody waits for the plan.

    Raises:
        DecisionAIError: if the form is none, the file or a filled folder is there already, or the folder
            above is missing.
    """
    suffix = path.suffix.lower()
    if suffix not in ("", ".xlsx", ".json"):
        raise DecisionAIError(
            f"a plan is written as .xlsx, as .json or into a folder of CSV files, not as {path.name!r}"
        )
    if suffix and path.exists():
        raise _exists(path)
    if suffix and not path.parent.is_dir():
        raise DecisionAIError(f"{str(path)!r} cannot be written: there is no folder {str(path.parent)!r}")
    if not suffix and path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise _not_empty(path)


def _exists(path: Path) -> DecisionAIError:
    return DecisionAIError(f"{str(path)!r} exists already; choose another name")


def _not_empty(folder: Path) -> DecisionAIError:
    return DecisionAIError(f"the folder {str(folder)!r} is a file or not empty; name a new one")


def write_plan(path: Path, outcome: Outcome, plan: Plan, rows: Iterable[RowState] = ()) -> Path:
    """Write a plan: a workbook (.xlsx), JSON (.json), or a folder of CSV files (a name without a suffix).

    Raises:
        DecisionAIError: if it cannot be written; a file or folder that exists is not replaced.
    """
    check_target(path)
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        return write_excel(path, outcome, plan, rows)
    if suffix == ".json":
        said = {"outcome": outcome.model_dump(mode="json"), **plan.model_dump(mode="json")}
        return _write_new(path, json.dumps(said, ensure_ascii=False).encode())
    return write_folder(path, outcome, plan, rows)


def write_excel(path: Path, outcome: Outcome, plan: Plan, rows: Iterable[RowState] = ()) -> Path:
    """Write a plan as a workbook; a file that exists is not replaced.

    Raises:
        DecisionAIError: if the file exists or cannot be written.
    """
    return _write_new(path, write_workbook(plan_sheets(outcome, plan, rows)))


def write_folder(folder: Path, outcome: Outcome, plan: Plan, rows: Iterable[RowState] = ()) -> Path:
    """Write a plan as CSV files (UTF-8, comma, decimal point) into a new or empty folder, one for each sheet.

    Raises:
        DecisionAIError: if the folder has files already or cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_empty = not any(folder.iterdir())
    except OSError as error:
        raise DecisionAIError(f"the folder {str(folder)!r} cannot be made: {error.strerror}") from error
    if not is_empty:
        raise _not_empty(folder)
    sheets = plan_sheets(outcome, plan, rows)
    for sheet, name in zip(sheets, sheet_names(sheet.name for sheet in sheets), strict=True):
        _write_new(folder / f"{name}.csv", _csv(sheet).encode())
    return folder


def _write_new(path: Path, content: bytes) -> Path:
    try:
        with path.open("xb") as file:
            file.write(content)
    except FileExistsError:
        raise _exists(path) from None
    except OSError as error:
        raise DecisionAIError(f"{str(path)!r} cannot be written: {error.strerror}") from error
    return path


def _csv(sheet: Sheet) -> str:
    written = io.StringIO(newline="")
    writer = csv.writer(written)
    writer.writerow(sheet.header)
    writer.writerows(sheet.rows)
    return written.getvalue()


def _summary(outcome: Outcome) -> Sheet:
    facts: list[tuple[str, CellValue]] = [
        ("outcome", outcome.kind.value),
        ("objective", outcome.objective),
        ("bound", outcome.bound),
        ("gap", outcome.gap),
        ("seconds", round(outcome.seconds, 3)),
        ("message", outcome.message),
    ]
    return Sheet(SUMMARY, ["name", "value"], [list(fact) for fact in facts if fact[1] is not None])


def _constraints(rows: Iterable[RowState]) -> Sheet:
    header = ["constraint", "index", "activity", "lower", "upper", "slack", "binding", "violation"]
    cells: list[list[CellValue]] = [
        [
            row.constraint_id,
            ", ".join(map(str, row.index)),
            row.activity,
            row.lower,
            row.upper,
            _slack(row),
            row.binding,
            row.violation,
        ]
        for row in rows
    ]
    return Sheet(CONSTRAINTS, header, cells, 2)


def _slack(row: RowState) -> float | None:
    """How far the activity is from its nearest bound; 0 where the row is missed."""
    sides = [
        side
        for side in (_difference(row.upper, row.activity), _difference(row.activity, row.lower))
        if side is not None
    ]
    return max(min(sides), 0.0) if sides else None


def _difference(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


def _family(name: str, members: Sequence[tuple[tuple[Label, ...], float]]) -> Sheet:
    width = len(members[0][0]) if members else 0
    indices = ["index"] if width == 1 else [f"index {n}" for n in range(1, width + 1)]
    rows: list[list[CellValue]] = [[*index, value] for index, value in members]
    return Sheet(name, [*indices, "value"], rows, width)


def _wide(name: str, members: Sequence[tuple[tuple[Label, ...], float]]) -> Sheet | None:
    """The sheet of a family of two indices, if every pair has a member and there are not too many."""
    if not members or len(members[0][0]) != 2:
        return None
    down = list(dict.fromkeys(index[0] for index, _ in members))
    across = list(dict.fromkeys(index[1] for index, _ in members))
    header = [str(label) for label in across]
    fits = (
        len(down) <= _WIDE_ROWS
        and len(across) <= _WIDE_COLUMNS
        and len({"index", *header}) == len(across) + 1
    )
    if not fits or len(members) != len(down) * len(across):
        return None
    values = dict(members)
    rows: list[list[CellValue]] = [[label, *(values[label, other] for other in across)] for label in down]
    return Sheet(f"{name}{WIDE}", ["index", *header], rows, 1)
