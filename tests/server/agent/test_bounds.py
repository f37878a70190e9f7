"""Every bound has its sentence, which names the bound, its value and the setting."""

import pytest

from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai_server.agent.bounds import Limits, bound_hit, out_of_time
from decision_ai_server.agent.journal import Spent
from decision_ai_server.agent.ports import CallRecord, CallState


def records(*states: CallState) -> list[CallRecord]:
    call = ToolData(name="show_model", args={}, id="c")
    return [CallRecord(call=call, state=state, output="Not done: no such name") for state in states]


def test_nothing_is_said_below_the_bounds() -> None:
    calls = records(*["failed"] * 3, *["rejected"] * 2, *["done"] * 6)
    assert bound_hit(Limits(), calls, Spent(prompt_tokens=199_999, seconds=599.9)) is None


FAILED: list[CallState] = ["failed"] * 4
REJECTED: list[CallState] = ["rejected"] * 3
DONE: list[CallState] = ["done"] * 12
TOKENS = Spent(prompt_tokens=150_000, completion_tokens=60_000)


@pytest.mark.parametrize(
    ("calls", "spent", "sentence"),
    [
        (FAILED, Spent(), "in smaller steps. The last problem: no such name"),
        (REJECTED, Spent(), "You rejected 3 proposals for this sentence and nothing was changed. "),
        (DONE, Spent(), "12 steps without an answer; 12 is the limit (DECISION_AI_LLM_TURN_CALLS)"),
        ([], TOKENS, "used 210,000 tokens; 200,000 is the limit (DECISION_AI_LLM_TURN_TOKENS)"),
        ([], Spent(seconds=600.0), "than 600 seconds, which is the limit (DECISION_AI_LLM_TURN_SECONDS)"),
    ],
)
def test_a_bound_that_is_hit_is_named(calls: list[CallState], spent: Spent, sentence: str) -> None:
    said = bound_hit(Limits(), records(*calls), spent)
    assert said is not None
    assert sentence in said
    assert "nothing" in said.lower() or "could not" in said, "what became of the model"


@pytest.mark.parametrize("ended", [FAILED, REJECTED])
def test_what_was_changed_before_is_not_denied(ended: list[CallState]) -> None:
    said = bound_hit(Limits(), records("approved", *ended), Spent())

    assert said is not None
    assert "nothing more was changed. Please say it in other words" in said.replace("Nothing", "nothing")


def test_time_and_tokens_may_have_no_limit() -> None:
    limits = Limits(seconds=None, tokens=None)
    spent = Spent(prompt_tokens=10**9, seconds=1e9)
    assert bound_hit(limits, [], spent) is None
    assert limits.left(spent) is None


def test_the_time_that_is_left_is_never_negative() -> None:
    assert Limits(seconds=10.0).left(Spent(seconds=4.0)) == 6.0
    assert Limits(seconds=10.0).left(Spent(seconds=11.0)) == 0.0
    assert "longer than 0.5 seconds" in out_of_time(Limits(seconds=0.5))
