import pytest

from decision_ai.errors import ProgramError
from decision_ai.modeling.keywords import with_keyword

pytestmark = pytest.mark.core

BODY = "\ndef c(self, data, v):\n    return f(enabled=1, x=(2))"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@constraint()", "@constraint(enabled=False)"),
        ('@constraint("ä")', '@constraint("ä", enabled=False)'),
        ('@constraint("a",)', '@constraint("a", enabled=False,)'),
        ('@constraint("a", policy=True)', '@constraint("a", policy=True, enabled=False)'),
        ('@constraint(("a"\n"b"))', '@constraint(("a"\n"b"), enabled=False)'),
        ('@constraint(\n    "a",  # said\n)', '@constraint(\n    "a", enabled=False,  # said\n)'),
        ("@constraint(enabled=(True))", "@constraint(enabled=False)"),
        ('@constraint("a", enabled=True, policy=True)', '@constraint("a", enabled=False, policy=True)'),
        ("@decision_ai.constraint( )", "@decision_ai.constraint(enabled=False )"),
        ('@constraint(priority="A")', '@constraint(priority="A", enabled=False)'),
        ("@other(1)\n@constraint()", "@other(1)\n@constraint(enabled=False)"),
    ],
)
def test_a_value_that_is_not_the_default_is_written(before: str, after: str) -> None:
    assert with_keyword(before + BODY, "enabled", False, True) == after + BODY
    assert with_keyword(after + BODY, "enabled", False, True) == after + BODY


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@constraint()", "@constraint()"),
        ("@constraint(enabled=False)", "@constraint()"),
        ('@constraint("a", enabled=False)', '@constraint("a")'),
        ('@constraint("a", enabled=False,)', '@constraint("a",)'),
        ('@constraint(enabled=False, priority="A")', '@constraint(priority="A")'),
        (
            '@constraint(\n    "a",\n    enabled=(False),\n    policy=True,\n)',
            '@constraint(\n    "a",\n    policy=True,\n)',
        ),
        ("@constraint(enabled=False,)", "@constraint()"),
    ],
)
def test_the_default_is_left_unwritten(before: str, after: str) -> None:
    assert with_keyword(before + BODY, "enabled", True, True) == after + BODY


def test_a_family_is_switched_in_its_declaration() -> None:
    code = "x: dict[str, Var] = continuous(\n    over=lambda data: [(i, 1) for i in data.items],\n)\n'said'"
    off = with_keyword(code, "enabled", False, True)
    assert off == code.replace("items],", "items], enabled=False,")
    assert with_keyword(off, "enabled", True, True) == code


def test_a_level_is_written_in_double_quotes() -> None:
    assert with_keyword("@constraint()" + BODY, "priority", "B", "hard").startswith(
        '@constraint(priority="B")'
    )


def test_code_without_a_declaring_call_is_refused() -> None:
    with pytest.raises(ProgramError, match="nothing in this code takes 'enabled'"):
        with_keyword("x = 1", "enabled", False, True)
