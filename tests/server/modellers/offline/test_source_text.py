import ast
import keyword

from hypothesis import given, strategies as st

from decision_ai_server.modellers.offline.source_text import docstring, formula, identifier, latex, literal


@given(st.text() | st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_a_literal_evaluates_to_its_value(value: object) -> None:
    assert ast.literal_eval(literal(value)) == value


@given(st.text())
def test_docstrings_and_formulas_are_one_string_literal(text: str) -> None:
    for written in (docstring(text), formula(latex(text))):
        node = ast.parse(f"x = {written}").body
        assert len(node) == 1
        assert "\n" not in written
        assert isinstance(ast.literal_eval(written), str)


@given(st.lists(st.text(max_size=20), max_size=4), st.sets(st.text(max_size=8)))
def test_identifiers_are_new_names(words: list[str], taken: set[str]) -> None:
    name = identifier(words, taken | {"rule"})
    assert name.isidentifier()
    assert name not in taken | {"rule"}
    assert not keyword.iskeyword(name)


def test_readable_where_possible() -> None:
    assert literal("Sat-early") == '"Sat-early"'
    assert identifier(["max", "take", "O'Brien"], {"max_take_o_brien"}) == "max_take_o_brien_2"
