"""The document says everything about a model once, and shows small data only."""

import json

import pytest
from hypothesis import given, strategies as st

from decision_ai.examples import EXAMPLES, example
from decision_ai.modeling.exporting.document import (
    Code,
    Display,
    Formula,
    Heading,
    Paragraph,
    Plain,
    Span,
    Symbol,
    Table,
    in_one_line,
    model_document,
    without_controls,
)
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import ConstraintDescription, FamilyDescription, ModelDescription

pytestmark = pytest.mark.core


def said(spans: tuple[Span, ...]) -> str:
    return "".join(span.math if isinstance(span, Formula) else span.text for span in spans)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_part_is_there_with_meaning_formula_and_code(name: str) -> None:
    program = Program.parse(example(name)[0])
    blocks = model_document(program, json_data=example(name)[1])
    codes = [block.text for block in blocks if isinstance(block, Code)]
    formulas = [block.math for block in blocks if isinstance(block, Display)]
    texts = [said(block.spans) for block in blocks if isinstance(block, Heading | Paragraph)]
    cells = [
        said((cell,)) for block in blocks if isinstance(block, Table) for row in block.rows for cell in row
    ]
    assert program.objective is not None
    for part in [*program.constraints.values(), program.objective]:
        assert part.code in codes
        assert " ".join(part.math.split()) in formulas
        assert any(part.description in text for text in texts)
    for family in program.variables.values():
        assert family.id in cells
        assert family.description in cells
    for part in program.data_classes.values():
        assert {field.description for field in part.fields.values()} <= set(cells)


def test_switches_priorities_and_policies_are_told(source: str) -> None:
    program = Program.parse(source)
    description = ModelDescription(
        families={"pack": FamilyDescription(variable_id="pack", domain="binary", indices=[("a",), ("b",)])},
        constraints={"capacity": ConstraintDescription(constraint_id="capacity", indices=[()])},
        sense="maximize",
        columns=3,
        rows=1,
    )
    blocks = model_document(program, description=description)
    texts = [said(block.spans) for block in blocks if isinstance(block, Paragraph)]
    assert "Hard; a policy, which may be changed; rows: 1." in texts
    assert "Soft, priority B; a fact, not a policy; switched off." in texts
    assert "Size on its data: variables 3, rows 1." in texts
    variables = next(block for block in blocks if isinstance(block, Table) and block.header[0] == "variable")
    pack, slack = ([said((cell,)) for cell in row] for row in variables.rows)
    assert pack[2:6] == ["0 or 1", "data.items", "0", "1"]
    assert slack[2:6] == ["real numbers", "", "0", "none"]
    assert (pack[-1], slack[-1]) == ("2", "")


def test_a_formula_that_is_no_plain_mathematics_is_shown_as_text() -> None:
    source = example("diet")[0].replace(r"\le", r"\input{x}")
    blocks = model_document(Program.parse(source))
    assert not any(isinstance(block, Display) and "input" in block.math for block in blocks)
    assert any(isinstance(block, Code) and block.text.startswith("\\sum") for block in blocks)


def test_a_model_without_objective_and_constraints() -> None:
    source, _ = example("diet")
    start = source.index("    @constraint")
    end = source.index("    def solution_to_str")
    blocks = model_document(Program.parse(source[:start] + source[end:]))
    texts = [said(block.spans) for block in blocks if isinstance(block, Paragraph)]
    assert {"There are none.", "There is none: any plan that obeys the constraints will do."} <= set(texts)


def test_small_data_are_shown_and_large_ones_summarised() -> None:
    data = {
        "yes": True,
        "nothing": None,
        "few": [1, 2.0, "three"],
        "many": list(range(100)),
        "matrix": {"a": {"x": 1, "y": {"deep": 1}}, "b": {"x": 2}},
        "plain": {"a": 1.5},
        "mixed": {"a": 1, "b": {}},
        "objects": [{"x": 1}],
        "long": {str(n): n for n in range(31)},
        "wide": {"a": {str(n): n for n in range(9)}},
    }
    blocks = model_document(Program.parse(example("diet")[0]), json_data=json.dumps(data))
    at = blocks.index(Heading(2, (Plain("Data"),)))
    overview, *tables = [block for block in blocks[at:] if isinstance(block, Table)]
    assert {said((name,)): said((value,)) for name, value in overview.rows} == {
        "yes": "yes",
        "nothing": "none",
        "few": "1, 2, three",
        "many": "100 entries",
        "matrix": "2 entries",
        "plain": "1 entry",
        "mixed": "2 entries",
        "objects": "1 entry",
        "long": "31 entries",
        "wide": "1 entry",
    }
    names = [said(block.spans) for block in blocks[at + 1 :] if isinstance(block, Heading)]
    assert names == ["matrix", "plain", "objects"]
    assert tables[0].header == ("", "x", "y")
    assert [[said((cell,)) for cell in row] for row in tables[0].rows] == [
        ["a", "1", "1 entry"],
        ["b", "2", ""],
    ]


def test_symbols_are_names_of_the_program() -> None:
    blocks = model_document(Program.parse(example("diet")[0]))
    assert Heading(3, (Symbol("nutrient_min"),)) in blocks


def test_units_have_a_column_where_one_is_declared() -> None:
    source = example("diet")[0]
    tables = [block for block in model_document(Program.parse(source)) if isinstance(block, Table)]
    assert not any("unit" in table.header for table in tables)
    source = (
        "from typing import Annotated\nimport pulp\n"
        "from decision_ai import InputData, OptModel, Var, Variables, continuous, unit\n"
        "class D(InputData):\n"
        '    weight: Annotated[float, unit("kg")]\n    """Weight."""\n'
        "class V(Variables):\n    x: Var = continuous()\n"
        "class M(OptModel[D, V]):\n    def solution_to_str(self, data, v):\n        return ''\n"
    )
    (table, _) = [block for block in model_document(Program.parse(source)) if isinstance(block, Table)]
    assert table.header == ("parameter", "type", "unit", "meaning")
    assert said((table.rows[0][2],)) == "kg"


@given(st.text())
def test_text_of_strangers_is_put_in_one_line(text: str) -> None:
    line = in_one_line(text)
    assert len(line.splitlines()) <= 1
    assert line.split() == without_controls(line).split()
