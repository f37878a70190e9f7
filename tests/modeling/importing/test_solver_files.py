"""LP and MPS files become foreign models; what cannot be read is told with file, line and reason."""

import gzip
import json
import math
from pathlib import Path

import pytest

from decision_ai.errors import DataError
from decision_ai.modeling.exporting.name_map import NameMap, comment_lines
from decision_ai.modeling.importing.foreign import ForeignColumn, ForeignModel, ForeignRow
from decision_ai.modeling.importing.solver_files import read_solver_file

pytestmark = pytest.mark.core
INFINITY = math.inf
LP = """max
 profit: 3 x + 2 y + 5
st
 cap: x + y <= 4
 low: x - 2.5 y >= -1
bounds
 x <= 3
 -inf <= y <= 1e30
general
 x
end
"""
MPS = """NAME small
OBJSENSE
    MAX
ROWS
 N profit
 L cap
 E even
COLUMNS
    x profit 3 cap 1
    y profit 2 even 1
RHS
    rhs cap 4 even 2
RANGES
    rng cap 3
ENDATA
"""


def read(folder: Path, name: str, text: str) -> ForeignModel:
    path = folder / name
    path.write_bytes(gzip.compress(text.encode()) if name.endswith(".gz") else text.encode())
    return read_solver_file(path)


def test_an_lp_file(tmp_path: Path) -> None:
    assert read(tmp_path, "small.lp", LP) == ForeignModel(
        name="small",
        sense="maximize",
        objective_name="profit",
        offset=5,
        columns=(
            ForeignColumn(name="x", upper=3, integral=True, cost=3),
            ForeignColumn(name="y", lower=-INFINITY, cost=2),
        ),
        rows=(
            ForeignRow(name="cap", lower=-INFINITY, upper=4, terms=((0, 1), (1, 1))),
            ForeignRow(name="low", lower=-1, upper=INFINITY, terms=((0, 1), (1, -2.5))),
        ),
    )


@pytest.mark.parametrize("name", ["small.mps", "small.mps.gz"])
def test_an_mps_file(tmp_path: Path, name: str) -> None:
    found = read(tmp_path, name, MPS)

    assert (found.name, found.sense, found.objective_name) == ("small", "maximize", "profit")
    assert [(row.name, row.lower, row.upper) for row in found.rows] == [("cap", 1, 4), ("even", 2, 2)]


def test_nothing_is_printed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    read(tmp_path, "small.lp", LP)

    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("m.txt", LP, "must end with .lp, .mps, .lp.gz, .mps.gz"),
        ("m.lp", LP.replace("<= 4", "<= = 4"), "line 4: expected a number"),
        ("m.lp", LP.replace("cap: x", "cap: [ x^2 ] + x"), "line 4: quadratic"),
        ("m.lp", LP.replace("3 x", "3 x + [ x^2 ] / 2"), "the objective is quadratic"),
        ("m.lp", LP.replace("low:", "cap:"), "the row name 'cap' occurs twice"),
        ("m.lp", LP.replace("end", "sos\n s: S1:: x:1 y:2\nend"), "SOS"),
        ("m.lp", LP.replace("x <= 3", "5 <= x <= 3"), "above its upper bound"),
        ("m.lp", "nothing", "line 1: "),
        ("m.mps", "nothing", "cannot be read"),
        ("m.lp", LP.replace("general", "semi-continuous\n y\ngeneral"), "the semi-continuous column 'y'"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said) as error:
        read(tmp_path, name, text)
    assert str(tmp_path / name) in str(error.value)


