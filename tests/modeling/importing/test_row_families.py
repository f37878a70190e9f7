import sys
from pathlib import Path

import numpy as np
import pytest

from decision_ai.modeling.importing.pulp_algebra import LpConstraint
from decision_ai.modeling.importing.pulp_variables import LpVariable
from decision_ai.modeling.importing.row_families import Label, label, loop_labels, row_members

pytestmark = pytest.mark.core

X = LpVariable("x")


def _row(name: str | None, line: str, *loops: Label) -> LpConstraint:
    row = LpConstraint(X, rhs=1, name=name)
    row.line, row.loops = line, loops
    return row


def _members(*rows: LpConstraint) -> dict[str, tuple[str, tuple[Label, ...]]]:
    return row_members([row.given or f"_C{n}" for n, row in enumerate(rows)], rows)


def test_labels_are_whole_numbers_or_text() -> None:
    assert [label(one) for one in (3, np.int64(3), "3", True, 2.5, None)] == [
        3,
        3,
        "3",
        "True",
        "2.5",
        "None",
    ]


def test_what_the_loops_stand_at_is_read_from_the_running_line() -> None:
    seen = []
    for _outer in ("a", "b"):
        for n, (_inner, _number) in enumerate([(1, 2.5), (4, None)]):
            if n:
                seen.append(loop_labels(sys._getframe()))
    assert seen == [("a", 1, 4), ("b", 1, 4)]
    assert [loop_labels(sys._getframe()) for one in "xy" if one] == [("x",), ("y",)]
    assert loop_labels(sys._getframe()) == ()


class Plant:
    def __init__(self, name: str, cap: int) -> None:
        self.name, self.cap, self._key = name, cap, "k"


def test_the_labels_of_a_record_are_its_texts_or_else_its_numbers() -> None:
    records = [{"name": "P 1", "cap": 100}, Plant("P 2", 80), {"id": 7, "cap": 2.5}, {}, X, X + 1]
    seen = [loop_labels(sys._getframe()) for _record in records]
    assert seen == [("P 1",), ("P 2",), (7,), (), (), ()]


def test_a_file_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    space: dict[str, object] = {"loop_labels": loop_labels, "sys": sys}
    exec(
        compile("for k in 'a': found = loop_labels(sys._getframe())", str(tmp_path / "no.py"), "exec"), space
    )
    assert space["found"] == ()


@pytest.mark.parametrize(
    ("names", "labels", "family"),
    [
        (["cap_A_1", "cap_A_12"], [("A", 1), ("A", 12)], "cap"),
        (["capacity_01", "capacity_12"], [(1,), (12,)], "capacity"),
        (["demand of Rome, met", "demand of Oslo, met"], [("Rome",), ("Oslo",)], "demand_of_met"),
        (["Rome[1]", "Oslo[2]"], [("Rome", 1), ("Oslo", 2)], "line_3"),
    ],
)
def test_names_are_taken_apart_at_the_labels(
    names: list[str], labels: list[tuple[Label, ...]], family: str
) -> None:
    rows = [_row(name, "line 3", *loops) for name, loops in zip(names, labels, strict=True)]
    assert _members(*rows) == {name: (family, loops) for name, loops in zip(names, labels, strict=True)}


def test_names_that_do_not_agree_are_left_to_their_pattern() -> None:
    assert _members(_row("first", "line 3", "a"), _row("second", "line 3", "b")) == {}
    assert _members(_row("r_a", "line 3", "a"), _row("s_b", "line 3", "b")) == {}
    assert _members(_row("alone", "line 3", "a")) == {}


def test_rows_without_names_are_named_by_their_line() -> None:
    assert _members(_row(None, "line 4")) == {"_C0": ("line_4", ())}
    assert _members(_row(None, "line 4", 7), _row(None, "line 4", 9)) == {
        "_C0": ("line_4", (7,)),
        "_C1": ("line_4", (9,)),
    }
    assert _members(_row(None, "line 4 of a.py"), _row(None, "line 4 of a.py")) == {
        "_C0": ("line_4_of_a.py", (1,)),
        "_C1": ("line_4_of_a.py", (2,)),
    }
