import pytest

from decision_ai.errors import ProgramError
from decision_ai.modeling.outline import read_outline

pytestmark = pytest.mark.core


def test_classes_are_found_through_each_other_and_under_other_names() -> None:
    outline = read_outline(
        "import decision_ai as da\nfrom decision_ai import InputData as Data\n\nclass Other:\n    pass\n"
        "class A(Data):\n    pass\nclass B(A, Other):\n    x: int\n    'said'\n"
        "class V(da.Variables):\n    pass\nclass M(da.OptModel[B, V]):\n    pass\n"
    )
    assert {name: site.kind for name, site in outline.classes.items()} == {
        "A": "data",
        "B": "data",
        "V": "variables",
        "M": "model",
    }
    assert [site.name for site in outline.lineage("B")] == ["A", "B"]
    member = outline.classes["B"].member("x")
    assert member is not None
    assert (member.docstring, member.span.first, member.span.last) == ("said", 9, 10)
    assert outline.classes["B"].member("y") is None


@pytest.mark.parametrize(
    ("text", "word", "line"),
    [
        ("class A(InputData): x: int", "one_line_class", 1),
        ("class A(InputData):\n    x: int; y: int", "shared_line", 2),
        ("class A(InputData):\n    x: int\n    'said'; y: int", "shared_line", 3),
        ("x = 1; \\\nclass A(InputData):\n    y: int", "syntax", 2),
        ("class A(InputData):\n    x: int\n    x: float", "duplicate_name", 3),
        ("class A(InputData):\n    x: int\nclass A(InputData):\n    y: int", "duplicate_name", 3),
        ("class M(OptModel[A, B]):\n    def f(self): pass\n    def f(self): pass", "duplicate_name", 3),
        ("class M(OptModel[A, B]):\n    if True:\n        def f(self): pass", "nested_member", 2),
        (
            "class M(OptModel[A, B]):\n    try:\n        x = 1\n    finally:\n        y = 2",
            "nested_member",
            2,
        ),
        ("if True:\n    class A(InputData):\n        x: int", "nested_class", 2),
    ],
)
def test_what_cannot_be_edited_line_by_line_is_refused(text: str, word: str, line: int) -> None:
    with pytest.raises(ProgramError) as caught:
        read_outline(text)
    assert (caught.value.report.error_type, caught.value.report.line) == (word, line)


def test_the_unit_is_that_of_the_first_class() -> None:
    assert read_outline("class A(InputData):\n\tx: int").unit == "\t"
    assert read_outline("x = 1").unit == "    "
