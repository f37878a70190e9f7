"""Metrics count what is stored, need the key, and take no label from what people or models write."""

from typing import Any

import httpx
import pytest
from hypothesis import given, strategies as st
from sockets import BEARER, Chat, kinds

from decision_ai.client.schemas.chat_messages.protocol import SolveResponse
from decision_ai.client.schemas.chat_messages.solving import SolveFailed, SolveSucceeded
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai_server.agent.journal import Note, result_note
from decision_ai_server.agent.ports import CallRecord, CallState
from decision_ai_server.web.metrics import Metrics


def lines(metrics: Metrics) -> dict[str, float]:
    text = metrics.text(sessions=0, connections=0).decode()
    found = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in found if "_created" not in name}


def decided(**payload: Any) -> Note:
    usage = {"prompt_tokens": 10, "completion_tokens": 2}
    return Note("decision", {"usage": usage, "seconds": 0.3, "cost": 0.5} | payload)


def record(name: str, state: CallState = "done", solving: Any = None) -> CallRecord:
    call = ToolData(name=name, args={}, id="c1")
    answer = SolveResponse(
        rejected=False, validation=ValidationSucceeded(), solving=solving, tool_origin=call
    )
    return CallRecord(call=call, state=state, output="", answers=() if solving is None else (answer,))


def test_decisions_are_counted_with_their_cost() -> None:
    metrics = Metrics(["solve"])
    metrics.noted(decided(action={"type": "tool_call", "name": "solve"}))
    metrics.noted(decided(action={"type": "final_answer"}, cost=None))
    metrics.noted(Note("loss", {"error": "gone", "usage": None, "seconds": 9.0}))
    metrics.noted(Note("request", {"body": {}}))
    metrics.noted(result_note("c1", {"objective": 1.0}))

    found = lines(metrics)
    assert found['decision_ai_decisions_total{outcome="tool_call"}'] == 1
    assert found['decision_ai_decisions_total{outcome="final_answer"}'] == 1
    assert found['decision_ai_decisions_total{outcome="lost"}'] == 1
    assert found['decision_ai_tokens_total{direction="prompt"}'] == 20
    assert found['decision_ai_tokens_total{direction="completion"}'] == 4
    assert found["decision_ai_money_total"] == 0.5
    assert found["decision_ai_decision_seconds_count"] == 3
    assert found['decision_ai_decision_seconds_bucket{le="0.5"}'] == 2


def test_calls_and_solves_are_counted_by_how_they_ended() -> None:
    metrics = Metrics(["solve", "show_model"])
    metrics.called(record("show_model"))
    solved = SolveSucceeded(solution_str="", solution_status="optimal")
    metrics.called(record("solve", "solved", solved))
    metrics.called(record("solve", "solved", SolveFailed(status="infeasible")))
    metrics.called(record("solve", "cancelled"))

    found = lines(metrics)
    assert found['decision_ai_tool_calls_total{end="done",tool="show_model"}'] == 1
    assert found['decision_ai_tool_calls_total{end="solved",tool="solve"}'] == 2
    assert found['decision_ai_tool_calls_total{end="cancelled",tool="solve"}'] == 1
    assert found['decision_ai_solves_total{outcome="optimal"}'] == 1
    assert found['decision_ai_solves_total{outcome="infeasible"}'] == 1


def test_two_servers_of_one_process_count_apart() -> None:
    one, other = Metrics([]), Metrics([])
    one.noted(decided())
    assert "decision_ai_decisions_total" in str(lines(one))
    assert "decision_ai_decisions_total" not in str(lines(other))


@given(st.text(), st.text(), st.one_of(st.none(), st.text(), st.dictionaries(st.text(), st.text())))
def test_no_text_of_others_becomes_a_label(name: str, status: str, action: Any) -> None:
    metrics = Metrics(["solve"])
    metrics.called(
        record(f"x{name}", "solved", SolveSucceeded(solution_str="", solution_status=f"x{status}"))
    )
    metrics.noted(decided(action=action))
    found = lines(metrics)
    assert found['decision_ai_tool_calls_total{end="solved",tool="other"}'] == 1
    assert found['decision_ai_solves_total{outcome="other"}'] == 1
    assert found['decision_ai_decisions_total{outcome="other"}'] == 1


async def test_metrics_need_the_key_and_are_text(client: httpx.AsyncClient) -> None:
    assert (await client.get("/metrics", headers={"Authorization": ""})).status_code == 401
    response = await client.get("/metrics")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=")
    assert "decision_ai_sessions 0.0" in response.text.splitlines()


async def test_a_turn_of_a_running_server_is_counted(chat: Chat) -> None:
    async with (
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{chat.port}", headers=BEARER) as client,
        chat.open() as socket,
    ):
        await kinds(socket, "ask_for_prompt")
        await socket.send(chat.prompt("hi"))
        await kinds(socket, "ask_for_prompt")
        found = (await client.get("/metrics")).text.splitlines()
    assert "decision_ai_sessions 1.0" in found
    assert "decision_ai_connections 1.0" in found
    assert 'decision_ai_decisions_total{outcome="final_answer"} 1.0' in found


@pytest.mark.parametrize("path", ["/metrics", "/v1/chat_sessions/{chat_session_id}/journal"])
async def test_the_routes_are_in_the_description(client: httpx.AsyncClient, path: str) -> None:
    assert path in (await client.get("/openapi.json")).json()["paths"]
