"""What an approval card says, as plain values for its script, and as HTML for where no script runs."""

from html import escape
from typing import Any

from decision_ai.client.approval import Proposal
from decision_ai.terminal.wording import change_diff, change_notes, change_title, visible

NO_PREVIEW_YET = "solving before and after …"
_CELL = "text-align:left;vertical-align:top"
_LINE_STYLES = {"+": "background:rgb(46 160 67 / 20%)", "-": "background:rgb(248 81 73 / 20%)"}


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
        if description == card.reading:
            description = ""  # it is said above
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
    """The card without buttons, everything from outside escaped and only formulas typeset."""
    content = card_content(proposal)
    facts = "".join(
        f"<tr style='background:none'><th style='{_CELL};white-space:nowrap'>{escape(name)}</th>"
        f"<td style='{_CELL}'>{escape(text)}</td></tr>"
        for name, text in [*content["facts"], ["Effect", visible(preview)]]
    )
    changes = "".join(_change_html(change) for change in content["changes"])
    # The classes keep MathJax from reading dollar signs in labels as formulas.
    frame = "class='mathjax_ignore tex2jax_ignore' style='overflow-wrap:anywhere'"
    return f"<div {frame}><table>{facts}</table>{changes}</div>"


def _change_html(change: dict[str, Any]) -> str:
    title = f"<p style='margin:0.75em 0 0.25em'><strong>{escape(change['title'])}</strong></p>"
    description = f"<p style='margin:0 0 0.25em'>{escape(change['description'])}</p>"
    lines = "".join(
        f"<span style='display:block;{_LINE_STYLES.get(mark, '')}'>{escape(f'{mark} {text}')}\n</span>"
        for mark, text in change["diff"]
    )
    return (
        f"{title}{description if change['description'] else ''}{_formula_html(change['formula'])}"
        f"<pre style='overflow-x:auto'>{lines}</pre>"
    )


def _formula_html(formula: str) -> str:
    if not formula or "$" in formula:
        return f"<p><code>{escape(formula)}</code></p>" if formula else ""
    return f"<p class='mathjax_process tex2jax_process'>${escape(formula)}$</p>"
