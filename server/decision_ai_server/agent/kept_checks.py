"""The named checks a person keeps: one more, one less."""

from difflib import get_close_matches

from decision_ai.errors import DecisionAIError, LimitExceeded
from decision_ai.solving.findings import PlanCheck

MOST_CHECKS = 100


class UnknownCheck(DecisionAIError):
    """There is no check of that name."""

    def __init__(self, name: str, known: list[str]) -> None:
        self.name, self.known = name, known
        nearest = get_close_matches(name, known, n=1)
        meant = f"; did you mean {nearest[0]!r}?" if nearest else ""
        kept = f"kept are: {', '.join(known)}{meant}" if known else "none is"
        super().__init__(f"no check {name!r:.80} is kept; {kept}")


def with_check(checks: tuple[PlanCheck, ...], check: PlanCheck) -> tuple[PlanCheck, ...]:
    """The checks with one more, or with the one of its name replaced.

    Raises:
        LimitExceeded: if they become too many.
    """
    if any(kept.name == check.name for kept in checks):
        return tuple(check if kept.name == check.name else kept for kept in checks)
    if len(checks) >= MOST_CHECKS:
        raise LimitExceeded("number of checks", MOST_CHECKS, len(checks) + 1)
    return (*checks, check)


def without_check(checks: tuple[PlanCheck, ...], name: str) -> tuple[PlanCheck, ...]:
    """The checks without one.

    Raises:
        UnknownCheck: if there is none of that name.
    """
    known = [kept.name for kept in checks]
    if name not in known:
        raise UnknownCheck(name, known)
    return tuple(kept for kept in checks if kept.name != name)
