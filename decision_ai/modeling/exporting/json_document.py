"""A model as one JSON document: the program and its parts, the schema of the data, the data, their hash."""

import json
from dataclasses import asdict
from typing import Any

from decision_ai.modeling.data import data_id, parse_json, program_hash
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import ModelDescription

FORMAT = "decision-ai.model/1"


def json_text(program: Program, *, json_data: str, description: ModelDescription | None = None) -> str:
    """The model as JSON text.

    Args:
        program: the model.
        json_data: the data as JSON.
        description: the model as built, for its sizes; null without it.

    Returns:
        An object: `format`, `hash` (of program and data, as approvals name it), `program`, `data_classes`,
        `variables`, `objective`, `constraints`, `data_id`, `data` and `sizes`.

    Raises:
        DataError: if the data are not JSON.
    """
    source, id = program.composed(), data_id(json_data)
    document: dict[str, Any] = {
        "format": FORMAT,
        "hash": program_hash(source, id, None),
        "program": {
            "docstring": program.docstring,
            "data_class": program.main_data_class,
            "variables_class": program.variables_class,
            "model_class": program.model_class,
            "source": source,
        },
        "data_classes": [
            {**asdict(part), "fields": [asdict(field) for field in part.fields.values()]}
            for part in program.data_classes.values()
        ],
        "variables": [asdict(part) for part in program.variables.values()],
        "objective": None if program.objective is None else asdict(program.objective),
        "constraints": [asdict(part) for part in program.constraints.values()],
        "data_id": id,
        "data": parse_json(json_data),
        "sizes": None if description is None else _sizes(description),
    }
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _sizes(description: ModelDescription) -> dict[str, Any]:
    return {
        "columns": description.columns,
        "rows": description.rows,
        "variables": {id: len(family.indices) for id, family in description.families.items()},
        "constraints": {id: len(rows.indices) for id, rows in description.constraints.items()},
    }
