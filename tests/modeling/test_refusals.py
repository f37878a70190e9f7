import pytest

from decision_ai.modeling.refusals import refusal, unknown

pytestmark = pytest.mark.core


def test_a_refusal_carries_its_report() -> None:
    error = refusal(
        "stale", "redo it", component="constraint", component_id="c", line=3, source_line="x", hint="h"
    )
    assert str(error) == "line 3: redo it"
    assert error.report.model_dump() == {
        "component": "constraint",
        "component_id": "c",
        "error_type": "stale",
        "message": "redo it",
        "line": 3,
        "source_line": "x",
        "hint": "h",
    }


def test_an_unknown_id_names_what_there_is() -> None:
    assert unknown("variable", "pac", ["pack", "slack"]).report.hint == "did you mean 'pack'?"
    assert unknown("variable", "q", ["pack"]).report.hint is None
    assert str(unknown("input_data", "q", [])) == "there is no input data 'q'; there are: none"
