import pytest

from decision_ai_server.modellers.offline.renumbering import renumbered, with_sense
from decision_ai_server.modellers.offline.selecting_code import NotExpressible

CODE = '''@constraint(r"\\sum_{é} x \\le 7", policy=True)
def max_items(self, data, v):
    """At most seven items, né."""
    return sum(v.x[i] for i in data.items) <= 7  # 17 stays
'''


def test_number_formula_and_docstring_change_together() -> None:
    changed = renumbered(CODE, 7, 8)
    assert changed == CODE.replace("<= 7 ", "<= 8 ").replace(r"\le 7", r"\le 8").replace("seven", "eight")


@pytest.mark.parametrize("number", [5, 17])
def test_a_number_that_is_not_in_the_code_is_refused(number: float) -> None:
    with pytest.raises(NotExpressible, match="is not written"):
        renumbered(CODE, number, 1)


def test_a_number_written_twice_is_refused() -> None:
    with pytest.raises(NotExpressible, match="more than once"):
        renumbered("def f(self, data, v):\n    return 2 * v.x <= 2\n", 2, 3)


def test_the_sense_changes_in_the_decorator() -> None:
    code = '@objective("minimize", r"x")\ndef cost(self, data, v):\n    return v.x\n'
    assert with_sense(code, "maximize") == code.replace("minimize", "maximize")
