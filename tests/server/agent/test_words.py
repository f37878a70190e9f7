"""What the assistant says about changes, checks and solves."""

import json

import pytest

from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ConstraintSnapshot,
    ObjectiveDiff,
    ObjectiveSnapshot,
    OptInputDataDiff,
    OptInputDataSchemaDiff,
    OptInputDataSchemaSnapshot,
    OptInputDataSnapshot,
    VariableDiff,
    VariableSnapshot,
)
from decision_ai.client.schemas.chat_messages.protocol import SolveResponse
from decision_ai.client.schemas.chat_messages.solving import SolveFailed, SolveSucceeded
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    InputDataSchemaValidationFailed,
    ValidationSucceeded,
)
from decision_ai.client.solution import solving_of
from decision_ai.modeling.comparing import DataChange
from decision_ai.solving.executors.base import JobResult
from decision_ai.solving.outcome import Outcome, OutcomeKind
from decision_ai_server.agent.words import (
    change_line,
    in_brief,
    solve_figures,
    summary,
    validation_words,
)

CONSTRAINT = ConstraintSnapshot(constraint_id="cap", code="", math_formulation="", description="")
FAMILY = VariableSnapshot(variable_id="late", code="", math_formulation="", description="")
GOAL = ObjectiveSnapshot(code="", math_formulation="", description="")
CLASSES = OptInputDataSchemaSnapshot(input_data_classes=["class A: ..."])


def data(text: str) -> OptInputDataSnapshot:
    return OptInputDataSnapshot(opt_input_data_id="d", json_data=text)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (ConstraintDiff(added=CONSTRAINT), "added constraint cap"),
        (ConstraintDiff(removed=CONSTRAINT), "removed constraint cap"),
        (ConstraintDiff(removed=CONSTRAINT, added=CONSTRAINT), "changed constraint cap"),
        (VariableDiff(added=FAMILY), "added variable family late"),
        (ObjectiveDiff(removed=GOAL, added=GOAL), "changed the objective"),
        (OptInputDataSchemaDiff(removed=CLASSES, added=CLASSES), "changed the input-data classes"),
        (
            OptInputDataDiff(removed=data('{"a":{"b":1}}'), added=data('{"a":{"b":2}}')),
            "changed the data: a.b 1 → 2",
        ),
        (
            OptInputDataDiff(removed=data('{"a":{"b":1}}'), added=data('{"a":{"c":"x"}}')),
            'changed the data: removed a.b, added a.c "x"',
        ),
        (OptInputDataDiff(added=data("{}")), "changed the data: all of it"),
    ],
)
def test_a_change_in_a_few_words(change, line):
    assert change_line(change) == line


def test_other_data_are_kept_in_brief():
    """A history of large data sets stays small."""
    before, after = ({"long": "x" * 10_000, "many": [n] * 1000, "a": n} for n in (1, 2))
    del after["long"]

    brief = in_brief(OptInputDataDiff(removed=data(json.dumps(before)), added=data(json.dumps(after))))

    assert isinstance(brief, DataChange)
    assert (brief.before, brief.after, brief.count, len(brief.values)) == ("d", "d", 1002, 20)
    assert len(brief.model_dump_json()) < 3000
    assert change_line(brief).endswith("and 997 more")
    assert in_brief(ConstraintDiff(added=CONSTRAINT)) == ConstraintDiff(added=CONSTRAINT)


def test_many_differences_are_counted():
    before, after = ('{"a":[' + ",".join(str(k + d) for k in range(8)) + "]}" for d in (0, 1))

    assert change_line(OptInputDataDiff(removed=data(before), added=data(after))).endswith("and 3 more")


def test_a_set_is_one_line():
    assert (
        summary([ConstraintDiff(added=CONSTRAINT), VariableDiff(added=FAMILY)])
        == "added constraint cap; added variable family late"
    )


@pytest.mark.parametrize(
    ("validation", "text"),
    [
        (ValidationSucceeded(), "the check passed"),
        (FormulationValidationFailed(error="it broke"), "it broke"),
        (
            InputDataSchemaValidationFailed(input_data_class_name="Data", error="capacity: not a number"),
            "the data do not fit Data: capacity: not a number",
        ),
        (
            FormulationValidationFailed(
                error=FormulationErrorReport(
                    component="constraint",
                    component_id="cap",
                    error_type="unknown_name",
                    message="v has no family tke.",
                    line=12,
                    source_line="return v.tke",
                    hint="Did you mean take?",
                )
            ),
            "constraint cap: v has no family tke. (line 12: return v.tke) Did you mean take?",
        ),
    ],
)
def test_why_a_check_failed(validation, text):
    assert validation_words(validation) == text


def figures(solving):
    return solve_figures(
        SolveResponse(
            rejected=False,
            validation=ValidationSucceeded(),
            tool_origin=ToolData(name="solve", args={}, id="1"),
            solving=solving,
        )
    )


@pytest.mark.parametrize("kind", OutcomeKind)
@pytest.mark.parametrize("message", [None, "the time limit stopped it: 5 s, objective 7"])
@pytest.mark.parametrize(("bound", "gap"), [(None, None), (-1.5e-7, None), (130.5, 0.25)])
def test_the_figures_of_a_solve_are_those_its_client_told(kind, message, bound, gap):
    objective = 104.25 if kind.has_plan else None
    outcome = Outcome(kind=kind, objective=objective, bound=bound, gap=gap, message=message)
    solving = solving_of(JobResult(validation=ValidationSucceeded(), outcome=outcome, solution_str="Tent: 9"))

    told = figures(solving)

    if kind.has_plan:
        expected = {"outcome": kind.value, "objective": 104.25, "bound": bound, "gap": gap}
        expected["gap_percent"] = None if gap is None else 25.0
        assert told == {name: value for name, value in expected.items() if value is not None}
    else:
        assert told == {"outcome": kind.value}


@pytest.mark.parametrize(
    "solving",
    [
        SolveSucceeded(solution_str="Objective value: 7", solution_status="optimal"),
        SolveSucceeded(solution_str="optimal: objective 7", solution_status="Optimal"),
        SolveSucceeded(solution_str="optimal: objective seven", solution_status="optimal"),
        SolveSucceeded(solution_str="optimal: objective 7 and more", solution_status="optimal"),
        SolveSucceeded(solution_str="optimal: bound 7", solution_status="optimal"),
        SolveSucceeded(solution_str="", solution_status="optimal"),
        SolveFailed(status="error", error="Solver crashed"),
        SolveFailed(status="error", error=None),
        SolveFailed(status="error", error="optimal: objective 7"),
        None,
    ],
)
def test_a_client_with_words_of_its_own_gives_no_figures(solving):
    assert figures(solving) == ({"outcome": "error"} if solving == SolveFailed(status="error") else {})


def test_a_bare_infeasible_is_an_outcome():
    assert figures(SolveFailed(status="infeasible")) == {"outcome": "infeasible"}
