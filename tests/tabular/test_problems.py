import pytest

from decision_ai.errors import DataError
from decision_ai.tabular.problems import Place, Problem, Problems, TableError


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (Place("a.xlsx", "Sheet1", column="Weight", cell="C7"), "a.xlsx, Sheet1!C7, column 'Weight'"),
        (Place("a.csv", row="line 7", column="Weight"), "a.csv, line 7, column 'Weight'"),
        (Place(table="items", row="row 'Tent'", column="weight"), "items, row 'Tent', column 'weight'"),
        (Place("a.xlsx", "Sheet1"), "a.xlsx, Sheet1"),
        (Place(), ""),
    ],
)
def test_a_place_reads_from_the_file_to_the_cell(place: Place, text: str) -> None:
    assert str(place) == text


def test_nothing_wrong_is_no_error() -> None:
    Problems().check()


def test_one_problem_is_one_sentence_and_several_are_a_list() -> None:
    one, other = Problem(Place("a.csv"), "it is empty"), Problem(Place(), "it is not there")
    assert str(TableError([one])) == "a.csv: it is empty"
    both = TableError([one, other, one])
    assert isinstance(both, DataError)
    assert (both.problems, both.count) == ((one, other), 2)
    assert str(both).splitlines()[1:] == ["- a.csv: it is empty", "- it is not there"]


def test_at_most_fifty_are_told_with_their_number() -> None:
    problems = Problems()
    for n in range(60):
        problems.add(Place("a.csv", row=f"line {n}"), "no")
    with pytest.raises(TableError) as caught:
        problems.check()
    assert (len(caught.value.problems), caught.value.count) == (50, 60)
    assert str(caught.value).startswith("60 things are wrong")
    assert str(caught.value).endswith("- and 10 more")
