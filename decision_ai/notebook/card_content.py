"""What an approval card says, as plain values for its script, and as HTML for where no script runs."""

from html import escape
from typing import Any

from decision_ai.client.approval import Proposal
from decision_ai.terminal.wording import change_diff, change_notes, change_title, visible

NO_PREVIEW_YET = "solving before and after …"


def card_content(proposal: Proposal) -> dict[str, Any]:
    """The card as JSON values: `facts` (pairs of name and text) and `changes`."""
    card = proposal.card
    facts = [("You said", card.sentence), ("Read as", card.reading)]
    facts += [("Not used", ", ".join(card.unused_words))]
    facts += [("Warning", warning) for warning in card.warnings]
    facts += [("Doubt", card.doubt or "")]
    changes = []
    for change in proposal.changes:
        description, formula = change_notes(change)
        changes.append(
            {
                "title": visible(change_title(change)),
                "description": visible(description),
                "formula": visible(formula),
                "diff": [[line.mark, visible(line.text)] for line in change_diff(change)],
            }
        )
    return {"facts": [[name, visible(text)] for name, text in facts if text], "changes": changes}


def card_html(proposal: Proposal, preview: str) -> str:
    """The card without buttons, everything from outside escaped."""
    content = card_content(proposal)
    facts = "".join(
        f"<tr><th style='text-align:left'>{escape(name)}</th><td>{escape(text)}</td></tr>"
        for name, text in [*content["facts"], ["Effect", visible(preview)]]
    )
    changes = "".join(
        f"<h4>{escape(change['title'])}</h4><p>{escape(change['description'])}</p>"
        f"<p><code>{escape(change['formula'])}</code></p>"
        f"<pre>{escape(chr(10).join(f'{mark} {text}' for mark, text in change['diff']))}</pre>"
        for change in content["changes"]
    )
    return f"<table>{facts}</table>{changes}"
