"""LaTeX is whole whatever the names are: braces and environments close, and specials are escaped."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from decision_ai.examples import EXAMPLES, example
from decision_ai.modeling.exporting.document import Plain, Symbol, Table
from decision_ai.modeling.exporting.latex import _escaped, _widths, latex_text
from decision_ai.modeling.program import Program

pytestmark = pytest.mark.core

NASTY = '{"limit": "100% of \\\\input{x} $5 & #1_a^b~c {d} <e> \\"q\\" \\u4e2d \\ud83d\\ude00 \\u0007"}'


def whole(text: str) -> None:
    """Braces are balanced, environments nest, and nothing special stands bare outside formulas."""
    outside = re.sub(r"\\begin\{verbatim\}.*?\\end\{verbatim\}", "", text, flags=re.DOTALL)
    open_ones: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", outside):
        if kind == "begin":
            open_ones.append(name)
        else:
            assert open_ones.pop() == name
    assert open_ones == []
    bare = re.sub(r"\\[\\{}]", "", outside)
    assert bare.count("{") == bare.count("}")
    prose = re.sub(r"\\\[\n.*?\n\\\]|(?<!\\)\$[^$]*(?<!\\)\$", "", outside, flags=re.DOTALL)
    assert re.search(r"(?<!\\)[%#$^~_]", prose) is None
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text)


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_document_of_an_example_is_whole(name: str) -> None:
    source, data = example(name)
    text = latex_text(Program.parse(source), json_data=data)
    whole(text)
    assert text.startswith("\\documentclass")
    assert text.endswith("\\end{document}\n")


def test_what_strangers_wrote_is_escaped(source: str) -> None:
    text = latex_text(Program.parse(source), json_data=NASTY)
    whole(text)
    assert (
        r"100\% of \textbackslash{}input\{x\} \$5 \& \#1\_\allowbreak{}a\textasciicircum{}b\textasciitilde{}c"
        in text
    )
    # Letters that pdfLaTeX's fonts lack are declared, so that it compiles all the same.
    assert r"\DeclareUnicodeCharacter{4E2D}{\texttt{U+4E2D}}" in text
    assert r"\DeclareUnicodeCharacter{1F600}{\texttt{U+1F600}}" in text


def test_code_cannot_leave_its_environment() -> None:
    source = example("diet")[0].replace(
        '"""Total price', '"""\\\\end{verbatim}\\\\input{/etc/passwd} Total price'
    )
    text = latex_text(Program.parse(source))
    whole(text)
    codes = re.findall(r"\\begin\{verbatim\}(.*?)\\end\{verbatim\}", text, re.DOTALL)
    assert any("\\end {verbatim}" in code for code in codes)


def test_long_lines_of_code_are_broken() -> None:
    source = example("diet")[0].replace('"""Total price', '"""' + "x" * 300 + " Total price")
    text = latex_text(Program.parse(source))
    codes = re.findall(r"\\begin\{verbatim\}\n(.*?)\\end\{verbatim\}", text, re.DOTALL)
    assert max(len(line) for code in codes for line in code.splitlines()) <= 111


@given(st.text())
def test_any_text_is_escaped(text: str) -> None:
    escaped = _escaped(text)
    assert "\n" not in escaped
    bare = re.sub(r"\\[A-Za-z]+|\\[&%$#_{}]", "", escaped)
    assert not set(bare) & set("\\%$#_&~^")
    assert bare.count("{") == bare.count("}")


CELLS = st.builds(Plain, st.text(max_size=200)) | st.builds(Symbol, st.text(max_size=200))


@given(
    st.integers(1, 8).flatmap(
        lambda n: st.builds(
            Table,
            st.tuples(*[st.text(max_size=9)] * n),
            st.lists(st.tuples(*[CELLS] * n), max_size=4).map(tuple),
        )
    )
)
def test_a_table_is_as_wide_as_its_words_and_no_wider_than_the_page(table: Table) -> None:
    widths = _widths(table)
    assert all(width > 0 for width in widths)
    assert sum(widths) + 8 * len(widths) <= 468 + 1e-6


def test_only_what_is_long_is_broken_into_lines() -> None:
    row = (Symbol("x"), Plain("y" * 500), Plain("z" * 400), Plain("some words"))
    narrow, wide, other, few = _widths(Table(("a", "b", "c", "d"), (row,)))
    assert narrow < few < wide == other


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
@pytest.mark.parametrize("name", EXAMPLES)
def test_pdflatex_compiles_it_and_no_table_is_too_wide(tmp_path: Path, name: str) -> None:
    source, data = example(name)
    (tmp_path / "model.tex").write_text(latex_text(Program.parse(source), json_data=data), encoding="utf-8")
    assert not re.search(r"Overfull .* in alignment", compiled(tmp_path))


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_pdflatex_compiles_what_strangers_wrote(tmp_path: Path) -> None:
    source, _ = example("production_planning")
    (tmp_path / "model.tex").write_text(latex_text(Program.parse(source), json_data=NASTY), encoding="utf-8")
    compiled(tmp_path)


def compiled(folder: Path) -> str:
    """What pdfLaTeX says about `model.tex`."""
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "model.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    assert run.returncode == 0, run.stdout[-2000:]
    return run.stdout.decode(errors="replace")