def test_files_that_are_not_what_they_say(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no such file"):
        read_solver_file(tmp_path / "none.lp")
    (tmp_path / "bad.lp.gz").write_text("plain")
    with pytest.raises(DataError, match="Not a gzipped file"):
        read_solver_file(tmp_path / "bad.lp.gz")
    (tmp_path / "folder.lp").mkdir()
    with pytest.raises(DataError, match="Is a directory"):
        read_solver_file(tmp_path / "folder.lp")


def test_semicontinuous_columns_get_a_switch(tmp_path: Path) -> None:
    text = LP.replace("-inf <= y <= 1e30", "2 <= y <= 6").replace("general", "semi-continuous\n y\ngeneral")

    found = read(tmp_path, "m.lp", text)

    assert found.columns[1:] == (
        ForeignColumn(name="y", lower=0, upper=6, cost=2),
        ForeignColumn(name="on_y", upper=1, integral=True),
    )
    assert found.rows[2:] == (
        ForeignRow(name="most_y", lower=-INFINITY, upper=0, terms=((1, 1), (2, -6))),
        ForeignRow(name="least_y", lower=0, upper=INFINITY, terms=((1, 1), (2, -2))),
    )
    assert found.notes == ("Semi-continuous columns (1: 'y') got an on/off column each.",)


def test_the_constant_column_of_pyomo_becomes_a_constant(tmp_path: Path) -> None:
    text = LP.replace("+ 5", "+ 7 ONE_VAR_CONSTANT").replace("x <= 3", "x <= 3\n ONE_VAR_CONSTANT = 1")

    found = read(tmp_path, "m.lp", text)

    assert found.offset == 7
    assert [column.name for column in found.columns] == ["x", "y"]
    assert found.notes == ("The column ONE_VAR_CONSTANT became the constant of the objective.",)


NAMES = NameMap(columns={"x": ("pack", ("Tent", 1))}, rows={"cap": ("capacity", ())}, objective="value")


def test_names_of_our_own_export_come_back_from_comments_and_from_the_sidecar(tmp_path: Path) -> None:
    commented = "\n".join([*comment_lines(NAMES, "lp"), LP])

    assert read(tmp_path, "commented.lp", commented).members == NAMES
    other = {"columns": {"x": ["take", []]}, "rows": {}, "objective": None}
    (tmp_path / "commented.lp.names.json").write_text(json.dumps(other))
    found = read(tmp_path, "commented.lp", commented)
    assert found.members == NameMap(columns={"x": ("take", ())})
    assert found.objective_name == "profit"


def test_columns_and_rows_have_the_order_of_the_map(tmp_path: Path) -> None:
    names = NameMap(columns={"x": ("x", ()), "y": ("y", ())}, rows={"low": ("low", ()), "cap": ("cap", ())})
    text = "\n".join(comment_lines(names, "lp"))
    text += "\nmin\n cost: y + x\nst\n cap: 2 y + 3 z + x <= 4\n low: z + 5 y >= 1\nend\n"

    model = read(tmp_path, "small.lp", text)

    assert [(column.name, column.cost) for column in model.columns] == [("x", 1), ("y", 1), ("z", 0)]
    assert [(row.name, row.terms) for row in model.rows] == [
        ("low", ((1, 5), (2, 1))),
        ("cap", ((0, 1), (1, 2), (2, 3))),
    ]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "a.lp",
            "min\n x\nst\n c: 2 <= x + y <= 20\nend\n",
            "line 4: .*; write a row with two bounds as two",
        ),
        ("a.lp", "min\n x\nst\n c: x + 2 <= 20\nend\n", "line 4: a constant on the left-hand side"),
        ("a.mps", MPS.replace("even 1", "evn 1"), 'Row name "evn" in COLUMNS section is not defined'),
        ("a.mps", MPS.replace("rng cap", "rng cup"), 'Row name "cup" in RANGES section is not defined'),
    ],
)
def test_a_file_of_which_highs_does_not_read_everything_is_refused(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    with pytest.raises(DataError, match=said):
        read(tmp_path, name, text)


def test_a_warning_of_highs_is_one_line_with_its_place(tmp_path: Path) -> None:
    notes = read(tmp_path, "a.lp", "min\n x\nst\n c: x + y + 3 x >= 2\nend\n").notes
    assert notes == ("HiGHS: line 4: variable `x` appears more than once in this constraint",)
