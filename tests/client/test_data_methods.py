"""Other data for a session, over a real private server."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from decision_ai.client.approval import ApprovalDecision, Approve, Proposal, Reject
from decision_ai.client.chat_session import ChatSession
from decision_ai.client.client import DecisionAI
from decision_ai.client.data_methods import incompatible_sentence
from decision_ai.client.schemas.chat_messages.changes import OptInputDataDiff
from decision_ai.errors import DataError, DecisionAIError, StateConflict
from decision_ai.examples import example
from decision_ai.solving.findings import IncompatiblePart

pytestmark = pytest.mark.timeout(120)

MODEL, DATA = example("diet")


def data(**changes: Any) -> dict[str, Any]:
    return {**json.loads(DATA), **changes}


def without_rice() -> dict[str, Any]:
    """Data whose content table lacks a food: the nutrient constraints do not build on them."""
    content = data()["content"]
    del content["Rice"]
    return data(content=content)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DecisionAI]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DECISION_AI_STATE_DIR", str(tmp_path_factory.mktemp("state")))
        with DecisionAI() as client:
            yield client


@pytest.fixture
def session(client: DecisionAI) -> ChatSession:
    return client.create_chat_session(MODEL, DATA)


class Asked:
    """An approver that keeps what it was asked."""

    def __init__(self, decision: ApprovalDecision) -> None:
        self.decision = decision
        self.proposals: list[Proposal] = []

    def __call__(self, proposal: Proposal) -> ApprovalDecision:
        self.proposals.append(proposal)
        return self.decision


def cheaper_oats() -> pd.DataFrame:
    foods = pd.DataFrame(data()["foods"]).T
    foods.loc["Oats", "price"] = 0.1
    return foods


def test_new_data_are_shown_and_taken_on_approval(session: ChatSession) -> None:
    before = session.state()
    asked = Asked(Approve())
    state = session.set_input_data(data(foods=cheaper_oats()), asked)
    (proposal,) = asked.proposals
    assert isinstance(proposal.change, OptInputDataDiff)
    assert proposal.preview_result is not None
    assert proposal.preview_result.after is not None
    assert proposal.card.incompatible == ()
    assert state.opt_input_data_id != before.opt_input_data_id
    assert session.state().opt_input_data_id == state.opt_input_data_id
    assert session.solve().objective_value == pytest.approx(proposal.preview_result.after.objective)


def test_rejected_data_change_nothing(session: ChatSession) -> None:
    before = session.state()
    assert session.set_input_data(data(foods=cheaper_oats()), Asked(Reject("no"))) == before
    assert session.state() == before


def test_the_same_data_are_not_asked_about(session: ChatSession) -> None:
    asked = Asked(Approve())
    assert session.set_input_data(data(), asked) == session.state()
    assert asked.proposals == []


def test_parts_that_do_not_build_are_shown_and_marked(session: ChatSession) -> None:
    asked = Asked(Approve())
    state = session.set_input_data(without_rice(), asked)
    shown = {part.id for part in asked.proposals[0].card.incompatible}
    assert shown == {"nutrient_min", "nutrient_max"}
    assert {id for id, part in state.constraints.items() if part.incompatible} == shown
    back = session.set_input_data(data(), asked)
    assert asked.proposals[1].card.incompatible == ()
    assert not any(part.incompatible for part in back.constraints.values())


def test_a_script_must_say_who_decides(session: ChatSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(DecisionAIError, match="pass approve= to say who decides"):
        session.set_input_data(data(foods=cheaper_oats()))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"foods": {}}, "do not fit DietData"),
        ("data-0123456789abcdef", "is no data"),
        ({"foods": [{"food": "Oats", "price": "x", "max_portions": 1}]}, "'x' is not a number"),
    ],
)
def test_data_that_do_not_fit_are_told_before_anybody_is_asked(
    session: ChatSession, given: Any, words: str
) -> None:
    asked = Asked(Approve())
    with pytest.raises(DataError, match=words):
        session.set_input_data(given, asked)
    assert asked.proposals == []


def test_a_session_that_changed_in_between_is_a_conflict(session: ChatSession) -> None:
    def slow(proposal: Proposal) -> ApprovalDecision:
        with session.remote_state() as state:
            state.disable_constraint("total_portions")
        return Approve()

    before = session.state().opt_input_data_id
    with pytest.raises(StateConflict):
        session.set_input_data(data(foods=cheaper_oats()), slow)
    assert session.state().opt_input_data_id == before


@pytest.mark.parametrize("answer", ["yes", Approve(changes=OptInputDataDiff())])
def test_an_answer_that_is_none_is_refused(session: ChatSession, answer: Any) -> None:
    with pytest.raises((TypeError, DataError)):
        session.set_input_data(data(foods=cheaper_oats()), lambda proposal: answer)


async def test_coroutines_ask_and_are_asked(session: ChatSession) -> None:
    async def approve(proposal: Proposal) -> ApprovalDecision:
        await proposal.preview()
        return Approve()

    before = session.state().opt_input_data_id
    state = await session.aset_input_data(data(foods=cheaper_oats()), approve)
    assert state.opt_input_data_id != before
    same = await session.aset_input_data(data(foods=cheaper_oats()), approve)
    assert (same.opt_input_data_id, len(session.history())) == (state.opt_input_data_id, 2)
    again = await session.aset_input_data(data(), Asked(Approve()))
    assert again.opt_input_data_id == before
    assert session.set_input_data(data(foods=cheaper_oats()), approve).opt_input_data_id != before


def test_a_version_runs_on_other_data_and_the_session_stays(
    session: ChatSession, tmp_path: Path, solved: Callable[[ChatSession], float]
) -> None:
    base = solved(session)
    with session.remote_state() as state:
        state.disable_constraint("total_portions")
    before = session.state().model_dump(exclude={"updated_at"})
    dearer = data(
        foods={name: {**food, "price": 2 * food["price"]} for name, food in data()["foods"].items()}
    )
    path = tmp_path / "dearer.json"
    path.write_text(json.dumps(dearer))
    assert session.run(path, version=0).objective_value == pytest.approx(2 * base)
    assert session.run(path).objective_value == pytest.approx(2 * solved(session))
    assert session.state().model_dump(exclude={"updated_at"}) == before


@pytest.fixture
def solved() -> Callable[[ChatSession], float]:
    return lambda session: session.solve().objective_value or 0.0


def test_parts_that_do_not_build_stop_a_run_unless_allowed(session: ChatSession) -> None:
    with pytest.raises(DataError, match="2 parts do not build on these data"):
        session.run(without_rice())
    solution = session.run(without_rice(), allow_incompatible=True)
    assert solution.objective_value == pytest.approx(0)


def test_one_part_is_told_in_the_singular() -> None:
    part = IncompatiblePart(kind="constraint", id="few", reason="no 'Tent'")
    assert incompatible_sentence([part]) == "1 part does not build on these data (constraint few: no 'Tent')"
