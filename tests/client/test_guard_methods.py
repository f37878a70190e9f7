"""Locks, checks and brought plans over a real private server."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from decision_ai.client.chat_session import ChatSession
from decision_ai.client.client import DecisionAI
from decision_ai.client.guard_methods import _priced
from decision_ai.client.schemas.chat_messages.validation import (
    FormulationValidationFailed,
    ValidationSucceeded,
)
from decision_ai.errors import DataError, DecisionAIError, ProgramError, ServerRefused, StateConflict
from decision_ai.examples import example
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job, JobResult
from decision_ai.solving.findings import Findings, PlanCheck, PricedPlan
from decision_ai.solving.outcome import Plan


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DecisionAI]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DECISION_AI_STATE_DIR", str(tmp_path_factory.mktemp("state")))
        with DecisionAI() as client:
            yield client


@pytest.fixture
def session(client: DecisionAI) -> ChatSession:
    return client.create_chat_session(*example("knapsack"))


def versions(session: ChatSession) -> int:
    return len(session._requests.versions(session.id))


def test_a_member_is_locked_in_one_version_and_let_go_again(session: ChatSession) -> None:
    before = session.solve()
    assert before.values["take"]["Ladder"] == 0
    state = session.lock("take[Ladder]", 1)
    assert state.constraints["lock_take"].is_user_constraint
    assert Program.parse(session.program).constraints["lock_take"].policy
    assert session.solve().values["take"]["Ladder"] == 1
    session.lock({"take": {"Tent": 0}})
    assert session.locks() == {"take": {"Ladder": 1, "Tent": 0}}
    assert versions(session) == 3
    session.unlock("take[Ladder]")
    assert session.locks() == {"take": {"Tent": 0}}
    assert "lock_take" not in session.unlock().constraints
    assert session.locks() == {}
    assert session.solve().objective_value == before.objective_value


def test_the_newest_plan_gives_the_values(session: ChatSession) -> None:
    with pytest.raises(DataError, match="no plan to take values from"):
        session.lock("take")
    plan = session.solve()
    session.lock(["take[Tent]", "take['Stove']"])
    session.lock({"take": ["Ladder"]})
    taken = plan.values["take"]
    assert session.locks() == {"take": {key: taken[key] for key in ("Tent", "Stove", "Ladder")}}
    session.lock("take")
    assert session.locks() == {"take": taken}
    count = versions(session)
    session.lock("take")
    assert versions(session) == count
    session.unlock(["take[Tent]", "take[Stove]"])
    assert versions(session) == count + 1


def test_what_cannot_be_locked_is_said_and_nothing_is_applied(session: ChatSession) -> None:
    with pytest.raises(DataError, match=r"no take\['Tend'\]; did you mean take\['Tent'\]"):
        session.lock({"take": {"Tent": 1, "Tend": 1}})
    with pytest.raises(DataError, match=r"no take\['Tend'\]"):
        session.lock("take[Tend]", 1)
    with pytest.raises(ProgramError, match="no variable 'tak'"):
        session.lock("tak[Tent]", 1)
    with pytest.raises(DataError, match="it is binary"):
        session.lock("take[Tent]", 0.5)
    with pytest.raises(DataError, match="say the values in the mapping"):
        session.lock({"take": ["Tent"]}, 1)
    with pytest.raises(ProgramError, match="'take' is not locked"):
        session.unlock("take[Tent]")
    assert versions(session) == 1


def test_a_lost_race_is_a_conflict(session: ChatSession, monkeypatch: pytest.MonkeyPatch) -> None:
    state, etag = session._requests.chat_session(session.id)
    session.lock("take[Tent]", 1)
    monkeypatch.setattr(session._requests, "chat_session", lambda _id: (state, etag))
    with pytest.raises(StateConflict):
        session.lock("take[Stove]", 1)


def test_a_lock_that_does_not_fit_other_data_can_still_be_taken_off(session: ChatSession) -> None:
    from decision_ai import Approve

    session.lock({"take": {"Tent": 1, "Ladder": 0}})
    data = session._requests.opt_input_data(session.state().opt_input_data_id)
    session.set_input_data(data.replace("Tent", "Yurt"), approve=lambda _: Approve())
    assert session.state().constraints["lock_take"].incompatible
    assert session.locks() == {"take": {"Tent": 1, "Ladder": 0}}
    with pytest.raises(DataError, match=r"take\['Tent'\]"):
        session.lock("take[Yurt]", 1)
    session.unlock("take[Tent]")
    assert not session.state().constraints["lock_take"].incompatible


SCALARS = """
from decision_ai import InputData, OptModel, Var, Variables, constraint, continuous, objective


class Rooms(InputData):
    size: float


class RoomsVariables(Variables):
    share: Var = continuous(upper=10)
    used: dict[tuple[str, int], Var] = continuous(over=lambda data: [("a", 1), ("a", 2)], lower=0)


class RoomsModel(OptModel[Rooms, RoomsVariables]):
    @constraint("")
    def room(self, data, v):
        return v.share + v.used["a", 1] + v.used["a", 2] <= data.size

    @objective("maximize", "")
    def most(self, data, v):
        return v.share

    def solution_to_str(self, data, v):
        return "done"
