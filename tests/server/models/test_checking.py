from collections.abc import Callable
from typing import Any

import pytest

from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.models.checking import Report, Step, check, patience_advice, protocol_advice
from decision_ai_server.models.endpoint import Endpoint
from decision_ai_server.models.trial import Trial
from decision_ai_server.settings import LlmSettings
from decision_ai_server.testing import Peer, Reply, Script, scripted_process

READY = Reply.text("ready")
JSON = Reply.text('{"word": "ready", "count": 5}')
CALL = Reply.tool_call("note", {"word": "ready"})
ABLE = (READY, READY, CALL, CALL, JSON, JSON)
WORKS = {
    "streamed reply": True,
    "native tool call": True,
    "tool_choice required": True,
    "json_schema": True,
    "json_object with schema": True,
}


def checked(
    *replies: Reply,
    peer: Peer = Peer(models=("m",)),  # noqa: B008
    attempt: Callable[[LlmSettings], Trial] = lambda llm: Trial(works=True, detail="good", longest=1.0),
    **settings: Any,
) -> tuple[Report, list[Step]]:
    told: list[Step] = []
    with scripted_process(Script(replies=replies, peer=peer)) as server:
        llm = LlmSettings(base_url=server.base_url, model="m", **settings)
        with Endpoint(llm.harness_config()) as endpoint:
            report = check(llm, endpoint, attempt, told.append)
    assert told == list(report.steps)
    return report, told


def test_an_endpoint_that_can_do_everything_needs_no_other_settings() -> None:
    report, steps = checked(*ABLE)
    assert report.usable
    assert report.advice == {}
    assert [step.name for step in steps if not step.works] == []
    assert [step.name for step in steps] == [
        "reachable",
        "plain reply",
        "streamed reply",
        "native tool call",
        "tool_choice required",
        "json_schema",
        "json_object with schema",
        "usage reported",
        "trial edit",
    ]


def test_a_model_without_tools_gets_the_settings_it_needs_and_is_tried_with_them() -> None:
    seen: list[LlmSettings] = []

    def attempt(llm: LlmSettings) -> Trial:
        seen.append(llm)
        return Trial(works=llm.tools == "small", detail="as it is", longest=50.0)

    peer = Peer(models=("m",), refuses=frozenset({"tools", "json_schema"}))
    report, _ = checked(READY, READY, JSON, peer=peer, attempt=attempt)
    assert report.usable
    assert report.advice == {
        "native_tool_calls": False,
        "structured_output": "json_object",
        "tools": "small",
        "request_idle_timeout_seconds": 150.0,
    }
    assert [(llm.native_tool_calls, llm.tools) for llm in seen] == [(False, "full"), (False, "small")]
    assert {llm.request_idle_timeout_seconds for llm in seen} == {300.0}


def test_where_no_edit_succeeds_it_is_not_usable() -> None:
    report, steps = checked(*ABLE, attempt=lambda llm: Trial(works=False, detail="wrong"))
    assert not report.usable
    assert "tools" not in report.advice
    assert [step.name for step in steps if not step.works] == ["trial edit", "trial edit with few tools"]


def test_where_there_is_no_reply_nothing_more_is_tried() -> None:
    report, steps = checked(Reply.error(401, "no"), peer=Peer(models=("other",)))
    assert not report.usable
    assert [(step.name, step.works) for step in steps] == [("reachable", False), ("plain reply", False)]
    assert steps[0].detail == "'m' is not one of its models: 'other'"
    assert steps[1].detail == "HTTP 401: no"


def test_usage_that_is_not_reported_is_told() -> None:
    silent = [reply.model_copy(update={"usage": None}) for reply in ABLE[:2]]
    _, steps = checked(*silent, *ABLE[2:])
    usage = next(step for step in steps if step.name == "usage reported")
    assert (usage.works, usage.detail) == (False, "never; tokens and money cannot be counted")


@pytest.mark.parametrize(
    ("broken", "settings", "advice"),
    [
        ((), {}, {}),
        (("json_schema",), {}, {}),
        (("streamed reply",), {}, {"stream_model_calls": False}),
        (("streamed reply",), {"stream_model_calls": False}, {}),
        (("tool_choice required",), {}, {"tool_choice": "auto"}),
        (("tool_choice required",), {"tool_choice": "auto"}, {}),
        (("native tool call",), {}, {"native_tool_calls": False}),
        (("native tool call",), {"native_tool_calls": False}, {}),
        (
            ("native tool call", "json_schema"),
            {},
            {"native_tool_calls": False, "structured_output": "json_object"},
        ),
        (
            ("json_schema", "json_object with schema"),
            {"native_tool_calls": False},
            {"structured_output": "none"},
        ),
        (("json_schema",), {"native_tool_calls": False, "structured_output": "json_object"}, {}),
        (
            ("json_object with schema",),
            {"native_tool_calls": False, "structured_output": "json_object"},
            {"structured_output": "json_schema"},
        ),
        (
            ("json_schema", "json_object with schema"),
            {"native_tool_calls": False, "structured_output": "none"},
            {},
        ),
    ],
)
def test_only_what_would_help_is_advised(
    broken: tuple[str, ...], settings: dict[str, Any], advice: dict[str, Any]
) -> None:
    works = {**WORKS, **dict.fromkeys(broken, False)}
    assert protocol_advice(HarnessConfig(**settings), works) == advice


def test_patience_is_advised_where_it_is_needed() -> None:
    def llm(**settings: Any) -> LlmSettings:
        return LlmSettings(base_url="http://127.0.0.1/v1", model="m", **settings)

    assert patience_advice(llm(), 15.0) == {}
    assert patience_advice(llm(), 15.1) == {"request_idle_timeout_seconds": 60.0}
    assert patience_advice(llm(stream_model_calls=False), 100.0) == {}
    assert patience_advice(llm(stream_model_calls=False), 150.0) == {"request_timeout_seconds": 450.0}
