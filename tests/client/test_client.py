import asyncio
from pathlib import Path
from typing import Any

import pytest

import decision_ai.examples.knapsack
from decision_ai import Approve, DecisionAI, Proposal
from decision_ai.client.chat_session import ChatSession

EXAMPLE = Path(decision_ai.examples.knapsack.__file__).parent


@pytest.fixture
def client(rest: Any) -> Any:
    with DecisionAI(rest.url, "k") as client:
        yield client


def test_a_session_is_made_of_what_is_stored_and_what_is_not(client: DecisionAI, rest: Any) -> None:
    rest.say(rest.state)
    session = client.create_chat_session("model-id", {"capacity": 5}, reasoning_enabled=True)
    assert session.id == "s1"
    assert [(path, body) for _, path, body, _ in rest.asked] == [
        ("/v1/opt_input_data", {"json_data": '{"capacity":5}'}),
        (
            "/v1/chat_sessions",
            {"opt_model_id": "model-id", "opt_input_data_id": "s1", "reasoning_enabled": True},
        ),
    ]


def test_an_id_is_given_back_and_text_is_stored(client: DecisionAI, rest: Any) -> None:
    assert client.create_opt_model("model-id") == "model-id"
    assert rest.asked == []
    rest.say({"id": "new"})
    assert client.create_opt_model("# a model\n", "mine") == "new"


def test_pages_are_fetched_as_they_are_needed(client: DecisionAI, rest: Any) -> None:
    rest.say({"items": [rest.state, rest.state], "next": "s1"})
    sessions = client.list_chat_sessions()
    assert rest.asked == []
    assert next(sessions).id == "s1"
    next(sessions)
    assert len(rest.asked) == 1
    rest.say({"items": [], "next": None})
    assert list(sessions) == []
    assert len(rest.asked) == 2


def test_the_environment_names_the_server(rest: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DECISION_AI_URL", rest.url)
    monkeypatch.setenv("DECISION_AI_API_KEY", "from the environment")
    rest.say(rest.state)
    with DecisionAI() as client:
        assert client.continue_chat_session("s1").id == "s1"
        client.delete_chat_session("s1")
    assert [method for method, _, _, _ in rest.asked] == ["GET", "DELETE"]
    assert rest.asked[0][3]["Authorization"] == "Bearer from the environment"


async def chat(session: ChatSession, *prompts: str) -> tuple[list[Any], float | None]:
    """What was asked, and the objective of the newest solve."""
    asked: list[Any] = []

    def approve(proposal: Proposal) -> Approve:
        asked.append(proposal)
        return Approve()

    async with session.connect(approve=approve) as connection:
        for prompt in prompts:
            async for message in connection.stream_messages(prompt):
                assert message.kind not in {"error", "critical_error"}, message
        solution = connection.current_solution
        return asked, solution.objective_value if solution else None


@pytest.mark.e2e
@pytest.mark.timeout(120)
def test_without_an_address_everything_runs_on_a_private_server() -> None:
    with DecisionAI() as client:
        session = client.create_chat_session(EXAMPLE / "model.py", EXAMPLE / "data.json")
        base = session.solve().objective_value
        asked, fewer = asyncio.run(chat(session, "at most 4 items", "solve"))
        (proposal,) = asked
        assert base is not None
        assert fewer is not None
        assert fewer < base
        assert proposal.preview_result.before.objective == base
        assert proposal.preview_result.after.objective == fewer
        session.undo()
        assert session.solve().objective_value == base
        with DecisionAI() as other:
            assert other.request_handler.base_url == client.request_handler.base_url
            assert len(other.continue_chat_session(session.id).messages()) == len(session.messages())


@pytest.mark.e2e
def test_a_server_of_other_settings_is_told_as_a_warning_or_to_who_asks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []
    with DecisionAI(on_notice=told.append):
        assert told == []
        monkeypatch.setenv("DECISION_AI_LLM_MODEL", "another")
        with pytest.warns(UserWarning, match="other values of DECISION_AI_LLM_MODEL") as caught:
            DecisionAI().close()
        assert caught[0].filename == __file__
        DecisionAI(on_notice=told.append).close()
    assert told == [str(caught[0].message)]
