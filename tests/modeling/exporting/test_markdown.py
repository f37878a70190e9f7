"""Markdown shows what strangers wrote as they wrote it, and leads nowhere."""

import json
import re

import pytest
from hypothesis import given, strategies as st

from decision_ai.examples import EXAMPLES, example
from decision_ai.modeling.exporting.markdown import _escaped, markdown_text
from decision_ai.modeling.program import Program

pytestmark = pytest.mark.core


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_reads_well(name: str) -> None:
    source, data = example(name)
    program = Program.parse(source)
    text = markdown_text(program, json_data=data)
    assert text.startswith(f"# {program.model_class}\n")
    assert text.count("```") == 2 * (len(program.constraints) + 1)
    assert text.count("$$") == 2 * (len(program.constraints) + 1)
    for block in text.split("\n\n"):
        if block.startswith("| "):
            bars = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
            assert len(bars) == 1, block


def test_what_strangers_wrote_is_escaped() -> None:
    data = json.dumps({"a|b": "*x* [y](http://z) <script> `c` @me $5$ \n# d", "c`d": 1, "e": "1. f"})
    text = markdown_text(Program.parse(example("diet")[0]), json_data=data)
    assert r"| <code>a\|b</code> | \*x\* \[y\](http://z) &lt;script&gt; \`c\` &#64;me \$5\$ # d |" in text
    assert r"<code>c\`d</code>" in text


def test_a_paragraph_is_no_heading_and_no_list() -> None:
    source = example("diet")[0]
    for start, shown in (("# x", r"\# x"), ("- x", r"\- x"), ("12. x", r"12\. x"), ("===", r"\===")):
        text = markdown_text(Program.parse(source.replace('"""Total price', f'"""{start} Total price')))
        assert "Total price" in text
        docstring = source.replace(source.split('"""')[1], start, 1)
        assert f"\n\n{shown}\n\n" in markdown_text(Program.parse(docstring))


def test_a_fence_is_longer_than_any_in_the_code() -> None:
    source = example("diet")[0].replace('"""Total price', '"""```` Total price')
    assert "\n`````python\n" in markdown_text(Program.parse(source))


def test_formulas_hold_no_html() -> None:
    source = example("diet")[0].replace(r"\le", "<")
    text = markdown_text(Program.parse(source))
    formulas = re.findall(r"\$\$\n(.*)\n\$\$", text)
    assert any(r"\lt" in formula for formula in formulas)
    assert not any("<" in formula for formula in formulas)


@given(st.text())
def test_any_text_is_one_line_without_markup(text: str) -> None:
    escaped = _escaped(text)
    assert "\n" not in escaped
    assert not set(re.sub(r"\\[\\`*_{}\[\]|~$]", "", escaped)) & set("\\`*_{}[]|~$<>@")
