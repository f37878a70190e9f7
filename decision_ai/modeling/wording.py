"""Sentences about checks of programs, said in the same words wherever they are shown."""

from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    InputDataSchemaValidationFailed,
)


def failure_sentence(failed: FormulationValidationFailed | InputDataSchemaValidationFailed) -> str:
    """Why a check failed, with the line and a hint where they are known: one sentence for a person."""
    if isinstance(failed, InputDataSchemaValidationFailed):
        wrong = "; ".join(failed.error.splitlines())
        return f"the data do not fit {failed.input_data_class_name}: {wrong}"
    report = failed.error
    if not isinstance(report, FormulationErrorReport):
        return report
    where = "" if report.line is None else f"line {report.line}: "
    hint = f"; {report.hint}" if report.hint else ""
    return f"{where}{report.message}{hint}"
