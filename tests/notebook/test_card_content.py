import json
from collections.abc import Callable

from decision_ai.client.approval import Proposal
from decision_ai.notebook.card_content import card_content, card_html


def test_the_content_is_json_with_facts_and_changes(
    make_proposal: Callable[..., Proposal], evil: str
) -> None:
    content = json.loads(json.dumps(card_content(make_proposal())))
    assert [name for name, _ in content["facts"]] == ["You said", "Read as", "Not used", "Warning", "Doubt"]
    (change,) = content["changes"]
    assert change["title"] == f"New constraint limit{evil}"
    assert change["diff"] == [["+", "def limit(self, data, v):"], ["+", f"    return {evil}"]]


def test_the_html_escapes_everything(make_proposal: Callable[..., Proposal], evil: str) -> None:
    html = card_html(make_proposal(), evil)
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 10
