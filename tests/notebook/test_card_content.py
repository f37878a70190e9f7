import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from decision_ai.client.approval import Proposal
from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff, ConstraintSnapshot
from decision_ai.notebook.card_content import card_content, card_html
from decision_ai.solving.findings import IncompatiblePart


def test_the_content_is_json_with_facts_and_changes(
    make_proposal: Callable[..., Proposal], evil: str
) -> None:
    content = json.loads(json.dumps(card_content(make_proposal())))
    assert [name for name, _, _ in content["facts"]] == [
        "You said",
        "Read as",
        "Not used",
        "Warning",
        "Doubt",
    ]
    (change,) = content["changes"]
    assert change["title"] == f"New constraint limit{evil}"
    assert change["diff"] == [["+", "def limit(self, data, v):"], ["+", f"    return {evil}"]]


async def test_the_html_escapes_everything(make_proposal: Callable[..., Proposal]) -> None:
    proposal = make_proposal()
    html = card_html(proposal, await proposal.preview())
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 9
    assert "Breaks</th>" in html


async def test_several_warnings_are_a_list_and_parts_left_out_are_named(
    make_proposal: Callable[..., Proposal],
) -> None:
    proposal = make_proposal()
    left_out = IncompatiblePart(kind="constraint", id="window", reason="no item 'Tent'")
    card = replace(proposal.card, warnings=("one", "two"), incompatible=(left_out,))
    facts = card_content(replace(proposal, card=card))["facts"]
    assert ["Warnings", ["one", "two"], True] in facts
    assert ["Left out", ["constraint window: no item 'Tent'"], True] in facts
    html = card_html(replace(proposal, card=card), None)
    assert "<ul style='margin:0'><li>one</li><li>two</li></ul>" in html


def test_what_was_read_is_not_said_twice(make_proposal: Callable[..., Proposal], evil: str) -> None:
    proposal = make_proposal()
    (change,) = card_content(proposal)["changes"]
    assert change["description"] == ""
    otherwise = replace(proposal, card=replace(proposal.card, reading="something else"))
    assert card_content(otherwise)["changes"][0]["description"] == evil


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (r"a < b", "<p class='mathjax_process tex2jax_process'>$a &lt; b$</p>"),
        (r"a $ b", "<p><code>a $ b</code></p>"),
        ("", ""),
    ],
)
def test_only_formulas_are_typeset(make_proposal: Callable[..., Proposal], formula: str, shown: str) -> None:
    rule = ConstraintSnapshot(
        constraint_id="x", code="def x(): ...", math_formulation=formula, description=""
    )
    html = card_html(replace(make_proposal(), changes=(ConstraintDiff(added=rule),)), None)
    assert html.startswith("<div class='mathjax_ignore tex2jax_ignore'")
    assert html.count("mathjax_process") == shown.count("mathjax_process")
    assert f"</strong></p>{shown}<pre" in html
