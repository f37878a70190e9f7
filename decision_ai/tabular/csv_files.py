"""Reads CSV files: their encoding, what separates the cells, and the line of every row."""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from decision_ai.errors import DecisionAIError, LimitExceeded
from decision_ai.tabular.problems import Place, Problem, Problems, TableError
from decision_ai.tabular.tables import HEADER_WITHIN, MAX_ROWS, Source, Table, make_table, split_header

MAX_BYTES = 256 * 2**20
_DELIMITERS = "\t;,|"
"""In the order of trust: a comma also stands inside texts and numbers."""
_SAMPLE_LINES = 100
_BIG_CELL = 2**20


def read_csv(path: Path, problems: Problems) -> Table:
    """Read one CSV file; titles may stand above the line that names the columns, see `split_header`.

    Raises:
        DecisionAIError: if the file cannot be read.
        TableError: if it is not text, or empty.
    """
    text = _text(path, problems)
    delimiter, text = _declared(text)
    delimiter = delimiter or _delimiter(text)
    source = Source(path.name, True, "." if delimiter == "," else "")
    lines = _lines(text, delimiter, path)
    first = list(islice(lines, HEADER_WITHIN))
    if not first:
        raise TableError([Problem(Place(path.name), "the file is empty")])
    titles, found = split_header(first)
    for line, _ in titles:
        place = Place(path.name, row=line)
        problems.notes.append(f"{place}: left out, because it stands above the header")
    return make_table(path.stem, first[found], chain(first[found + 1 :], lines), problems, source)


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
    if 0 in content:
        line = content[: content.index(0)].count(b"\n") + 1
        raise _no_text(path, line)
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
        raise _no_text(path, content[: error.start].count(b"\n") + 1) from error


def _no_text(path: Path, line: int) -> TableError:
    place = Place(path.name, row=f"line {line}")
    return TableError([Problem(place, "the file is not text; save it as CSV UTF-8")])


def _declared(text: str) -> tuple[str, str]:
    """The delimiter that a first line such as `sep=;` declares, and the text without that meaning."""
    first, _, rest = text.partition("\n")
    if first.strip().casefold().startswith("sep=") and len(first.strip()) == 5:
        return first.strip()[4], "\n" + rest
    return "", text


def _delimiter(text: str) -> str:
    """What separates the cells: what cuts all of the first lines, or most, into the same number of them."""
    sample = "".join(
        line for _, line in zip(range(_SAMPLE_LINES), io.StringIO(text, newline=""), strict=False)
    )
    best, most = ",", 0.0
    for delimiter in _DELIMITERS:
        try:
            counts = [
                len(row)
                for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
                if any(row)
            ]
        except csv.Error:
            continue
        usual, lines = Counter(counts).most_common(1)[0] if counts else (1, 0)
        if usual > 1 and lines == len(counts):
            return delimiter
        if usual > 1 and lines / len(counts) > most:
            best, most = delimiter, lines / len(counts)
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
