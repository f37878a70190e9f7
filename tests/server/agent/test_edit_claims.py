"""What an edit says is told from what it does."""

import pytest

from decision_ai_server.agent.edit_claims import EditClaims, counts_in_formula, edit_claims

METHOD = '''@constraint(r"x \\le 5", priority="B")
def at_most_3(self, data, v):
    """At most four."""
    return v.x["A 6"] <= 7
'''
FAMILY = '''late: dict[str, Var] = binary(over=lambda data: data.jobs, upper=2, math=r"late_9")
"""Eight."""
'''


def test_fields_that_describe():
    edit = {"id": "few", "description": "At most 3.", "math": "x <= 4", "left": "v.x", "right": 5}

    assert edit_claims([edit]) == EditClaims(
        said=("At most 3.", "x <= 4"), done=("id", "few", "left", "v.x", "right", "5")
    )


@pytest.mark.parametrize(
    ("code", "said", "done"),
    [
        (METHOD, {"x \\le 5", "At most four."}, {"at_most_3", "A 6", "7", "B"}),
        (FAMILY, {"late_9", "Eight."}, {"late", "2"}),
    ],
)
def test_code(code, said, done):
    claims = edit_claims({"code": code})

    assert set(claims.said) == said
    assert done <= set(claims.done)
    assert edit_claims({"classes": [code]}).said == claims.said


def test_code_that_cannot_be_read_does_what_it_does():
    assert edit_claims({"code": "def 5("}) == EditClaims(said=(), done=("def 5(",))


def test_data_have_no_descriptions():
    change = {"path": ["description"], "value": {"description": "5 items", "code": "x"}}

    assert edit_claims(change).said == ()


def test_figures_that_any_formula_may_have():
    assert [figure for figure in ("0", "1", "-1", "2", "10") if counts_in_formula(figure)] == ["2", "10"]
