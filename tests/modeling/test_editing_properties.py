"""A diff changes its part and not one byte of any other, and its reverse brings the part back."""

import ast
import re

import pytest
from drawing import draw_change, model_files, untouched
from hypothesis import given, settings, strategies as st

from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff, ModelChanges, VariableDiff
from decision_ai.errors import ProgramError
from decision_ai.examples import EXAMPLES, example
from decision_ai.modeling.program import Program

pytestmark = pytest.mark.core

_BLANKS = re.compile(r"(?m)^[ \t]+$")


def reverse(change: ModelChanges) -> ModelChanges:
    return change.model_copy(update={"removed": change.added, "added": change.removed})


def parts(program: Program) -> dict[str, dict[str, str]]:
    """Id → code of every part, whatever their order; blank lines have no blanks."""
    objectives = {} if program.objective is None else {"objective": program.objective}
    kinds = {
        "constraints": program.constraints,
        "variables": program.variables,
        "objectives": objectives,
        "classes": program.data_classes,
    }
    return {
        kind: {id: _BLANKS.sub("", part.code) for id, part in found.items()} for kind, found in kinds.items()
    }


def assert_as_said(change: ModelChanges, changed: Program) -> None:
    """The part means what the diff says, strings over several lines included."""
    if isinstance(change, ConstraintDiff) and change.added is not None:
        code = changed.constraints[change.added.constraint_id].code
        assert ast.dump(ast.parse(code)) == ast.dump(ast.parse(change.added.code))
    if isinstance(change, VariableDiff) and change.added is not None:
        code = changed.variables[change.added.variable_id].code
        assert ast.dump(ast.parse(code)) == ast.dump(ast.parse(change.added.code))


def walk(data: st.DataObject, source: str) -> None:
    program = Program.parse(source)
    for _ in range(data.draw(st.integers(1, 4))):
        change, touched = data.draw(st.composite(draw_change)(program))
        changed = program.apply(change)
        kept = untouched(program.source, touched)
        assert untouched(changed.source, touched) == kept
        assert changed.source.startswith("\ufeff") == source.startswith("\ufeff")
        assert_as_said(change, changed)
        Program.parse(changed.composed())
        back = changed.apply(reverse(change))
        assert parts(back) == parts(program)
        assert untouched(back.source, touched) == kept
        program = changed


@settings(max_examples=30)
@given(data=st.data())
def test_no_byte_of_another_part_changes(data: st.DataObject, variants: dict[str, str]) -> None:
    walk(data, variants[data.draw(st.sampled_from(sorted(variants)))])


@settings(max_examples=60)
@given(data=st.data(), source=model_files())
def test_no_byte_of_another_part_changes_in_any_file(data: st.DataObject, source: str) -> None:
    walk(data, source)


@settings(max_examples=8)
@given(data=st.data())
def test_no_byte_of_another_part_changes_in_the_examples(data: st.DataObject) -> None:
    walk(data, example(data.draw(st.sampled_from(sorted(EXAMPLES))))[0])


@settings(max_examples=30)
@given(data=st.data(), source=model_files())
def test_a_diff_that_was_made_on_another_state_is_refused_whole(data: st.DataObject, source: str) -> None:
    program = Program.parse(source)
    change, _ = data.draw(st.composite(draw_change)(program))
    changed = program.apply(change)
    if changed.source == program.source:
        return
    with pytest.raises(ProgramError) as caught:
        changed.apply(change)
    assert caught.value.report.error_type in {"stale", "unknown_id", "id_taken"}
