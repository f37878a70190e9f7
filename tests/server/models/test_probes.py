import pytest

from decision_ai_server.model_client.replies import RawCall, RawReply
from decision_ai_server.models.probes import JSON_SCHEMA, NATIVE_CALL, PLAIN, REQUIRED_CALL, Probe


def said(content: str, *calls: tuple[str, str], finish: str = "stop") -> RawReply:
    made = tuple(RawCall(id="c", name=name, arguments=arguments) for name, arguments in calls)
    return RawReply(content=content, calls=made, finish_reason=finish)


@pytest.mark.parametrize(
    ("probe", "reply", "works", "detail"),
    [
        (PLAIN, said("ready\n"), True, "said 'ready'"),
        (PLAIN, said(""), False, "no text"),
        (PLAIN, said("", finish="length"), True, "no text within the tokens of this probe"),
        (PLAIN, said("x" * 100), True, "x…"),
        (PLAIN, said("\x1b[31mred"), True, "said '[31mred'"),
        (NATIVE_CALL, said("", ("note", '{"word": "ready"}')), True, 'called note({"word": "ready"})'),
        (NATIVE_CALL, said("", ("other", "{}")), False, "called other({})"),
        (NATIVE_CALL, said("", ("note", "[")), False, "called note([)"),
        (NATIVE_CALL, said('{"name": "note", "arguments": {"word": "ready"}}'), False, "came as text"),
        (NATIVE_CALL, said("I note: ready"), False, "no call; it said 'I note: ready'"),
        (REQUIRED_CALL, said("", ("note", "{}")), True, "enforced"),
        (REQUIRED_CALL, said("Hello!"), False, "accepted, not enforced"),
        (JSON_SCHEMA, said('{"word": "ready", "count": 5}'), True, '"count": 5'),
        (JSON_SCHEMA, said('{"word": "ready", "count": "5"}'), False, "not enforced: "),
        (JSON_SCHEMA, said('{"word": "ready", "count": true}'), False, "not enforced: "),
        (JSON_SCHEMA, said('{"word": "ready", "count": 5, "more": 1}'), False, "not enforced: "),
        (JSON_SCHEMA, said('```json\n{"word": "ready", "count": 5}\n```'), False, "not enforced: "),
        (JSON_SCHEMA, said("ready"), False, "not enforced: ready"),
    ],
)
def test_a_reply_is_judged(probe: Probe, reply: RawReply, works: bool, detail: str) -> None:
    verdict = probe.judge(reply)
    assert verdict.works is works
    assert detail in verdict.detail
    assert verdict.detail.isprintable()
