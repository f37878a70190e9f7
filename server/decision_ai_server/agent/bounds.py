"""How much a prompt may use up, and what the person is told when it has."""

from collections.abc import Sequence
from dataclasses import dataclass

from decision_ai_server.agent.history import FAILED
from decision_ai_server.agent.journal import Spent
from decision_ai_server.agent.ports import CallRecord

_NOTHING_MORE = "Nothing more was changed."


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one prompt may use up; a prompt over an open question starts anew.

    Attributes:
        calls: tool calls.
        repairs: failed calls that may be tried again.
        proposals: proposals that the person rejects.
        seconds: wall time of deciding and of tools, None without limit; waiting for people and their solves
            does not count.
        tokens: tokens read and written, lost attempts included, None without limit; one decision may go over
            it.
    """

    calls: int = 12
    repairs: int = 3
    proposals: int = 3
    seconds: float | None = 600.0
    tokens: int | None = 200_000

    def left(self, spent: Spent) -> float | None:
        """Seconds that are left; None without limit."""
        return None if self.seconds is None else max(0.0, self.seconds - spent.seconds)


def bound_hit(limits: Limits, calls: Sequence[CallRecord], spent: Spent) -> str | None:
    """What to tell the person when a prompt has used up what it may; None while it has not.

    Args:
        limits: what it may.
        calls: the tool calls since the prompt.
        spent: what the decisions and tools since the prompt have cost.
    """
    failed = [record for record in calls if record.state == "failed"]
    rejected = [record for record in calls if record.state == "rejected"]
    more = "more " if any(record.state in {"approved", "done"} for record in calls) else ""
    if len(failed) > limits.repairs:
        why = (failed[-1].output or "").removeprefix(FAILED)
        return (
            f"I tried {len(failed)} times and could not make this work. Nothing {more}was changed. "
            f"Please say it in other words or in smaller steps. The last problem: {why}"
        )
    if len(rejected) >= limits.proposals:
        return (
            f"You rejected {len(rejected)} proposals for this sentence and nothing {more}was changed. "
            "Please say it in other words."
        )
    if len(calls) >= limits.calls:
        return (
            f"I stopped after {len(calls)} steps without an answer; {limits.calls} is the limit "
            f"(DECISION_AI_LLM_TURN_CALLS). {_NOTHING_MORE} Please ask for less at once."
        )
    if limits.tokens is not None and spent.tokens >= limits.tokens:
        return (
            f"I stopped because this used {spent.tokens:,} tokens; {limits.tokens:,} is the limit "
            f"(DECISION_AI_LLM_TURN_TOKENS). {_NOTHING_MORE} Please ask for less at once."
        )
    return out_of_time(limits) if limits.left(spent) == 0 else None


def out_of_time(limits: Limits) -> str:
    """What to tell the person when the time is used up."""
    assert limits.seconds is not None
    return (
        f"I stopped because this took longer than {limits.seconds:g} seconds, which is the limit "
        f"(DECISION_AI_LLM_TURN_SECONDS). {_NOTHING_MORE} Please try again, or ask for less at once."
    )
