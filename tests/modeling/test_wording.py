"""Why a check failed, in one sentence."""

import pytest

from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    InputDataSchemaValidationFailed,
)
from decision_ai.modeling.wording import failure_sentence

pytestmark = pytest.mark.core

REPORT = FormulationErrorReport(component="constraint", component_id="cap", error_type="x", message="no 'a'")


@pytest.mark.parametrize(
    ("failed", "sentence"),
    [
        (
            InputDataSchemaValidationFailed(input_data_class_name="D", error="a: missing\nb: wrong"),
            "the data do not fit D: a: missing; b: wrong",
        ),
        (FormulationValidationFailed(error="it broke"), "it broke"),
        (FormulationValidationFailed(error=REPORT), "no 'a'"),
        (
            FormulationValidationFailed(error=REPORT.model_copy(update={"line": 7, "hint": "is it 'b'?"})),
            "line 7: no 'a'; is it 'b'?",
        ),
    ],
)
def test_why_a_check_failed(
    failed: FormulationValidationFailed | InputDataSchemaValidationFailed, sentence: str
) -> None:
    assert failure_sentence(failed) == sentence
