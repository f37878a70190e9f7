"""A job tells everything as soon as it is known, and every failure as a value."""

import re
import threading

import pytest

from decision_ai.client.schemas.chat_messages.validation import InputDataSchemaValidationFailed
from decision_ai.solving.answers import Answer, Built, Refused, Solved, Text
from decision_ai.solving.executors.base import Job
from decision_ai.solving.jobs import run_job
from decision_ai.solving.outcome import OutcomeKind, SolveProgress

pytestmark = pytest.mark.core

PROGRAM = '''
import pulp
from decision_ai import InputData, OptModel, Var, Variables, constraint, integer, objective


class Part(InputData):
    cost: float
    name: str = ""


class D(InputData):
    need: int
    parts: dict[str, Part]


class V(Variables):
    buy: dict[str, Var] = integer(over=lambda d: d.parts, upper=9)


class M(OptModel[D, V]):
    @constraint(priority="A")
    def enough(self, d, v):
        """Buy enough."""
        return pulp.lpSum(v.buy.values()) >= d.need

    @objective("minimize")
    def cost(self, d, v):
        """Cost."""
        return pulp.lpSum(part.cost * v.buy[i] for i, part in d.parts.items())

    def solution_to_str(self, d, v):
        return " ".join(f"{i}:{v.buy[i].value():g}" for i in d.parts)
'''
DATA = '{"need": 20, "parts": {"p": {"cost": 2}, "q": {"cost": 3}}}'

LONG_WORDS = """def solution_to_str(self, d, v):
        return 'long ' * 1_000_000

    def not_called(self, d, v):"""


def answers(source: str = PROGRAM, data: str = DATA, task: str = "solve") -> list[Answer]:
    told: list[Answer] = []
    job = Job(task=task, source=source, json_data=data)  # type: ignore[arg-type]
    run_job(job, told.append, threading.Event())
    return [answer for answer in told if not isinstance(answer, SolveProgress)]


def test_soft_rows_tell_their_violation() -> None:
    built, solved, text = answers()

    assert isinstance(built, Built)
    assert isinstance(solved, Solved)
    assert solved.outcome.kind is OutcomeKind.OPTIMAL
    assert solved.outcome.objective == 45
    assert solved.point is not None
    assert solved.point.violations == [2]
    assert text == Text(text="p:9 q:9")


def test_build_tells_the_description_only() -> None:
    (built,) = answers(task="build")
    assert isinstance(built, Built)


def test_wrong_data_one_line_per_field() -> None:
    (refused,) = answers(data='{"need": 1.5, "parts": {"p": {"cots": 2}}}')

    assert isinstance(refused, Refused)
    assert isinstance(refused.validation, InputDataSchemaValidationFailed)
    assert refused.validation.input_data_class_name == "D"
    lines = refused.validation.error.splitlines()
    assert [line.split(":")[0] for line in lines] == ["need", "parts.p.cost", "parts.p.cots"]
    assert "1.5" in lines[0]


def test_a_failing_validator_is_the_programs_fault() -> None:
    source = PROGRAM.replace(
        "    need: int\n", "    need: int\n\n    def model_post_init(self, context):\n        nothing\n"
    )
    (refused,) = answers(source)
    assert isinstance(refused, Refused)
    assert "nothing" in str(refused.validation.error)


def test_words_that_fail_leave_the_plan() -> None:
    *_, text = answers(PROGRAM.replace("v.buy[i].value()", "v.bye[i].value()"))
    assert isinstance(text, Text)
    first, *values = text.text.splitlines()
    assert first.startswith("solution_to_str failed at `")
    assert "has no 'bye'" in first
    assert first.count("solution_to_str") == 1
    assert values
    assert all(re.fullmatch(r"  \w+(\[.*\])? = [\d.]+", value) for value in values)


def test_program_that_does_not_import() -> None:
    (refused,) = answers("import no_such_module")
    assert isinstance(refused, Refused)


def test_words_that_are_too_long_are_cut_with_a_note() -> None:
    *_, text = answers(PROGRAM.replace("def solution_to_str(self, d, v):", LONG_WORDS))
    assert isinstance(text, Text)
    assert text.text.endswith("… cut here: solution_to_str gave 5,000,000 characters")
