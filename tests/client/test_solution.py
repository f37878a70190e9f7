import pytest

from decision_ai.client.schemas.chat_messages.solving import SolveFailed, SolveSucceeded
from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    InputDataSchemaValidationFailed,
    ValidationSucceeded,
)
from decision_ai.client.solution import Solution, outcome_line, solving_of, validation_sentence
from decision_ai.solving.executors.base import JobResult
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan

BEST, LIMIT, NONE = OutcomeKind.OPTIMAL, OutcomeKind.LIMIT_WITH_PLAN, OutcomeKind.INFEASIBLE
BUILDS = ValidationSucceeded()
PLAN = Plan(values={"pack": [(("Tent",), 1.0), (("<Stove>",), 1.0), (("Rope",), 0.0)], "total": [((), 2.5)]})


def result(kind: OutcomeKind, **figures: float) -> JobResult:
    return JobResult(
        validation=BUILDS,
        outcome=Outcome(kind=kind, objective=12.0 if kind.has_plan else None, **figures),
        plan=PLAN if kind.has_plan else None,
        solution_str="in words" if kind.has_plan else None,
    )


@pytest.mark.parametrize("kind", OutcomeKind)
def test_every_outcome_has_its_place_on_the_published_wire(kind: OutcomeKind) -> None:
    solving = solving_of(result(kind))
    if kind.has_plan:
        assert isinstance(solving, SolveSucceeded)
        assert solving.solution_status == kind
        assert solving.solution_str == f"{kind}: objective 12\nin words"
    else:
        assert isinstance(solving, SolveFailed)
        assert solving.status == ("infeasible" if kind is OutcomeKind.INFEASIBLE else "error")
        assert solving.error is not None
        assert solving.error.startswith(kind)


def test_a_failed_check_has_no_solving_and_an_error_as_solution() -> None:
    failed = JobResult(validation=FormulationValidationFailed(error="no such name"))
    assert solving_of(failed) is None
    solution = Solution.of(failed)
    assert not solution
    assert solution.status is OutcomeKind.ERROR
    assert "no such name" in str(solution)


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (Outcome(kind=BEST, objective=12, bound=12, gap=0), "optimal: objective 12, bound 12, gap 0%"),
        (
            Outcome(kind=LIMIT, objective=-2.5, bound=-3, gap=0.2, message="time limit"),
            "limit_with_plan: objective -2.5, bound -3, gap 20%, time limit",
        ),
        (Outcome(kind=NONE, confirmed=False), "infeasible: not confirmed with presolve off"),
        (Outcome(kind=OutcomeKind.UNBOUNDED), "unbounded"),
    ],
)  # fmt: skip
def test_the_line_has_the_figures_there_are(outcome: Outcome, line: str) -> None:
    assert outcome_line(outcome) == line


def test_a_solution_reads_like_the_model() -> None:
    solution = Solution.of(result(OutcomeKind.OPTIMAL))
    assert solution
    assert solution.objective_value == 12
    assert solution.values == {"pack": {"Tent": 1.0, "<Stove>": 1.0, "Rope": 0.0}, "total": {(): 2.5}}
    assert str(solution) == "optimal: objective 12\nin words"


def test_the_table_shows_what_is_used_and_escapes_labels() -> None:
    html = Solution.of(result(OutcomeKind.OPTIMAL))._repr_html_()
    assert "Tent" in html
    assert "&lt;Stove&gt;" in html
    assert "<Stove>" not in html
    assert "Rope" not in html


def test_a_check_is_told_in_one_sentence() -> None:
    report = FormulationErrorReport(component="constraint", error_type="x", message="no 'wieght'", line=7)
    assert validation_sentence(FormulationValidationFailed(error=report)).endswith("line 7: no 'wieght'")
    data = InputDataSchemaValidationFailed(input_data_class_name="Data", error="capacity: missing")
    assert validation_sentence(data) == "the data do not fit Data: capacity: missing"
    assert validation_sentence(BUILDS) == "the program builds"
