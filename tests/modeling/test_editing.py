"""One diff: what it does to the text, and what is refused. Properties: test_editing_properties.py."""

import pytest
from drawing import CLASS, CONSTRAINTS, OBJECTIVE, VARIABLES

from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ConstraintSnapshot,
    ModelChanges,
    ObjectiveDiff,
    OptInputDataDiff,
    OptInputDataSchemaDiff,
    OptInputDataSchemaSnapshot,
    VariableDiff,
    VariableSnapshot,
)
from decision_ai.errors import ProgramError
from decision_ai.modeling.program import Program
from decision_ai.modeling.snapshots import read_constraint_code, read_objective_code, read_variable_code

pytestmark = pytest.mark.core

SMALL = """from decision_ai import *
class D(InputData):
    n: int
{variables}
class M(OptModel[D, V]):
    {body}"""
SMALL_CONSTRAINT = """@constraint()
    def c(self, data, v):
        return v.x <= data.n
"""


def test_new_text_takes_newline_and_indentation_of_the_file(variant: str) -> None:
    program = Program.parse(variant)
    code = "@constraint()\ndef cap(self, data, v):\n    if data:\n        return 1 <= 2\n    return 2 <= 3"
    changed = program.apply(ConstraintDiff(added=read_constraint_code(code)))
    body = variant.removeprefix("\ufeff")
    newline = next(n for n in ("\r\n", "\r", "\n") if n in body)
    unit = "\t" if "\t" in body else "  " if "\n  weight" in body else "    "
    expected = ["@constraint()", "def cap(self, data, v):", unit + "if data:", unit * 2 + "return 1 <= 2"]
    assert newline.join(unit + line for line in expected) in changed.source
    assert changed.constraints.keys() - program.constraints.keys() == {"cap"}
    assert list(changed.constraints)[-1] == "cap"


def test_adding_and_removing_is_no_change(variant: str) -> None:
    program = Program.parse(variant)
    for added in (
        ConstraintDiff(added=read_constraint_code(CONSTRAINTS[0].format(name="cap"))),
        VariableDiff(added=read_variable_code(VARIABLES[1].format(name="extra"))),
    ):
        changed = program.apply(added)
        assert changed.source != variant
        removal = type(added)(removed=added.added)  # the modeller's own text, not the file's layout of it
        assert changed.apply(removal).source == variant


def test_a_replacement_stays_in_its_place(source: str) -> None:
    program = Program.parse(source)
    new = read_constraint_code(CONSTRAINTS[1].format(name="cap"))
    changed = program.apply(ConstraintDiff(removed=program.snapshot("constraint", "capacity"), added=new))
    assert list(changed.constraints) == ["cap", "few"]
    back = changed.apply(
        ConstraintDiff(
            removed=changed.snapshot("constraint", "cap"), added=program.snapshot("constraint", "capacity")
        )
    )
    assert back.source == source


def test_the_last_member_leaves_pass_and_the_next_one_takes_its_place() -> None:
    text = SMALL.format(variables="class V(Variables):\n    x: Var = binary()", body=SMALL_CONSTRAINT)
    program = Program.parse(text)
    variable, constraint = program.snapshot("variable", "x"), program.snapshot("constraint", "c")
    empty = program.apply(VariableDiff(removed=variable)).apply(ConstraintDiff(removed=constraint))
    assert empty.source.count("    pass\n") == 2
    assert empty.apply(VariableDiff(added=variable)).apply(ConstraintDiff(added=constraint)).source == text


def test_a_data_diff_leaves_the_source(source: str) -> None:
    program = Program.parse(source)
    assert program.apply(OptInputDataDiff()) is program


def test_new_classes_stand_before_those_that_follow_them(source: str) -> None:
    program = Program.parse(source)
    before = program.data_schema_snapshot()
    item, main = before.input_data_classes
    after = [CLASS.format(name="Shelf"), item, main, CLASS.format(name="Late")]
    changed = program.apply(
        OptInputDataSchemaDiff(removed=before, added=OptInputDataSchemaSnapshot(input_data_classes=after))
    )
    assert list(changed.data_classes) == ["Shelf", "Item", "Late", "PackData"]
    assert changed.data_classes["Shelf"].fields["size"].description == "Metres."
    assert changed.source.index("# a comment that belongs to nobody") < changed.source.index("class PackData")


