"""Checks that a person keeps: what they may say, what they answer, and that they leave the model alone."""

import numpy as np
import pytest
from building_models import built

from decision_ai.solving.building import BuiltModel
from decision_ai.solving.check_code import may_change_data, method_node
from decision_ai.solving.findings import CheckResult, PlanCheck
from decision_ai.solving.plan_checks import check_plan

pytestmark = pytest.mark.core

VALUES = np.array([3.0, 1.0])


def result(body: str, model: BuiltModel | None = None) -> CheckResult:
    code = "def check(self, d, v):\n    " + body.replace("\n", "\n    ") + "\n"
    check = PlanCheck(name="check", sentence="A sentence.", code=code)
    (told,) = check_plan(model or built(), VALUES, [check], {})
    assert (told.name, told.sentence) == ("check", "A sentence.")
    return told


@pytest.mark.parametrize(
    "body",
    [
        "return v.x['a'] <= 3",
        "return v.x['a'] + 1e-7 <= 3",
        "return v.x['a'] == 3 * v.x['b']",
        "return v.x['a'].value() <= 3",
        "return all(v.x[i].value() >= 1 for i in d.names)",
        "for i in d.names:\n    yield i, v.x[i] >= 1",
        "return {i: v.x[i] >= 1 for i in d.names}",
        "return []",
        "assert v.x['a'].value() == 3",
        "assert v.x['a'] + v.x['b'] <= 4",
        "assert 3 <= v.x['a'] <= 4",
        "return 3 <= v.x['a'] <= 4",
        "return d.size <= 2",
        "return pulp.value(pulp.lpSum(v.x.values())) == 4",
        "if v.x['a'].value() > 5:\n    yield 'a', v.x['b'] >= 2",
    ],
)
def test_it_holds(body: str) -> None:
    assert (result(body).holds, result(body).message) == (True, "")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return v.x['a'] <= 1", "3 must be at most 1: it is missed by 2"),
        ("return v.x['b'] >= 1.5", "1 must be at least 1.5: it is missed by 0.5"),
        ("return v.x['a'] == v.x['b']", "2 must be exactly 0: it is missed by 2"),
        ("return 4 <= v.x['a'] <= 5", "3 must be at least 4: it is missed by 1"),
        (
            "for i in d.names:\n    yield i, v.x[i] <= 0.5",
            "at [a] 3 must be at most 0.5: it is missed by 2.5 (and 1 more like it)",
        ),
        ("for i in d.names:\n    yield i, v.x[i].value() > 2", "at [b] it is false"),
        ("return v.x['a'].value() < 3", "it is false"),
        ("assert v.x['a'].value() < 3, f'too many: {v.x[\"a\"].value():g}'", "too many: 3"),
        ("assert v.x['a'] <= 2", "this does not hold at `assert v.x['a'] <= 2`"),
        ("assert 4 <= v.x['a'] <= 5", "this does not hold at `assert 4 <= v.x['a'] <= 5`"),
    ],
)
def test_it_does_not_hold(body: str, message: str) -> None:
    assert (result(body).holds, result(body).message) == (False, message)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return v.y <= 1", "V has no 'y' at `return v.y <= 1`"),
        ("return v.x['aa'] <= 1", "did you mean 'a'?"),
        ("return 1 / 0", "ZeroDivisionError"),
        ("raise SystemExit", "SystemExit"),
        ("raise ValueError('a\\ud800')", "a?"),
        ("return v.x['a'] * v.x['b'] <= 1", "not linear"),
        ("return v.x['a'] < 3", "< and > are no comparisons"),
        ("return v.x['a'] <= None", "None stands where a number must be"),
        ("if v.x['a']:\n    return True", "x.value()"),
        ("return v.x['a']", "without a comparison"),
        ("return 7", "a comparison"),
        ("return None", "returned nothing"),
        ("pass", "returned nothing"),
        ("yield v.x['a'] <= 1", "(index, comparison) pairs"),
        ("yield d, v.x['a'] <= 1", "cannot label"),
        ("while True\n    pass", "not Python"),
    ],
)
def test_it_cannot_be_told(body: str, message: str) -> None:
    told = result(body)
    assert told.holds is None
    assert message in told.message


def test_the_model_is_left_alone() -> None:
    model = built()
    result("for i in d.names:\n    yield i, v.x[i] <= 0", model)

    assert model.problem.linear_model().rows == model.linear.rows == 1
    assert model.problem.columns == 2


def test_names_of_one_check_are_not_those_of_the_next() -> None:
    model = built()
    assert result("global D\nD = None\nreturn True", model).holds
    assert result("return D is not None", model).holds


def test_an_endless_check_ends_and_the_next_one_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("decision_ai.solving.plan_checks.CHECK_SECONDS", 0.1)
    endless = "def endless(self, d, v):\n    while True:\n        try:\n            sum(range(999))\n"
    endless += "        except Exception:\n            pass\n"
    codes = [endless, "def next(self, d, v):\n    return v.x['a'] <= 3\n"]
    checks = [PlanCheck(name=code[4:8], sentence="", code=code) for code in codes]

    first, second = check_plan(built(), VALUES, checks, {})

    assert (first.holds, first.message) == (None, "the check takes more than 0.1 s")
    assert second.holds


def test_a_barred_check_is_not_run() -> None:
    check = PlanCheck(name="n", sentence="s", code="def n(self, d, v):\n    raise SystemExit\n")
    (told,) = check_plan(built(), VALUES, [check], {check.code: "it is not allowed"})
    assert (told.holds, told.message) == (None, "it is not allowed")


@pytest.mark.parametrize(
    "change",
    [
        "d.worth['a'] = 99",
        "d.names.append('z')",
        "push = d.names.append\npush('z')",
        "names = d.names\nnames += ['z']",
        "del d.worth['a']",
        "d.worth.update(a=99)",
        "for d.worth['a'] in (1, 2):\n    pass",
        "v.x.clear()",
        "v.x['a'] = v.x['b']",
    ],
)
def test_it_changes_nothing(change: str) -> None:
    """Neither the next check nor the plan's own words see what a check does to what it is given."""
    model = built()
    before = (model.data.model_dump(), dict(vars(model.variables)), list(model.variables.x))

    assert result(f"{change}\nreturn True", model).holds is True
    assert (model.data.model_dump(), dict(vars(model.variables)), list(model.variables.x)) == before
    assert model.solution_to_str(VALUES) == "a=3 b=1"


@pytest.mark.parametrize(
    "change", ["self.solution_to_str = 1", "M.rule = 1", "v.x = {}", "v.x['a'].varValue = 7", "del v.x"]
)
def test_it_sets_no_attributes(change: str) -> None:
    told = result(f"{change}\nreturn True")
    assert (told.holds, "changes nothing" in told.message) == (None, True)


def test_data_are_copied_for_a_check_that_may_change_them_only() -> None:
    for body in (
        "return len(d.names) == 2",
        "return d.worth.get('a') == 2",
        "return sorted(d.names) == d.names",
    ):
        assert not may_change_data(method_node(f"def c(self, d, v):\n    {body}"))
