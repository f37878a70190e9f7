"""What a constraint says when it cannot be rows: part, line, what was expected, what would help."""

import pytest
from building_models import RULE, built, failure

pytestmark = pytest.mark.core

LINE = 20


@pytest.mark.parametrize(
    ("body", "error_type", "message", "hint"),
    [
        ("return v.y['a'] <= 1", "unknown_name", "V has no 'y'", None),
        ("return v.x['a'] <= d.sise", "unknown_name", "D has no 'sise'", "did you mean 'size'?"),
        ("return v.x['a'] <= siz", "unknown_name", "there is no name 'siz'", "rule has self, d, v"),
        ("return v.x['a'] <= d.worth['aa']", "unknown_name", "there is no key 'aa'", "did you mean 'a'?"),
        (
            "return v.x['aa'] <= 1",
            "wrong_index",
            "x['aa']: the family has no such member",
            "did you mean 'a'?",
        ),
        ("return v.x['a', 1] <= 1", "wrong_index", "the family takes one label, as in x['a']", None),
        ("return v.x['a'] * v.x['b'] <= 1", "nonlinear", "a product, quotient or power", "new variable"),
        ("return v.x['a'] ** 2 <= 1", "nonlinear", "is not linear", "numbers of the data"),
        ("return v.x['a'] < 1", "strict_inequality", "< and > are no comparisons", "<= or >="),
        ("return 1 > v.x['a'] + 1", "strict_inequality", "< and > are no comparisons", "n - 1"),
        ("return v.x['a'] - 1 > v.x['b']", "strict_inequality", "< and > are no comparisons", "<= or >="),
        ("return v.x['a'] != 1", "not_equal", "!= is not linear", "<=, >= or =="),
        ("return v.x['a'] + 1 != v.x['b']", "not_equal", "!= is not linear", "a binary variable"),
        ("return v.x['a'] <= None", "missing_value", "None", "data"),
        ("return v.x['a'] + 1 >= None", "missing_value", "None", "skip the row"),
        ("return v.x['a'] + None >= 1", "missing_value", "None", "skip the row"),
        ("return pulp.lpSum([v.x['a'], None]) >= 1", "missing_value", "None", "skip the row"),
        ("return v.x['a'] + 1 == None", "missing_value", "None", "skip the row"),
        (
            "return d.size <= 3",
            "constant_constraint",
            "is always true on these data: it compares no",
            "variable",
        ),
        (
            "return pulp.lpSum([]) <= 3",
            "constant_constraint",
            "is always true on these data: no var",
            "variable",
        ),
        ("return d.size >= 3", "constant_constraint", "is never true on these data", "at least one variable"),
        ("return pulp.lpSum([]) >= 3", "constant_constraint", "is never true on these data", "sum is empty"),
        ("yield 'a', pulp.lpSum([]) >= 3", "constant_constraint", "at ('a',) is never true", "sum is empty"),
        ("yield from []", "empty_index_set", "gives no row on these data", "the loop runs over nothing"),
        ("return {}", "empty_index_set", "gives no row on these data", "the loop runs over nothing"),
        ("yield from [('a', v.x['a'] <= 1)] * 2", "duplicate_row", "the index ('a',) occurs twice", "(i, t)"),
        ("return None", "not_a_constraint", "returned nothing; return a comparison", None),
        ("return v.x['a'] + 1", "not_a_constraint", "add <=, >= or ==", None),
        ("yield v.x['a'] <= 1", "not_a_constraint", "(index, comparison) pairs", "returned alone"),
    ],
)
def test_messages(body: str, error_type: str, message: str, hint: str | None) -> None:
    error = failure(body=body)

    assert (error.component, error.component_id) == ("constraint", "rule")
    assert error.error_type == error_type
    assert message in error.message
    assert error.line == LINE
    assert error.source_line == body.splitlines()[0]
    assert error.hint == hint if hint is None else hint in (error.hint or "")


@pytest.mark.parametrize(
    ("family", "error_type", "message", "hint"),
    [
        ("binary(over=lambda d: d.nams)", "unknown_name", "D has no 'nams'", "did you mean 'names'?"),
        ("binary(over=lambda d: ['a', 'a'])", "wrong_index", "occurs twice in `over`", "every index once"),
        ("binary(over=lambda d: d.size)", "exception", "a set of labels, not one int", "range(n)"),
        (
            "binary(over=lambda d: range(10**7 + 1))",
            "too_large",
            "more than 10,000,000 members",
            "combinations",
        ),
        ("integer(over=lambda d: d.names, lower=3, upper=2)", "bad_bounds", "3 of x[a] is above its", "swap"),
        ("integer(over=lambda d: [])", "empty_index_set", "has no member", "`over` gives nothing"),
    ],
)
def test_messages_of_families(family: str, error_type: str, message: str, hint: str) -> None:
    error = failure(families=f"x: dict[str, Var] = {family}")

    assert (error.component, error.component_id) == ("variable", "x")
    assert error.error_type == error_type
    assert message in error.message
    assert error.line == 13
    assert hint in (error.hint or "")


def test_nothing_is_a_warning_where_nobody_changed_it() -> None:
    empty = '{"names": []}'

    assert built(empty).description.warnings == [
        "variable family x has no member: its index set is empty on these data",
        "constraint rule is always true on these data: no variable is left in it",
    ]
    assert built(empty).linear.rows == 0
    rows = built(empty, body="for i in d.names:\n    yield i, v.x[i] <= 1")
    assert rows.description.warnings[1] == "constraint rule gives no row on these data"
    assert rows.description.constraints["rule"].indices == []


def test_the_hint_names_the_empty_data() -> None:
    assert failure('{"names": []}').hint == "names is empty in the data"
    body = "for i in d.worth:\n    yield i, v.x[i] <= 1"
    assert failure('{"worth": {}}', body=body, objective="return 0").hint == "worth is empty in the data"


def test_a_focus_on_another_part_changes_nothing() -> None:
    other = RULE.model_copy(update={"id": "other"})
    assert built('{"names": []}', [other]).linear.rows == 0


def test_a_row_that_holds_among_others_is_no_news() -> None:
    body = "for t in range(3):\n    yield t, pulp.lpSum(v.x[i] for i in d.names[:t]) <= 3"
    assert built(focus=[RULE], body=body).description.warnings == []
