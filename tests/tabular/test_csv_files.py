from pathlib import Path

import pytest

from decision_ai.errors import DecisionAIError, LimitExceeded
from decision_ai.tabular import csv_files
from decision_ai.tabular.csv_files import read_csv
from decision_ai.tabular.problems import Problems, TableError
from decision_ai.tabular.tables import Table


def read(path: Path, content: str | bytes, problems: Problems | None = None) -> Table:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_csv(path, problems or Problems())


@pytest.mark.parametrize(
    "text",
    [
        "item,weight\nTent,1.5\nBox,2\n",
        "item;weight\nTent;1.5\nBox;2\n",
        "item\tweight\r\nTent\t1.5\r\nBox\t2\r\n",
        "sep=;\nitem;weight\nTent;1.5\nBox;2\n",
        "\ufeffitem,weight\nTent,1.5\n\n , \nBox,2",
        'item,weight\n"Tent",1.5\n"Box",2\n',
    ],
)
def test_what_separates_the_cells_is_found(text: str, tmp_path: Path) -> None:
    table = read(tmp_path / "items.csv", text)
    assert (table.name, [column.name for column in table.columns]) == ("items", ["item", "weight"])
    assert [row.cells for row in table.rows] == [("Tent", "1.5"), ("Box", "2")]


def test_a_comma_inside_a_cell_does_not_separate(tmp_path: Path) -> None:
    table = read(tmp_path / "a.csv", "item;weight\nTent, big;1,5\nBox;2\n")
    assert [row.cells for row in table.rows] == [("Tent, big", "1,5"), ("Box", "2")]


def test_rows_are_named_by_their_lines(tmp_path: Path) -> None:
    table = read(tmp_path / "a.csv", '\n\nitem,note\nTent,"two\nlines"\n\nBox,x\n')
    assert table.header.name == "line 3"
    assert [row.name for row in table.rows] == ["line 4", "line 7"]


def test_one_column_is_a_table_too(tmp_path: Path) -> None:
    table = read(tmp_path / "months.csv", "month\nJan\nFeb\n")
    assert table.values(0) == ["Jan", "Feb"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_read_without_a_word(encoding: str, tmp_path: Path) -> None:
    problems = Problems()
    assert read(tmp_path / "a.csv", "name,n\nMüller,1\n".encode(encoding), problems).values(0) == ["Müller"]
    assert problems.notes == []


def test_windows_text_is_read_and_told(tmp_path: Path) -> None:
    problems = Problems()
    table = read(tmp_path / "a.csv", "name,n\nMüller,1\n".encode("cp1252"), problems)
    assert table.values(0) == ["Müller"]
    assert problems.notes == ["a.csv is not UTF-8 (line 2); it was read as Windows text (cp1252)"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b" \n , \n", "the file is empty"),
        (b"a,b\n\x81\x8d,1\n", "the file is not text"),
        (b'a,b\n"open,1\n', "line 2: the line cannot be cut into cells"),
    ],
)
def test_what_is_no_table_is_refused(content: bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(TableError, match=words):
        read(tmp_path / "a.csv", content)


def test_a_row_with_more_cells_than_the_header_is_a_problem(tmp_path: Path) -> None:
    problems = Problems()
    read(tmp_path / "a.csv", "a,b\n1,2,3\n1\n", problems)
    assert [str(problem) for problem in problems.found] == [
        "a.csv, line 2: there are 3 cells, but the header names 2 columns"
    ]


def test_limits_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_files, "MAX_ROWS", 2)
    with pytest.raises(LimitExceeded, match=r"the number of rows of .*a\.csv.* is 3, the limit is 2"):
        read(tmp_path / "a.csv", "a\n1\n2\n3\n")
    monkeypatch.setattr(csv_files, "MAX_BYTES", 3)
    with pytest.raises(LimitExceeded, match="in bytes"):
        read(tmp_path / "a.csv", "a\n1\n")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(DecisionAIError, match=r"missing.csv.*cannot be read: No such file"):
        read_csv(tmp_path / "missing.csv", Problems())


def test_titles_above_the_header_are_left_out_and_told(tmp_path: Path) -> None:
    problems = Problems()
    table = read(tmp_path / "a.csv", "Our items, of May\n\nitem;weight\nTent;1,5\nBox;2\n", problems)
    assert [column.name for column in table.columns] == ["item", "weight"]
    assert [row.name for row in table.rows] == ["line 4", "line 5"]
    assert problems.notes == ["a.csv, line 1: left out, because it stands above the header"]


@pytest.mark.parametrize("content", [b"a,b\nx\0y,1\n", "a,b\n1,2\n".encode("utf-16-le")])
def test_zero_bytes_are_no_text(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(TableError, match="the file is not text"):
        read(tmp_path / "a.csv", content)
