import ast

import pytest

from decision_ai.modeling.layout import Code, block_unit, dedented, dedented_text, first_line
from decision_ai.modeling.source import SourceText, Span, lines_inside_strings

pytestmark = pytest.mark.core

CODE = Code('def f():\n  x = """\n  kept\n"""\n\n  if x:\n    return (x,\n     1)', "  ")


def test_code_is_laid_out_in_the_units_of_the_file() -> None:
    expected = '\tdef f():\n\t\tx = """\n  kept\n"""\n\n\t\tif x:\n\t\t\treturn (x,\n\t\t\t 1)'
    assert CODE.laid_out("\t", "\t") == expected.encode()
    assert CODE.laid_out("", "  ", b"\r\n") == CODE.text.replace("\n", "\r\n").encode()


def test_canonical_code_forgets_units_and_blanks_at_line_ends() -> None:
    tabs = Code('def f():  \n\tx = """\n  kept\n"""\n\t\n\tif x:\n\t\treturn (x,\n\t\t 1)\n', "\t")
    assert tabs.canonical() == CODE.canonical()
    assert Code(CODE.text.replace("  kept", " kept"), "  ").canonical() != CODE.canonical()


def test_a_block_has_a_unit_relative_to_its_statement() -> None:
    source = SourceText("class A:\n   def f(self):\n     return 1\n   def g(self): return 2\n   x = 1\n")
    node = ast.parse(source.text).body[0]
    assert isinstance(node, ast.ClassDef)
    assert block_unit(node, source) == "   "
    assert [block_unit(member, source) for member in node.body] == ["  ", None, None]


def test_a_statement_starts_at_its_first_decorator() -> None:
    assert first_line(ast.parse("\n@a\n@b\ndef f(): pass").body[0]) == 2


def test_dedenting_leaves_lines_inside_strings_and_shallower_lines() -> None:
    text = "class A:\n    x = '''\n    y\n'''\n    z = [\n  1]\n     \n"
    source = SourceText(text)
    assert dedented(source, Span(2, 7), lines_inside_strings(text)) == "x = '''\n    y\n'''\nz = [\n  1]\n "


def test_free_standing_text_loses_the_indentation_of_its_first_line() -> None:
    assert dedented_text("\n\n  x = '''\n  y'''\r\n  z = 1") == "x = '''\n  y'''\nz = 1"
    assert dedented_text("x = 1\r\ny = 2") == "x = 1\ny = 2"
    assert dedented_text("") == ""
