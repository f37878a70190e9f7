"""Three model files with nothing in common, built in this process."""

from collections.abc import Callable
from pathlib import Path

import pytest

import decision_ai.examples
from decision_ai.modeling.loading import load_model
from decision_ai.modeling.program import Program
from decision_ai.solving.building import build
from decision_ai_server.modellers.offline.understanding import Subject

HERE = Path(__file__).parent
EXAMPLES = Path(decision_ai.examples.__file__).parent
FILES = {
    "harbour": (HERE / "harbour_model.py", HERE / "harbour_data.json"),
    **{
        name: (EXAMPLES / name / "model.py", EXAMPLES / name / "data.json")
        for name in ("knapsack", "staff_scheduling", "vrp_time_windows", "production_planning")
    },
}


def make_subject(source: str, json_data: str) -> Subject:
    model_class = load_model(source)
    built = build(model_class, model_class.data_class.model_validate_json(json_data))
    program = Program.parse(source)
    return Subject(program, program, json_data, built.description)


@pytest.fixture(scope="session")
def subjects() -> dict[str, Subject]:
    """A subject for each model file, built once."""
    return {name: make_subject(model.read_text(), data.read_text()) for name, (model, data) in FILES.items()}


@pytest.fixture(scope="session")
def rebuilt() -> Callable[[str, str], Subject]:
    """Builds a subject from source and data."""
    return make_subject
