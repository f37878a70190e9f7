"""Reads input data from whatever a person has them in: files, folders, data frames, dictionaries of them.

Nothing is taken when anything is wrong, and everything that is wrong is told at once, each with its place.
"""

import warnings
from collections.abc import Mapping as Dictionary, Sequence as Values
from dataclasses import dataclass, replace
from datetime import date, time
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import BaseModel

from decision_ai.errors import DataError, DecisionAIError, LimitExceeded
from decision_ai.modeling.data import canonical_json, parse_json
from decision_ai.modeling.input_data import InputData
from decision_ai.tabular.cells import Json, key_text
from decision_ai.tabular.class_shapes import class_record
from decision_ai.tabular.csv_files import read_csv
from decision_ai.tabular.frames import frame_table, is_frame, is_records, plain, records_table
from decision_ai.tabular.mapping import Assembly
from decision_ai.tabular.names import matched
from decision_ai.tabular.problems import Place, Problem, Problems, TableError
from decision_ai.tabular.shapes import Record, Sequence, key_levels
from decision_ai.tabular.tables import LEFT_OUT, Table
from decision_ai.tabular.text_shapes import source_record

Target: TypeAlias = str | type[InputData]
"""What the data are for: the text of a model file, or its main input-data class."""

WORKBOOKS = (".xlsx", ".xlsm")
TEXT_TABLES = (".csv", ".tsv")
MAX_BYTES = 256 * 2**20


@dataclass(frozen=True)
class ReadData:
    """Data that were read.

    Attributes:
        data: JSON-ready values, named by the fields of the main input-data class.
        notes: what the reader should be told, such as an encoding that had to be found out.
    """

    data: dict[str, Json]
    notes: tuple[str, ...] = ()


def read_data(source: Any, target: Target) -> dict[str, Json]:
    """Read input data of any form onto the classes of a model.

    Args:
        source: an `InputData` object; a path of a JSON, CSV or Excel file or of a folder of CSV files; a data
            frame of pandas, Polars or another library; a list of dictionaries; or a dictionary of these and
            of plain values by field.
        target: the text of the model file, or the main input-data class.

    Returns:
        JSON-ready values by field.

    Raises:
        TableError: with every problem and its place; a `DataError`.
        DecisionAIError: if a file cannot be read.
        LimitExceeded: beyond 256 MiB or 1,000,000 rows.
        ProgramError: if the target is not a model file.
    """
    read = read_with_notes(source, target)
    for note in read.notes:
        warnings.warn(note, stacklevel=2)
    return read.data


def json_text(source: Any, target: Target) -> str:
    """`read_data` as compact JSON text.

    Raises:
        DataError: as `read_data`, and for values that JSON does not have.
    """
    return canonical_json(read_data(source, target))


def read_with_notes(source: Any, target: Target) -> ReadData:
    """`read_data`, with what the reader should be told as values instead of warnings."""
    if isinstance(source, BaseModel):
        return ReadData(source.model_dump(mode="json"))
    record = target_record(target)
    problems = Problems()
    assembly = Assembly(record, Place(_name_of(source)), problems)
    if isinstance(source, str | Path):
        _add_path(assembly, Path(source))
    elif is_frame(source):
        assembly.add_only_table(frame_table("the data frame", source, problems))
    elif is_records(source):
        assembly.add_only_table(records_table("the list", source, problems))
    elif isinstance(source, Dictionary):
        _add_dictionary(assembly, source, "")
    elif isinstance(source, list):
        raise DataError("the data are a list, but neither of dictionaries nor of anything with names")
    else:
        raise TypeError(
            "data are an InputData object, a dictionary, a data frame, a list of dictionaries or a path, not "
            f"{source!r:.80}"
        )
    data = assembly.data()
    problems.check()
    return ReadData(data, tuple(problems.notes))


def target_record(target: Target) -> Record:
    """The description of the main input-data class.

    Raises:
        ProgramError: if the target is a text that is not a model file.
    """
    return source_record(target) if isinstance(target, str) else class_record(target)


def is_json_for(data: Any, target: Target) -> bool:
    """Whether JSON values are for the model as they are, without lists of records for dictionaries."""
    if not isinstance(data, dict):
        return False
    record = target_record(target)
    return not any(_is_table(record, str(name), value) for name, value in data.items())


def _add_path(assembly: Assembly, path: Path) -> None:
    if path.is_dir():
        _add_folder(assembly, path)
    elif not path.exists():
        raise DecisionAIError(f"there is no data file {str(path)!r}")
    elif path.suffix.lower() in WORKBOOKS:
        from decision_ai.tabular.workbook_files import read_workbook

        _add_tables(assembly, read_workbook(path, assembly.problems))
    elif path.suffix.lower() in (*TEXT_TABLES, ".txt"):
        assembly.add_only_table(read_csv(path, assembly.problems))
    elif path.suffix.lower() == ".json":
        _add_json(assembly, path)
    else:
        raise DecisionAIError(
            f"{str(path)!r} is no form of data that can be read; save it as an Excel workbook (.xlsx), as "
            "CSV, as a folder of CSV files or as JSON"
        )


