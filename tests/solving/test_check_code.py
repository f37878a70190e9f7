"""The code of a check is one method with three arguments, read without running it."""

import pytest

from decision_ai.errors import ProgramError
from decision_ai.solving.check_code import MOST_CHARACTERS, method_node

pytestmark = pytest.mark.core


@pytest.mark.parametrize(
    "code",
    [
        "def late(self, data, v):\n    return True",
        "\n    def late(self, data, v):\n        return True\n",
        "\tdef late(self, data, v):\n\t\treturn True\n",
        'def late(self, data, v) -> bool:\n    """Words\nat the margin."""\n    return True\n',
    ],
)
def test_methods(code: str) -> None:
    node = method_node(code)

    assert node.name == "late"
    assert code.splitlines()[node.lineno - 1].strip().startswith("def late")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("", "one method"),
        ("return True", "one method"),
        ("x = 1", "one method"),
        ("def a(self, d, v): pass\ndef b(self, d, v): pass", "one method"),
        ("    def a(self, d, v): pass\nx = 1", "one method"),
        ("    def a(self, d, v): pass\n    x = 1", "one method"),
        ("@property\ndef a(self, d, v): pass", "without a decorator"),
        ("async def a(self, d, v): pass", "one method"),
        ("class A:\n    def a(self, d, v): pass", "one method"),
        ("def a(d, v): pass", "def name(self, data, v)"),
        ("def a(self, d, v, w): pass", "def name(self, data, v)"),
        ("def a(self, d, v=1): pass", "def name(self, data, v)"),
        ("def a(self, *d): pass", "def name(self, data, v)"),
        ("def a(self, d, v:", "not Python"),
        ("def a(self, d, v): return '\0'", "not Python"),
        ("#" * (MOST_CHARACTERS + 1), "at most 100,000 characters"),
        ("def a(self, d, v): return " + "(" * 5000, "not Python"),
    ],
)
def test_what_is_no_method(code: str, message: str) -> None:
    with pytest.raises(ProgramError, match=r".") as caught:
        method_node(code)
    assert message in str(caught.value)
