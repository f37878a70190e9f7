"""Reads CSV files: their encoding, what separates the cells, and the line of every row."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from decision_ai.errors import DecisionAIError, LimitExceeded
from decision_ai.tabular.problems import Place, Problem, Problems, TableError
from decision_ai.tabular.tables import MAX_ROWS, Source, Table, make_table

MAX_BYTES = 256 * 2**20
_DELIMITERS = "\t;,|"
"""In the order of trust: a comma also stands inside texts and numbers."""
_SAMPLE_LINES = 100
_BIG_CELL = 2**20


def read_csv(path: Path, problems: Problems) -> Table:
    """Read one CSV file; the first line that is not blank names the columns.

    Raises:
        DecisionAIError: if the file cannot be read.
        TableError: if it is not text, or empty.
    """
    text = _text(path, problems)
    delimiter, text = _declared(text)
    delimiter = delimiter or _delimiter(text)
    source = Source(path.name, True, "." if delimiter == "," else "")
    lines = _lines(text, delimiter, path)
    header = next(lines, None)
    if header is None:
        raise TableError([Problem(Place(path.name), "the file is empty")])
    return make_table(path.stem, header, lines, problems, source)


def _text(path: Path, problems: Problems) -> str:
    try:
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise LimitExceeded(f"the size of {str(path)!r} in bytes", MAX_BYTES, size)
        content = path.read_bytes()
    except OSError as error:
        raise DecisionAIError(f"the data file {str(path)!r} cannot be read: {error.strerror}") from error
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return _decoded(content, "utf-16", path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
    text = _decoded(content, "cp1252", path)
    problems.notes.append(f"{path.name} is not UTF-8 (line {line}); it was read as Windows text (cp1252)")
    return text


def _decoded(content: bytes, encoding: str, path: Path) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise TableError(
            [Problem(Place(path.name, row=f"line {line}"), "the file is not text; save it as CSV UTF-8")]
        ) from error


def _declared(text: str) -> tuple[str, str]:
    """The delimiter that a first line such as `sep=;` declares, and the text without that meaning."""
    first, _, rest = text.partition("\n")
    if first.strip().casefold().startswith("sep=") and len(first.strip()) == 5:
        return first.strip()[4], "\n" + rest
    return "", text


def _delimiter(text: str) -> str:
    """What separates the cells: what cuts all of the first lines into the same number of them."""
    sample = "".join(
        line for _, line in zip(range(_SAMPLE_LINES), io.StringIO(text, newline=""), strict=False)
    )
    best, most = ",", 1
    for delimiter in _DELIMITERS:
        try:
            counts = [
                len(row)
                for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
                if any(row)
            ]
        except csv.Error:
            continue
        if counts and counts[0] > 1 and len(set(counts)) == 1:
            return delimiter
        if counts and counts[0] > most:
            best, most = delimiter, counts[0]
    return best


def _lines(text: str, delimiter: str, path: Path) -> Iterator[tuple[str, list[str]]]:
    """The lines that are not blank, named by their numbers."""
    csv.field_size_limit(_BIG_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line, count = 1, 0
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                count += 1
                if count > MAX_ROWS + 1:
                    raise LimitExceeded(f"the number of rows of {str(path)!r}", MAX_ROWS, count - 1)
                yield f"line {line}", cells
            line = reader.line_num + 1
    except csv.Error as error:
        place = Place(path.name, row=f"line {line}")
        raise TableError([Problem(place, f"the line cannot be cut into cells: {error}")]) from None