def _one_table(path: Path, problems: Problems) -> Table:
    """The table of a file that holds one, named in a dictionary."""
    if path.suffix.lower() in (*TEXT_TABLES, ".txt"):
        return read_csv(path, problems)
    if path.suffix.lower() not in WORKBOOKS:
        raise DecisionAIError(f"{str(path)!r} is no table: name a CSV file or a workbook with one sheet")
    from decision_ai.tabular.workbook_files import read_workbook

    tables = read_workbook(path, problems)
    if len(tables) != 1:
        raise DecisionAIError(f"{str(path)!r} has {len(tables)} sheets; one is needed for one field")
    return tables[0]


def _add_folder(assembly: Assembly, folder: Path) -> None:
    files = sorted(path for path in folder.iterdir() if not path.name.startswith((LEFT_OUT, ".", "~")))
    tables = [path for path in files if path.suffix.lower() in TEXT_TABLES]
    others = [path for path in files if path.suffix.lower() in (*WORKBOOKS, ".json")]
    if not tables:
        hint = f"; to read {others[0].name!r} in it, name that file" if others else ""
        raise TableError([Problem(Place(str(folder)), f"the folder has no CSV file{hint}")])
    for path in others:
        assembly.problems.add(
            Place(path.name), "a folder of data has CSV files only; move this file, or begin its name with #"
        )
    _add_tables(assembly, [read_csv(path, assembly.problems) for path in tables])


def _add_tables(assembly: Assembly, tables: Values[Table]) -> None:
    if len(tables) == 1:
        assembly.add_only_table(tables[0])
        return
    for table in tables:
        assembly.add_table(table)


def _add_json(assembly: Assembly, path: Path) -> None:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise LimitExceeded(f"the size of {str(path)!r} in bytes", MAX_BYTES, size)
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DecisionAIError(f"the data file {str(path)!r} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DecisionAIError(f"the data file {str(path)!r} is not UTF-8 at byte {error.start}") from error
    try:
        data = parse_json(text)
    except DataError as error:
        raise DataError(f"the data in {str(path)!r}: {error}") from error
    if is_records(data):
        assembly.add_only_table(records_table(path.name, data, assembly.problems))
    elif isinstance(data, dict):
        _add_dictionary(assembly, data, path.name)
    else:
        raise DataError(f"the data in {str(path)!r} are neither an object nor a list of objects")


def _add_dictionary(assembly: Assembly, data: Dictionary[Any, Any], file: str) -> None:
    for key, value in data.items():
        name, place = str(key), Place(file, str(key))
        if is_frame(value):
            assembly.add_table(frame_table(name, value, assembly.problems))
        elif isinstance(value, Path):
            assembly.add_table(replace(_one_table(value, assembly.problems), name=name))
        elif _is_table(assembly.record, name, value):
            assembly.add_table(records_table(name, value, assembly.problems))
        else:
            assembly.add_value(name, _plain_json(value, place, assembly.problems), place)


def _is_table(record: Record, name: str, value: Any) -> bool:
    """Whether a value is a list of records where the model wants something by keys."""
    if not is_records(value):
        return False
    found = matched(name, [one.name for one in record.fields])
    if found is None:
        return False
    keys, leaf = key_levels(record.field(found).shape)
    return bool(keys) or (isinstance(leaf, Sequence) and not isinstance(leaf.item, Record))


def _plain_json(value: Any, place: Place, problems: Problems) -> Json:
    """A plain value as JSON has it; None with a problem if it has no such form."""
    try:
        return _json(value)
    except RecursionError:
        problems.add(place, "the value is nested without an end, or too deep")
    except DataError as error:
        problems.add(place, str(error))
    return None


def _json(value: Any) -> Json:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Dictionary):
        pairs = [(_key(key), _json(inner)) for key, inner in value.items()]
        if len(dict(pairs)) < len(pairs):
            twice = next(key for n, (key, _) in enumerate(pairs) if key in dict(pairs[:n]))
            raise DataError(f"two keys are written {twice!r}; rename or delete one")
        return dict(pairs)
    if isinstance(value, list | tuple | set | frozenset):
        return [_json(inner) for inner in value]
    value = plain(value)
    return value.isoformat() if isinstance(value, date | time) else value


def _key(key: Any) -> str:
    read = plain(key)
    if isinstance(read, tuple | list) or read is None:
        raise DataError(f"{key!r:.60} is no key of data; nest a dictionary for each part of a key")
    return read if isinstance(read, str) else key_text(read)


def _name_of(source: Any) -> str:
    return Path(source).name if isinstance(source, str | Path) else "the data"
