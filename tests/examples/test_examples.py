"""Every example solves to its stated optimum, whole and composed, and reads well."""

import json

import pytest

from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.examples import EXAMPLES, example
from decision_ai.modeling.loading import load_model
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai.solving.outcome import OutcomeKind

pytestmark = pytest.mark.core

OPTIMA = {
    "knapsack": 149,
    "production_planning": 23834.642857,
    "transportation": 38530,
    "staff_scheduling": 4115,
    "vrp_time_windows": 561.6,
    "diet": 4.373094,
}

CONSTRAINTS = {
    "knapsack": "capacity max_items category_min",
    "production_planning": "balance machine_hours overtime_limit overtime_month storage final_stock",
    "transportation": "demand supply max_open",
    "staff_scheduling": (
        "cover availability max_shifts one_per_day rest senior_daily most_shifts least_shifts"
    ),
    "vrp_time_windows": "visit_once leave_depot flow load max_stops time_link first_leg window back_by",
    "diet": "nutrient_min nutrient_max portion_max total_portions",
}

FAMILIES = {
    "knapsack": {"take": [("Kettle",)]},
    "production_planning": {
        "make": [("Alder", "Jan")],
        "stock": [("Alder", "Jan")],
        "overtime": [("Cutter", "Jan")],
    },
    "transportation": {"open": [("Northgate",)], "ship": [("Northgate", "Arvik")]},
    "staff_scheduling": {"work": [("Ada", "Mon-early")], "most": [()], "least": [()]},
    "vrp_time_windows": {"drive": [("Red", "Depot", "Aldo")], "begin": [("Aldo",)]},
    "diet": {"eat": [("Oats",)]},
}


def test_there_are_six() -> None:
    assert EXAMPLES.keys() == OPTIMA.keys()


def test_an_unknown_example_is_named() -> None:
    with pytest.raises(KeyError, match="no example 'knap'"):
        example("knap")


@pytest.mark.parametrize("name", EXAMPLES)
def test_parts_have_the_stated_names_and_say_what_they_mean(name: str) -> None:
    program = Program.parse(example(name)[0])
    assert " ".join(program.constraints) == CONSTRAINTS[name]
    assert program.variables.keys() == FAMILIES[name].keys()
    assert program.objective is not None
    parts = [*program.constraints.values(), *program.variables.values(), program.objective]
    assert all(part.description.endswith(".") and part.math for part in parts)
    fields = [field for part in program.data_classes.values() for field in part.fields.values()]
    assert all(field.description.endswith(".") for field in fields)
    assert any(part.policy for part in program.constraints.values())
    assert all(part.enabled and part.priority == "hard" for part in program.constraints.values())


@pytest.mark.parametrize("name", EXAMPLES)
def test_data_survive_the_round_trip(name: str) -> None:
    source, data = example(name)
    model = load_model(source, f"example_{name}")
    loaded = model.data_class.model_validate_json(data)
    assert loaded.model_dump() == json.loads(data)


async def test_base_optima() -> None:
    async with LocalExecutor() as executor:
        for name in EXAMPLES:
            source, data = example(name)
            result = await executor.run(
                Job(task="solve", source=Program.parse(source).composed(), json_data=data)
            )
            assert result.validation == ValidationSucceeded(), name
            assert result.outcome is not None
            assert result.outcome.kind is OutcomeKind.OPTIMAL
            assert result.outcome.objective == pytest.approx(OPTIMA[name], rel=1e-6)
            assert result.description is not None
            first = {id: family.indices[:1] for id, family in result.description.families.items()}
            assert first == FAMILIES[name]
            assert result.solution_str is not None
            assert all(line.strip() for line in result.solution_str.splitlines())