"""


def test_families_without_an_index_and_with_two(client: DecisionAI) -> None:
    session = client.create_chat_session(SCALARS, {"size": 7.5})
    session.solve()
    session.lock("share")
    session.lock({"used": {("a", 1): 0}})
    session.lock("used[a, 2]", 0)
    assert session.locks() == {"share": 7.5, "used": {("a", 1): 0, ("a", 2): 0}}
    session.unlock(["share", "used[a, 2]"])
    assert session.locks() == {"used": {("a", 1): 0}}
    session.lock({"share": 2})
    assert session.solve().objective_value == 2
    assert session.check_plan({"share": 3}).broken[0].constraint_id == "lock_share"
    with pytest.raises(DataError, match=r"no share\['x'\]; there are share$"):
        session.lock({"share": {"x": 1}})


def few(data, v):  # type: ignore[no-untyped-def]
    """Two items at most."""
    return sum(v.take.values()) <= 2


def test_checks_are_kept_tested_and_removed(session: ChatSession) -> None:
    assert (session.checks(), session.test_checks()) == ([], [])
    session.keep_check("no_ladder", "No ladder.", "v.take['Ladder'] <= 0")
    kept = session.keep_check("few", "", few)
    assert [(check.name, check.sentence) for check in kept] == [
        ("no_ladder", "No ladder."),
        ("few", "Two items at most."),
    ]
    assert session.checks() == kept
    found = session.test_checks()
    assert [(check.name, check.holds) for check in found] == [("no_ladder", True), ("few", False)]
    assert "missed by" in found[1].message
    assert [check.name for check in session.remove_check("few")] == ["no_ladder"]
    with pytest.raises(ServerRefused, match="no check 'few' is kept; kept are: no_ladder"):
        session.remove_check("few")
    with pytest.raises(ServerRefused, match="import"):
        session.keep_check("evil", "", "def evil(self, data, v):\n    import os\n    return True")
    with pytest.raises(ProgramError, match="a check is an expression"):
        session.keep_check("half", "", "v.take <=")
    assert versions(session) == 1


def test_a_plan_is_checked_in_all_its_forms(session: ChatSession, tmp_path: Path) -> None:
    session.keep_check("no_tent", "No tent.", "v.take['Tent'] <= 0")
    solution = session.solve()
    priced = session.check_plan(solution)
    assert priced.feasible
    assert priced.objective == solution.objective_value
    assert ", as good as the best known plan" in str(priced)
    assert solution.plan is not None
    path = solution.to_excel(tmp_path / "plan.xlsx")
    frame = pd.DataFrame([{"index": key, "value": value} for key, value in solution.values["take"].items()])
    for same in (solution.plan, solution.values, path, str(path), frame, {"take": frame}):
        assert session.check_plan(same).priced == priced.priced
    other = session.check_plan({"take": {"Tent": 2, "Anvil": 1}})
    assert (other.feasible, other.acceptable) == (False, False)
    assert [member.index for member in other.members] == [("Tent",)]
    assert other.priced.unknown == ["take[Anvil]"]
    assert [check.holds for check in other.checks] == [False]
    assert "worse than the best known plan" in str(other)
    assert versions(session) == 1


def test_a_plan_is_priced_on_other_data_without_a_comparison(session: ChatSession) -> None:
    solution = session.solve()
    data = example("knapsack")[1]
    assert session.check_plan(solution, data).objective == solution.objective_value
    assert session.check_plan(solution, data).best is None
    session.lock("take[Ladder]", 1)
    assert session.check_plan(solution).best is None


def test_what_is_no_plan_is_said(session: ChatSession, tmp_path: Path) -> None:
    with pytest.raises(DecisionAIError, match="there is no plan"):
        session.check_plan(tmp_path / "none.json")
    with pytest.raises(DataError, match=r"the value of \[Tent\] is 'x'"):
        session.check_plan({"take": {"Tent": "x"}})
    with pytest.raises(TypeError):
        session.check_plan(7)


class Impatient:
    """An executor that gives up as soon as there are checks to run."""

    async def run(self, job: Job, **_: Any) -> JobResult:
        if job.checks:
            return JobResult(validation=FormulationValidationFailed(error="no time"))
        priced = PricedPlan(objective=3, rows=[], members=[], missing=[], unknown=[])
        return JobResult(validation=ValidationSucceeded(), findings=Findings(priced=priced))

    async def aclose(self) -> None: ...


def test_a_check_without_an_end_does_not_hide_what_the_plan_is_worth() -> None:
    check = PlanCheck(name="loop", sentence="it ends", code="def loop(self, data, v):\n    while True: pass")
    job = Job(task="price", source="", json_data="{}", plan=Plan(values={}), checks=[check])
    priced = asyncio.run(_priced(Impatient(), job))
    assert (priced.objective, priced.feasible) == (3, True)
    (result,) = priced.checks
    assert (result.name, result.sentence, result.holds) == ("loop", "it ends", None)
    assert "did not come to an end" in result.message
    with pytest.raises(DataError, match="no time"):
        asyncio.run(_priced(Broken(), job))


class Broken(Impatient):
    """An executor under which nothing builds."""

    async def run(self, job: Job, **_: Any) -> JobResult:
        return JobResult(validation=FormulationValidationFailed(error="no time"))
