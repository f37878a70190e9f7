import contextlib

import pytest
from hypothesis import given, strategies as st

from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff, VariableDiff
from decision_ai.errors import ProgramError
from decision_ai.modeling.program import Program

pytestmark = pytest.mark.core


def test_every_layout_reads_alike(source: str, variant: str) -> None:
    expected, found = Program.parse(source), Program.parse(variant)
    assert found.source == variant
    assert found.docstring == "Pick the most valuable items.\n\nA second paragraph."
    assert (found.main_data_class, found.variables_class, found.model_class) == (
        "PackData",
        "PackVariables",
        "Pack",
    )
    assert list(found.data_classes) == ["Item", "PackData"]
    for kind in ("constraints", "variables"):
        before, after = getattr(expected, kind), getattr(found, kind)
        assert [(p.id, p.math, p.description) for p in before.values()] == [
            (p.id, p.math, p.description) for p in after.values()
        ]


def test_snapshots_quote_the_parts(source: str) -> None:
    program = Program.parse(source)
    few = program.snapshot("constraint", "few")
    assert few.code.startswith('@constraint(\n    "x",\n    enabled=False,  # for now\n')
    assert few.description == "Few items, \u2028 each one."
    assert program.snapshot("variable", "slack").code == "slack: Var = continuous()"
    objective = program.objective_snapshot()
    assert objective is not None
    assert objective.description == "Total value."
    item, main = program.data_schema_snapshot().input_data_classes
    assert item.endswith("value: float  # euros")
    assert main.startswith("class PackData")


def test_switching_changes_the_decorator_only(source: str) -> None:
    program = Program.parse(source)
    change = program.switch("few", enabled=True)
    assert isinstance(change, ConstraintDiff)
    changed = program.apply(change)
    assert changed.source == source.replace('"x",\n        enabled=False,', '"x",')
    assert changed.constraints["few"].enabled
    assert changed.constraints["few"].priority == "B"


def test_switching_there_and_back_is_no_change(variant: str) -> None:
    program = Program.parse(variant)
    off = program.apply(program.switch("capacity", enabled=False))
    assert not off.constraints["capacity"].enabled
    assert off.apply(off.switch("capacity", enabled=True)).source == variant
    family = program.switch("pack", enabled=False)
    assert isinstance(family, VariableDiff)
    off = program.apply(family)
    assert not off.variables["pack"].enabled
    assert off.apply(off.switch("pack", enabled=True, kind="variable")).source == variant


def test_priorities_change_the_decorator_only(variant: str) -> None:
    program = Program.parse(variant)
    soft = program.apply(program.prioritise("capacity", "C"))
    assert soft.constraints["capacity"].priority == "C"
    assert soft.apply(soft.prioritise("capacity", "hard")).source == variant
    same = program.prioritise("few", "B")
    assert same.removed == same.added


def test_unknown_ids_are_refused_with_a_hint(source: str) -> None:
    program = Program.parse(source)
    for attempt in (
        lambda: program.snapshot("constraint", "capazity"),
        lambda: program.switch("capazity", enabled=True),
        lambda: program.prioritise("capazity", "A"),
    ):
        with pytest.raises(ProgramError) as caught:
            attempt()
        assert caught.value.report.hint == "did you mean 'capacity'?"
    with pytest.raises(ProgramError, match="there is no variable 'q'"):
        program.snapshot("variable", "q")


def test_a_line_belongs_to_a_component(source: str) -> None:
    program = Program.parse(source)
    lines = source.split("\n")

    def at(text: str) -> tuple[str, str | None]:
        return program.component_at(next(n for n, line in enumerate(lines, 1) if text in line))

    assert at("value: float") == ("input_data", "Item")
    assert at("over=lambda") == ("variable", "pack")
    assert at("return total") == ("constraint", "capacity")
    assert at("- v.slack") == ("objective", "value")
    assert at('return "plan"') == ("solution_to_str", None)
    assert at("json.loads") == ("program", "load_input_data")
    assert at("# between") == ("program", None)
    assert at("LIMIT = 7") == ("program", None)


@given(
    place=st.floats(0, 1),
    length=st.integers(0, 40),
    text=st.text(max_size=3)
    | st.sampled_from(["\n", "'", '"""', "(", ")", ";", "\\", "\t", "\f", "if x:\n", "#"]),
)
def test_a_damaged_file_is_read_or_refused_and_never_a_crash(
    source: str, place: float, length: int, text: str
) -> None:
    start = int(place * len(source))
    with contextlib.suppress(ProgramError):
        program = Program.parse(source[:start] + text + source[start + length :])
        program.composed()
        for id in program.constraints:
            program.apply(program.switch(id, enabled=not program.constraints[id].enabled, kind="constraint"))


@pytest.mark.parametrize(
    "classes",
    [
        "".join(f"class A{n + 1}(A{n}, A{n}):\n    pass\n" for n in range(40)),
        "".join(f"class A{n + 1}(A{n}):\n    pass\n" for n in range(1500)),
        "class Loop(A0, Later):\n    pass\nclass Later(Loop):\n    pass\n",
        "class Deep(A0):\n    x: " + "a[" * 150 + "]" * 150 + "\n",
        "class Deep(A0):\n    x: " + "A0" + "[0]" * 900 + "\n",
        "class Deep(A0):\n    x: " + "1" + " + 1" * 900 + "\n",
    ],
)
def test_endless_nesting_is_read_or_refused_at_once(source: str, classes: str) -> None:
    text = source.replace("class PackData", f"class A0(InputData):\n    pass\n{classes}class PackData")
    with contextlib.suppress(ProgramError):
        assert Program.parse(text).main_data_class == "PackData"


def test_very_many_statements_are_composed_in_a_moment(source: str) -> None:
    assert "f()" not in Program.parse(source + "f()\n\n" * 15_000).composed()