def refused(program: Program, change: ModelChanges) -> ProgramError:
    with pytest.raises(ProgramError) as caught:
        program.apply(change)
    return caught.value


def constraint_change(code: str, id: str = "cap") -> ConstraintDiff:
    return ConstraintDiff(
        added=ConstraintSnapshot(constraint_id=id, code=code, math_formulation="", description="")
    )


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("@constraint()\ndef cap(self, data, v:\n    return 1", "syntax"),
        ("def cap(self, data, v):\n    return 1 <= 2", "not_one_part"),
        ("@constraint\ndef cap(self, data, v):\n    return 1 <= 2", "decorator"),
        ("@constraint(priority='D')\ndef cap(self, data, v):\n    return 1 <= 2", "decorator"),
        ("@constraint(enabled=1)\ndef cap(self, data, v):\n    return 1 <= 2", "decorator"),
        ("@constraint(math=f())\ndef cap(self, data, v):\n    return 1 <= 2", "decorator"),
        ("@constraint(**x)\ndef cap(self, data, v):\n    return 1 <= 2", "decorator"),
        ("@constraint()\nasync def cap(self, data, v):\n    return 1 <= 2", "decorator"),
        ("@constraint()\ndef cap(self, data, v):\n    return 1 <= 2\nimport os", "not_one_part"),
        ("import os; os.system('x')", "shared_line"),
        ("", "not_one_part"),
        ("@constraint()\ndef other(self, data, v):\n    return 1 <= 2", "id_mismatch"),
        ("if True:\n    @constraint()\n    def cap(self, data, v):\n        return 1 <= 2", "nested_member"),
        ("  @constraint()\n  def cap(self): '''", "syntax"),
        ("@constraint()\ndef cap(self, data, v):\n    return '\x00'", "syntax"),
        ("@constraint()\ndef cap(self, data, v):\n    return '\ud800'", "encoding"),
    ],
)
def test_new_code_must_be_one_part(source: str, code: str, word: str) -> None:
    error = refused(Program.parse(source), constraint_change(code))
    assert error.report.error_type == word
    assert error.report.component == "constraint"
    assert error.report.component_id in ("cap", "other")


@pytest.mark.parametrize("name", ["few", "value", "solution_to_str", "constraints"])
def test_a_taken_name_is_refused(source: str, name: str) -> None:
    code = f"@constraint()\ndef {name}(self, data, v):\n    return 1 <= 2"
    assert refused(Program.parse(source), constraint_change(code, name)).report.error_type == "id_taken"


def test_an_unknown_id_comes_with_the_nearest_one(source: str) -> None:
    program = Program.parse(source)
    snapshot = program.snapshot("constraint", "capacity").model_copy(update={"constraint_id": "capacty"})
    report = refused(program, ConstraintDiff(removed=snapshot)).report
    assert report.error_type == "unknown_id"
    assert report.hint is not None
    assert "'capacity'" in report.hint


def test_a_part_that_changed_in_between_is_stale(source: str) -> None:
    program = Program.parse(source)
    constraint = program.snapshot("constraint", "few")
    variable = program.snapshot("variable", "slack")
    objective = program.objective_snapshot()
    assert objective is not None
    schema = program.data_schema_snapshot()
    changes: list[ModelChanges] = [
        ConstraintDiff(removed=constraint.model_copy(update={"code": constraint.code + " + 1"})),
        ConstraintDiff(removed=constraint.model_copy(update={"code": "no python"})),
        VariableDiff(removed=variable.model_copy(update={"code": "slack: Var = binary()"})),
        ObjectiveDiff(removed=objective.model_copy(update={"code": ""})),
        OptInputDataSchemaDiff(
            removed=OptInputDataSchemaSnapshot(input_data_classes=schema.input_data_classes[:1]), added=schema
        ),
    ]
    for change in changes:
        assert refused(program, change).report.error_type == "stale"


