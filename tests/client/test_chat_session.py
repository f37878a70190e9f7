import asyncio
from typing import Any

import pytest

from decision_ai.client.chat_session import ChatSession
from decision_ai.client.request_handler import RequestHandler
from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai.client.solution import Solution
from decision_ai.errors import ConnectionFailed, DataError, StateConflict
from decision_ai.modeling.input_data import InputData
from decision_ai.solving.outcome import SolveProgress
from decision_ai.solving.parameters import SolveParameters


class KnapsackData(InputData):
    capacity: float


@pytest.fixture
def session(rest: Any) -> Any:
    rest.state["constraints"] = {"few": {"code": "x"}}
    rest.say(rest.state, ETag='"7"')
    requests = RequestHandler(rest.url, "k")
    yield ChatSession(requests, "s1")
    requests.close()


def written(rest: Any) -> list[Any]:
    return [(body, headers["If-Match"]) for method, _, body, headers in rest.asked if method == "PATCH"]


def test_a_changed_state_is_written_with_its_tag(session: ChatSession, rest: Any) -> None:
    with session.remote_state() as state:
        state.disable_constraint("few")
    ((body, tag),) = written(rest)
    assert tag == '"7"'
    assert body["constraints"]["few"]["enabled"] is False


def test_an_unchanged_state_is_not_written(session: ChatSession, rest: Any) -> None:
    with session.remote_state() as state:
        assert state.is_constraint_enabled("few")
    assert written(rest) == []


def test_a_block_that_raises_writes_nothing(session: ChatSession, rest: Any) -> None:
    def edit() -> None:
        with session.remote_state() as state:
            state.disable_constraint("few")
            state.disable_constraint("many")

    with pytest.raises(KeyError, match="no constraint 'many'"):
        edit()
    assert written(rest) == []


def test_what_is_no_state_is_not_written(session: ChatSession, rest: Any) -> None:
    with pytest.raises(ValueError, match="priority"), session.remote_state() as state:
        state.constraints["few"].priority = "Z"  # type: ignore[assignment]
    assert written(rest) == []


def test_a_lost_race_is_a_conflict(session: ChatSession, rest: Any) -> None:
    def edit() -> None:
        with session.remote_state() as state:
            state.disable_constraint("few")
            rest.say({"title": "it changed"}, 412)

    with pytest.raises(StateConflict, match="it changed"):
        edit()


def test_from_state_asks_nothing_of_the_server(rest: Any) -> None:
    state = ChatSessionState.model_validate(rest.state)
    requests = RequestHandler(rest.url, "k")
    for name in (None, "KnapsackData", KnapsackData, KnapsackData(capacity=1)):
        session = ChatSession.from_state(
            request_handler=requests, chat_session_state=state, opt_input_data_class_name=name
        )
        assert session.id == "s1"
    with pytest.raises(DataError, match="are of class 'KnapsackData', not 'Other'"):
        ChatSession.from_state(
            request_handler=requests, chat_session_state=state, opt_input_data_class_name="Other"
        )
    assert rest.asked == []
    requests.close()


async def test_solve_works_inside_a_running_loop(make_peer: Any, executor: Any) -> None:
    """The peer runs in this loop, so the blocking call is made beside it, in a loop of its own."""
    peer = await make_peer(lambda peer, message: None)
    requests = RequestHandler(peer.url, "k")
    session = ChatSession(requests, "session-1", open_executor=executor.opened)
    progress: list[SolveProgress] = []

    async def in_a_notebook() -> Solution:
        return session.solve(SolveParameters(time_limit=3), progress.append)

    solution = await asyncio.to_thread(asyncio.run, in_a_notebook())
    assert solution
    assert solution.objective_value == len("# head")
    assert progress
    (job,) = executor.jobs
    assert (job.source, job.json_data, job.parameters.time_limit) == ("# head", '{"limit": 4}', 3)
    assert await session.asolve() == solution
    requests.close()


def test_solve_says_at_once_that_the_server_is_away() -> None:
    with pytest.raises(ConnectionFailed, match="cannot be reached"):
        ChatSession(RequestHandler("http://127.0.0.1:9", None), "s").solve()
