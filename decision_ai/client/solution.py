"""A plan as its owner reads it, and as the published wire carries it."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

from decision_ai.client.schemas.chat_messages.solving import SolveFailed, SolveSucceeded, Solving
from decision_ai.client.schemas.chat_messages.validation import (
    FormulationValidationFailed,
    Validation,
    ValidationSucceeded,
)
from decision_ai.errors import DecisionAIError
from decision_ai.modeling.wording import failure_sentence
from decision_ai.solving.executors.base import JobResult
from decision_ai.solving.outcome import Label, Outcome, OutcomeKind, Plan, RowState

_HTML_ROWS = 20
_MOST_SENT = 2**18
"""Characters of a plan's text that are sent: far below a frame's limit however JSON writes them."""


@dataclass(frozen=True, kw_only=True)
class Solution:
    """How a solve ended; true in a condition if there is a plan.

    Attributes:
        outcome: why the solve stopped, with objective, bound and gap.
        validation: the check that ran before it.
        plan: the values; None without a plan.
        rows: every row at the plan.
        text: the plan in the model's own words; None without a plan.
    """

    outcome: Outcome
    validation: Validation
    plan: Plan | None = None
    rows: tuple[RowState, ...] = ()
    text: str | None = None

    @classmethod
    def of(cls, result: JobResult) -> "Solution":
        """The solution in a job's result; a failed check is an outcome `error` that says so."""
        outcome = result.outcome or Outcome(
            kind=OutcomeKind.ERROR, message=validation_sentence(result.validation)
        )
        return cls(
            outcome=outcome,
            validation=result.validation,
            plan=result.plan,
            rows=tuple(result.rows),
            text=result.solution_str,
        )

    @property
    def status(self) -> OutcomeKind:
        """Why the solve stopped."""
        return self.outcome.kind

    @property
    def objective_value(self) -> float | None:
        """The user's objective at the plan; None without a plan."""
        return self.outcome.objective

    @property
    def values(self) -> dict[str, dict[Label | tuple[Label, ...], float]]:
        """Family → key of the model → value; empty without a plan."""
        return {} if self.plan is None else {name: self.plan.family(name) for name in self.plan.values}

    def to_excel(self, path: str | Path) -> Path:
        """Write the plan to a workbook (.xlsx): summary, constraints, and a sheet for each variable family.

        Raises:
            DecisionAIError: if there is no plan, or the file exists or cannot be written.
        """
        from decision_ai.tabular.plans import write_excel

        return write_excel(Path(path), self.outcome, self._written_plan(), self.rows)

    def to_csv(self, folder: str | Path) -> Path:
        """Write the plan to a new or empty folder: one CSV file for each sheet that `to_excel` writes.

        Raises:
            DecisionAIError: if there is no plan, or the folder is not empty or cannot be written.
        """
        from decision_ai.tabular.plans import write_folder

        return write_folder(Path(folder), self.outcome, self._written_plan(), self.rows)

    def _written_plan(self) -> Plan:
        if self.plan is None:
            raise DecisionAIError(f"there is no plan to write: {outcome_line(self.outcome)}")
        return self.plan

    def __bool__(self) -> bool:
        return self.plan is not None

    def __str__(self) -> str:
        return "\n".join(part for part in (outcome_line(self.outcome), self.text) if part)

    def _repr_html_(self) -> str:
        """The outcome and the values that are not zero, as a small table for a notebook."""
        used = [
            (name, index, value)
            for name, members in (self.plan.values if self.plan else {}).items()
            for index, value in members
            if abs(value) > 1e-9
        ]
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{escape(', '.join(map(str, index)))}</td>"
            f"<td style='text-align:right'>{value:.10g}</td></tr>"
            for name, index, value in used[:_HTML_ROWS]
        )
        more = f"<p>… and {len(used) - _HTML_ROWS} more</p>" if len(used) > _HTML_ROWS else ""
        table = f"<table><tr><th>family</th><th>index</th><th>value</th></tr>{rows}</table>" if rows else ""
        return f"<p>{escape(outcome_line(self.outcome))}</p>{table}{more}"


def outcome_line(outcome: Outcome) -> str:
    """The outcome's word and its figures in one line: `optimal: objective 12, bound 12, gap 0%`."""
    figures = outcome.figures
    if outcome.message:
        figures.append(outcome.message)
    if not outcome.confirmed:
        figures.append("not confirmed with presolve off")
    return f"{outcome.kind.value}: {', '.join(figures)}" if figures else outcome.kind.value


def solving_of(result: JobResult) -> Solving | None:
    """What the published wire says about a solve; None where the check failed."""
    outcome = result.outcome
    if outcome is None:
        return None
    line = outcome_line(outcome)
    if outcome.kind.has_plan:
        text = f"{line}\n{_sent(result.solution_str)}" if result.solution_str else line
        return SolveSucceeded(solution_str=text, solution_status=outcome.kind.value)
    if outcome.kind is OutcomeKind.INFEASIBLE:
        return SolveFailed(status="infeasible", error=line)
    return SolveFailed(status="error", error=line)


def validation_sentence(validation: Validation) -> str:
    """What a check found, in one sentence."""
    if isinstance(validation, ValidationSucceeded):
        return "the program builds"
    sentence = failure_sentence(validation)
    wrong_program = isinstance(validation, FormulationValidationFailed)
    return f"the program does not build: {sentence}" if wrong_program else sentence


def _sent(text: str) -> str:
    """The text of a plan as it is sent: cut after a line, with a note, if it is too long."""
    if len(text) <= _MOST_SENT:
        return text
    kept = text[:_MOST_SENT]
    kept = kept[: kept.rfind("\n") if "\n" in kept else None]
    return (
        f"{kept}\n… cut here: {len(kept):,} of {len(text):,} characters are sent; solve on your own machine "
        "(`session.solve()`, `decision-ai solve`) for all of them"
    )
