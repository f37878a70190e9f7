import pytest

from decision_ai.errors import LimitExceeded
from decision_ai.solving.findings import PlanCheck
from decision_ai_server.agent.kept_checks import MOST_CHECKS, UnknownCheck, with_check, without_check


def check(name: str, sentence: str = "") -> PlanCheck:
    return PlanCheck(name=name, sentence=sentence, code="def c(self, data, v): return True")


def test_a_check_is_added_at_the_end_and_replaced_in_its_place() -> None:
    checks = with_check(with_check((), check("a")), check("b"))
    assert with_check(checks, check("a", "new")) == (check("a", "new"), check("b"))
    assert without_check(checks, "a") == (check("b"),)


def test_there_are_not_too_many() -> None:
    checks = tuple(check(f"c{n}") for n in range(MOST_CHECKS))
    assert len(with_check(checks, check("c1", "new"))) == MOST_CHECKS
    with pytest.raises(LimitExceeded, match="number of checks is 101, the limit is 100"):
        with_check(checks, check("more"))


def test_an_unknown_name_is_said_with_the_nearest() -> None:
    with pytest.raises(UnknownCheck, match="kept are: few; did you mean 'few'"):
        without_check((check("few"),), "fwe")
    with pytest.raises(UnknownCheck, match="no check 'few' is kept; none is"):
        without_check((), "few")
