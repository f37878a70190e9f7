"""Reads a plan that somebody edited back, and checks its labels against the model."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from decision_ai.errors import DataError, DecisionAIError
from decision_ai.modeling.data import parse_json
from decision_ai.solving.executors.base import FamilyDescription, ModelDescription
from decision_ai.solving.outcome import Label, Plan
from decision_ai.tabular.cells import Cells, convert
from decision_ai.tabular.csv_files import read_csv
from decision_ai.tabular.entries import NOTHING, read_entries
from decision_ai.tabular.frames import frame_table, is_frame, is_records, records_table
from decision_ai.tabular.names import matched, nearest
from decision_ai.tabular.plans import CONSTRAINTS, SUMMARY, WIDE, family_sheet_names
from decision_ai.tabular.problems import Place, Problem, Problems, TableError
from decision_ai.tabular.reading import TEXT_TABLES, WORKBOOKS
from decision_ai.tabular.shapes import TEXT, Scalar
from decision_ai.tabular.tables import Row, Table, text_of

_VALUE = Scalar("number", optional=True)


def read_plan(source: Any, description: ModelDescription) -> Plan:
    """Read a plan from a workbook, a CSV file, a folder of them, JSON, a data frame or a dictionary.

    Sheets, files and keys are named by variable families, in the forms that `Solution.to_excel` and
    `to_csv` write: indices and a value, or a family of two indices with the second one across. Members that
    are not there or blank are left out of the plan. One table alone may be for the only family.

    Args:
        source: a path, a data frame, a `Plan`, or a dictionary by family of data frames, of dictionaries from
            label (or tuple of labels) to value, or of values.
        description: the model the plan is for.

    Raises:
        TableError: for everything that does not fit, each with its place; a `DataError`.
        DecisionAIError: if a file cannot be read.
    """
    if isinstance(source, Plan):
        source = dict(source.values)
    reading = _PlanReading(description)
    if isinstance(source, str | Path):
        reading.add_path(Path(source))
    elif is_frame(source):
        reading.add_only(frame_table("the data frame", source, reading.problems))
    elif isinstance(source, Mapping):
        reading.add_dictionary(source, "")
    else:
        raise TypeError(f"a plan is a path, a data frame or a dictionary by family, not {source!r:.80}")
    reading.problems.check()
    return reading.plan()


@dataclass
class _PlanReading:
    description: ModelDescription
    problems: Problems = field(default_factory=Problems)
    found: dict[str, dict[tuple[Label, ...], tuple[float, Place]]] = field(default_factory=dict)
    indices: dict[str, dict[tuple[str, ...], tuple[Label, ...]]] = field(default_factory=dict)
    """Family → labels as they are written → index of the model."""

    def plan(self) -> Plan:
        """The values in the order of the model."""
        values = {}
        for name, family in self.description.families.items():
            given = self.found.get(name, {})
            members = [(index, given[index][0]) for index in family.indices if index in given]
            if members:
                values[name] = members
        return Plan(values=values)

    def add_path(self, path: Path) -> None:
        if not path.exists():
            raise DecisionAIError(f"there is no plan {str(path)!r}")
        self._add_file(path)
        if not self.found and not self.problems.found:
            known = ", ".join(map(repr, self.description.families))
            self.problems.add(Place(path.name), f"there is no value of a variable family; there are {known}")

    def _add_file(self, path: Path) -> None:
        suffix = path.suffix.lower()
        if path.is_dir():
            files = sorted(one for one in path.iterdir() if one.suffix.lower() in TEXT_TABLES)
            if not files:
                raise TableError([Problem(Place(str(path)), "the folder has no CSV file")])
            for one in files:
                self.add(read_csv(one, self.problems))
        elif suffix in WORKBOOKS:
            from decision_ai.tabular.workbook_files import read_workbook

            for table in read_workbook(path, self.problems):
                self.add(table)
        elif suffix in TEXT_TABLES:
            self.add_only(read_csv(path, self.problems))
        elif suffix == ".json":
            self.add_json(path)
        else:
            raise DecisionAIError(
                f"a plan is read from .xlsx, .csv, .json or a folder of CSV files, not {str(path)!r}"
            )

    def add_json(self, path: Path) -> None:
        try:
            data = parse_json(path.read_text(encoding="utf-8-sig"))
        except OSError as error:
            raise DecisionAIError(f"the plan {str(path)!r} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise DecisionAIError(f"the plan {str(path)!r} is not UTF-8 at byte {error.start}") from error
        except DataError as error:
            raise DataError(f"the plan {str(path)!r}: {error}") from error
        if isinstance(data, dict):
            self.add_dictionary(data["values"] if isinstance(data.get("values"), dict) else data, path.name)
        else:
            self.problems.add(Place(path.name), "a plan is an object by variable family")

    def add_only(self, table: Table) -> None:
        """Take the one table there is."""
        families = list(self.description.families.values())
        if self._family(table.name) is None and len(families) == 1:
            self._read(families[0], table)
        else:
            self.add(table)

    def add(self, table: Table) -> None:
        """Take a table by its name."""
        if table.name in (SUMMARY, CONSTRAINTS):
            return
        family = self._family(table.name.removesuffix(WIDE))
        if family is None:
            self._unknown_family(table.place(), table.name)
        else:
            self._read(family, table)

    def add_dictionary(self, plan: Mapping[Any, Any], file: str) -> None:
        for name, members in plan.items():
            place = Place(file, str(name))
            family = self._family(str(name))
            if family is None:
                self._unknown_family(place, str(name))
            elif is_frame(members):
                self._read(family, frame_table(family.variable_id, members, self.problems))
            elif is_records(members):
                self._read(family, records_table(family.variable_id, members, self.problems))
            else:
                for index, raw in _members(members):
                    where = replace(place, row=_shown(index)) if index else place
                    self._take_raw(family, index, raw, where)

    def _family(self, name: str) -> FamilyDescription | None:
        families = self.description.families
        found = family_sheet_names(families).get(name) or matched(name, families)
        return None if found is None else families[found]

    def _unknown_family(self, place: Place, name: str) -> None:
        self.problems.add(
            place,
            f"there is no variable family {name!r}; {nearest(name, self.description.families)} (a name that "
            "begins with # leaves a table out)",
        )

    def _read(self, family: FamilyDescription, table: Table) -> None:
        width = len(family.indices[0]) if family.indices else 0
        table = replace(
            table, rows=tuple(Row(row.name, tuple(map(_as_number, row.cells))) for row in table.rows)
        )
        entries = read_entries(family.variable_id, table, (TEXT,) * width, _VALUE, self.problems)
        for entry in entries.found:
            if entry.value is not None and entry.value is not NOTHING:
                self._take(family, entry.keys, entry.value, entry.place)

    def _take_raw(self, family: FamilyDescription, index: tuple[Any, ...], raw: Any, place: Place) -> None:
        cells = Cells(family.variable_id, [_as_number(raw)], lambda _: place)
        (value,) = convert(cells, Scalar("number"), self.problems)
        if value is not None:
            self._take(family, tuple(map(text_of, index)), value, place)

    def _take(self, family: FamilyDescription, labels: Sequence[str], value: float, place: Place) -> None:
        name = family.variable_id
        if name not in self.indices:
            self.indices[name] = {tuple(map(text_of, index)): index for index in family.indices}
        index = self.indices[name].get(tuple(labels))
        if index is None:
            known = [_shown(other) for other in family.indices]
            self.problems.add(
                place, f"{name!r} has no member {_shown(labels)!r}; {nearest(_shown(labels), known)}"
            )
            return
        members = self.found.setdefault(name, {})
        earlier = members.get(index)
        if earlier is not None and earlier[1] == place:
            return
        same_table = earlier is not None and (earlier[1].file, earlier[1].table) == (place.file, place.table)
        if earlier is not None and (earlier[0] != value or same_table):
            self.problems.add(
                place,
                f"the value of {_shown(labels) or name!r} is {value:g} here and {earlier[0]:g} at "
                f"{earlier[1]}; edit one place and delete the other",
            )
        members[index] = (float(value), place)


def _members(members: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Index and value of each member, from a value, pairs, or dictionaries by label or by tuple."""
    if isinstance(members, Mapping):
        for key, inner in members.items():
            index = key if isinstance(key, tuple) else (key,)
            for rest, value in _members(inner):
                yield (*index, *rest), value
    elif isinstance(members, list | tuple):
        for pair in members:
            if isinstance(pair, list | tuple) and len(pair) == 2 and isinstance(pair[0], list | tuple):
                yield tuple(pair[0]), pair[1]
            else:
                yield (), pair
    else:
        yield (), members


def _as_number(raw: Any) -> Any:
    """True and false as 1 and 0, for binary variables."""
    return int(raw) if isinstance(raw, bool) else raw


def _shown(labels: Sequence[Any]) -> str:
    return ", ".join(map(str, labels))