def test_layout_alone_does_not_make_a_part_stale(source: str) -> None:
    program = Program.parse(source)
    snapshot = program.snapshot("constraint", "few")
    indented = "\r\n".join("  " + line for line in ("\n" + snapshot.code + "  \n").split("\n"))
    change = ConstraintDiff(removed=snapshot.model_copy(update={"code": indented}))
    assert "few" not in program.apply(change).constraints


@pytest.mark.parametrize(
    ("classes", "word"),
    [
        (["class Item(InputData):\n    n: int"], "main_class"),
        (["class PackData(InputData):\n    n: int", "class PackData(InputData):\n    n: int"], "main_class"),
        (["class PackData(InputData):\n    n: int", "class Other:\n    n: int"], "not_input_data"),
        (["class PackData(InputData):\n    n: int", "n = 1"], "not_one_part"),
        (["class PackData(InputData): n: int"], "one_line_class"),
    ],
)
def test_the_new_set_of_classes_must_be_a_schema(source: str, classes: list[str], word: str) -> None:
    program = Program.parse(source)
    change = OptInputDataSchemaDiff(
        removed=program.data_schema_snapshot(), added=OptInputDataSchemaSnapshot(input_data_classes=classes)
    )
    assert refused(program, change).report.error_type == word


def test_a_half_schema_diff_and_an_empty_diff_are_refused(source: str) -> None:
    program = Program.parse(source)
    half = OptInputDataSchemaDiff(added=program.data_schema_snapshot())
    assert refused(program, half).report.error_type == "whole_set"
    assert refused(program, VariableDiff()).report.error_type == "empty_diff"


def test_a_second_objective_is_refused_and_none_can_be_added_back(source: str) -> None:
    program = Program.parse(source)
    old = program.objective_snapshot()
    new = read_objective_code(OBJECTIVE.format(name="less"))
    assert refused(program, ObjectiveDiff(added=new)).report.error_type == "id_taken"
    without = program.apply(ObjectiveDiff(removed=old))
    assert without.objective is None
    assert refused(without, ObjectiveDiff(removed=old)).report.error_type == "unknown_id"
    again = without.apply(ObjectiveDiff(added=new)).objective
    assert again is not None
    assert again.sense == "minimize"


def test_an_inherited_family_is_changed_where_it_stands() -> None:
    families = "class Base(Variables):\n    x: Var = binary()\n\nclass V(Base):\n    z: Var = binary()"
    text = SMALL.format(variables=families, body="pass\n")
    program = Program.parse(text)
    assert list(program.variables) == ["x", "z"]
    changed = program.apply(program.switch("x", enabled=False))
    assert changed.source == text.replace("x: Var = binary()", "x: Var = binary(enabled=False)")
    taken = VariableSnapshot(variable_id="x", code="x: Var = binary()", math_formulation="", description="")
    assert refused(program, VariableDiff(added=taken)).report.error_type == "id_taken"


@pytest.mark.parametrize("name", ["x+", "x-", "two words", "2nd", "", "class", "x[1]"])
def test_an_id_is_a_python_name_so_that_no_two_become_one_for_a_solver(source: str, name: str) -> None:
    code = f"@constraint()\ndef {name}(self, data, v):\n    return 1 <= 2"
    assert refused(Program.parse(source), constraint_change(code, name)).report.error_type == "syntax"


def test_names_that_python_takes_for_one_are_one(source: str) -> None:
    code = "@constraint()\ndef \ufb01x(self, data, v):\n    return 1 <= 2"  # the letters fi as one sign
    program = Program.parse(source)
    assert refused(program, constraint_change(code, "\ufb01x")).report.error_type == "id_mismatch"
    fixed = program.apply(constraint_change(code, "fix"))
    assert (
        refused(fixed, constraint_change(code.replace("\ufb01", "fi"), "fix")).report.error_type == "id_taken"
    )
