from pathlib import Path

import pytest

from decision_ai.client.schemas.chat_messages.solving import SolveFailed, SolveSucceeded
from decision_ai.client.schemas.chat_messages.validation import (
    FormulationErrorReport,
    FormulationValidationFailed,
    InputDataSchemaValidationFailed,
    ValidationSucceeded,
)
from decision_ai.client.solution import Solution, outcome_line, solving_of, validation_sentence
from decision_ai.errors import DecisionAIError
from decision_ai.solving.executors.base import JobResult
from decision_ai.solving.outcome import Outcome, OutcomeKind, Plan
from decision_ai.wire import limits

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


@pytest.mark.parametrize("piece", ["Tent from P1\n", "é", "\x1b", "🎒"])
def test_a_long_text_is_cut_below_the_limit_of_a_frame_with_a_note(piece: str) -> None:
    told = result(OutcomeKind.OPTIMAL).model_copy(update={"solution_str": piece * 400_000})
    solving = solving_of(told)
    assert isinstance(solving, SolveSucceeded)
    assert len(solving.model_dump_json().encode()) < limits.FRAME_BYTES // 2
    *kept, note = solving.solution_str.splitlines()
    assert f"of {len(piece) * 400_000:,} characters are sent" in note
    if piece.endswith("\n"):
        assert set(kept[1:]) == {piece.strip()}


def test_every_wrong_field_and_the_hint_are_in_the_sentence() -> None:
    failed = InputDataSchemaValidationFailed(input_data_class_name="D", error="a: missing\nb: wrong")
    assert validation_sentence(failed) == "the data do not fit D: a: missing; b: wrong"
    report = FormulationErrorReport(
        component="program", error_type="x", message="no 'a'", hint="did you mean 'b'?"
    )
    said = validation_sentence(FormulationValidationFailed(error=report))
    assert said == "the program does not build: no 'a'; did you mean 'b'?"


def test_a_plan_is_written_for_excel_and_as_csv(tmp_path: Path) -> None:
    solution = Solution(
        outcome=Outcome(kind=OutcomeKind.OPTIMAL, objective=1.0),
        validation=ValidationSucceeded(),
        plan=Plan(values={"x": [(("a",), 1.0)]}),
    )
    assert solution.to_excel(tmp_path / "plan.xlsx").is_file()
    assert (solution.to_csv(tmp_path / "plan") / "x.csv").read_text().splitlines() == ["index,value", "a,1.0"]


def test_without_a_plan_there_is_nothing_to_write(tmp_path: Path) -> None:
    solution = Solution(outcome=Outcome(kind=OutcomeKind.INFEASIBLE), validation=ValidationSucceeded())
    with pytest.raises(DecisionAIError, match="there is no plan to write: infeasible"):
        solution.to_excel(tmp_path / "plan.xlsx")
