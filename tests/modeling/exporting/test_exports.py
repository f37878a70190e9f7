"""Each form is made by the executor where it needs the built model, and by the text alone where not."""

import json

import pytest

from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    InputDataSchemaValidationFailed,
)
from decision_ai.errors import DecisionAIError
from decision_ai.examples import example
from decision_ai.modeling.exporting.exports import (
    EXPORT_FORMATS,
    MEDIA_TYPES,
    Exportable,
    exported,
    format_of,
    suffix_of,
)
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.local import LocalExecutor

pytestmark = pytest.mark.core

BEGINNINGS = {
    "py": b'"""Load the demonstration van',
    "json": b'{\n  "format": "decision-ai.model/1"',
    "lp": b"\\ Knapsack, written by decision-ai\n\\ decision-ai names 1/",
    "mps": b"* Knapsack, written by decision-ai\n* decision-ai names 1/",
    "latex": b"\\documentclass",
    "md": b"# Knapsack\n",
    "xlsx": b"PK",
}


def model(source: str | None = None, data: str | None = None) -> Exportable:
    known = example("knapsack")
    return Exportable(Program.parse(source or known[0]), data or known[1])


async def test_every_format_is_made() -> None:
    async with LocalExecutor() as executor:
        for format in EXPORT_FORMATS:
            content = await exported(model(), format, executor)
            assert isinstance(content, bytes)
            assert content.startswith(BEGINNINGS[format])
            if format in ("latex", "md"):
                assert b"variables 12, rows" in content


async def test_a_model_that_does_not_build_says_why_where_that_matters() -> None:
    wrong = model(data=json.dumps({"capacity": "x"}))
    broken = model(source=example("knapsack")[0].replace("v.take", "v.tale"))
    async with LocalExecutor() as executor:
        for format in ("lp", "xlsx"):
            assert isinstance(await exported(wrong, format, executor), InputDataSchemaValidationFailed)
            failed = await exported(broken, format, executor)
            assert isinstance(failed, FormulationValidationFailed)
            assert isinstance(failed.error, FormulationErrorReport)
        assert isinstance(await exported(broken, "md", executor), bytes)


def test_suffixes_say_the_format() -> None:
    assert {format_of(f"a/Model{suffix_of(format)}") for format in EXPORT_FORMATS} == set(EXPORT_FORMATS)
    assert MEDIA_TYPES.keys() == set(EXPORT_FORMATS)
    assert format_of("M.TEX") == "latex"
    with pytest.raises(DecisionAIError, match=r"'model\.txt' does not say in which format to write"):
        format_of("model.txt")
