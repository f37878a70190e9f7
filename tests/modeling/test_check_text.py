import pytest

from decision_ai.errors import DataError, LimitExceeded, ProgramError
from decision_ai.modeling.check_text import check_code, plan_check
from decision_ai.solving.findings import PlanCheck

pytestmark = pytest.mark.core


def one_of_both(data, v):  # type: ignore[no-untyped-def]
    """Tent or stove,
    not both."""
    return v.pack["Tent"] + v.pack["Stove"] <= 1


def test_an_expression_becomes_a_method() -> None:
    check = plan_check("one_of_both", "  Tent or stove,\nnot both. ", "v.pack['Tent'] + v.pack['Stove'] <= 1")
    assert check == PlanCheck(
        name="one_of_both",
        sentence="Tent or stove, not both.",
        code="def one_of_both(self, data, v):\n    return v.pack['Tent'] + v.pack['Stove'] <= 1",
    )


def test_an_expression_may_have_several_lines_and_a_comment() -> None:
    code = check_code("few", "  v.pack['Tent']\n   + v.pack['Stove']  # both\n <= 1")
    assert code == "def few(self, data, v):\n    return v.pack['Tent'] + v.pack['Stove'] <= 1"


def test_a_method_stays_as_it_is_written() -> None:
    code = "def few(self, data, v):\n    # all\n    for i in data.items:\n        yield i, v.pack[i] <= 1"
    assert check_code("anything", f"\n{code}\n\n") == code
    assert check_code("anything", "\n".join(f"    {line}" for line in code.splitlines())) == code


def test_a_function_of_data_and_variables_becomes_a_method() -> None:
    check = plan_check("one_of_both", "", one_of_both)
    assert check.sentence == "Tent or stove, not both."
    assert check.code.startswith("def one_of_both(self, data, v):\n")
    assert check.code.endswith("return v.pack['Tent'] + v.pack['Stove'] <= 1")


def test_without_a_sentence_the_code_speaks() -> None:
    assert plan_check("few", "", "v.x<=1").sentence == "v.x <= 1"
    assert plan_check("few", "", "def few(self, data, v):\n    assert v.x.value() < 1").sentence == "few"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a check is an expression such as"),
        ("v.x <=", "invalid syntax"),
        ("x = 1", "a check is an expression"),
        ("import os", "a check is an expression"),
        ("1) + (1\n)\n(2", "a check is an expression"),
        ("def a(self, data): return 1", "one method without a decorator"),
        ("@cache\ndef a(self, data, v): return 1", "one method without a decorator"),
        ("def a(self, data, v): return 1\ndef b(self, data, v): return 1", "a check is an expression"),
        ("class A: pass", "a check is an expression"),
        ("(" * 300 + ")" * 300, "a check is an expression"),
    ],
)
def test_what_is_neither_is_refused(text: str, words: str) -> None:
    with pytest.raises(ProgramError, match=words):
        plan_check("few", "", text)


@pytest.mark.parametrize("name", ["", "two words", "class", "1st", "a" * 65, "a/b"])
def test_a_name_is_a_name(name: str) -> None:
    with pytest.raises(DataError, match="cannot be the name of a check"):
        plan_check(name, "", "v.x <= 1")


def test_what_is_too_long_is_refused_and_what_has_no_source_too() -> None:
    with pytest.raises(LimitExceeded, match="code of the check"):
        plan_check("few", "", "v.x <= " + "1 + " * 2000 + "1")
    with pytest.raises(LimitExceeded, match="sentence of the check"):
        plan_check("few", "x" * 2000, "v.x <= 1")
    with pytest.raises(DataError, match="no lambda"):
        plan_check("few", "", lambda data, v: v.x <= 1)
    with pytest.raises(DataError, match="cannot be found"):
        plan_check("few", "", len)
