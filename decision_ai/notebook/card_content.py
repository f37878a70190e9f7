"""What an approval card says, as plain values for its script, and as HTML for where no script runs."""

from html import escape
from typing import Any

from decision_ai.client.approval import Preview, Proposal
from decision_ai.terminal.wording import (
    Fact,
    card_facts,
    change_diff,
    change_notes,
    change_title,
    check_facts,
    preview_sentence,
    visible,
)

NO_PREVIEW_YET = "solving before and after …"
_CELL = "text-align:left;vertical-align:top"
_CAUTION = "background:rgb(255 167 38 / 18%)"
_LINE_STYLES = {"+": "background:rgb(46 160 67 / 20%)", "-": "background:rgb(248 81 73 / 20%)"}


def card_content(proposal: Proposal) -> dict[str, Any]:
    """The card as JSON values: `facts` (name, texts, whether to look twice) and `changes`."""
    card = proposal.card
    said = [("You said", card.sentence), ("Read as", card.reading)]
    facts = [_fact(Fact(name, (text,), caution=False)) for name, text in said if text]
    facts += [_fact(fact) for fact in card_facts(card)]
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
                "diff": [[line.mark, visible(line.text)] for line in change_diff(change, proposal.units)],
            }
        )
    return {"facts": facts, "changes": changes}


def effect_facts(preview: Preview | None) -> list[list[Any]]:
    """The effect on the plan and on the person's checks, as `facts` of the card."""
    effect = Fact("effect", (preview_sentence(preview),), caution=False)
    return [_fact(fact) for fact in (effect, *check_facts(preview))]


def _fact(fact: Fact) -> list[Any]:
    return [fact.name[:1].upper() + fact.name[1:], [visible(text) for text in fact.texts], fact.caution]


def card_html(proposal: Proposal, preview: Preview | None) -> str:
    """The card without buttons, everything from outside escaped and only formulas typeset."""
    content = card_content(proposal)
    facts = "".join(_fact_html(*fact) for fact in [*content["facts"], *effect_facts(preview)])
    changes = "".join(_change_html(change) for change in content["changes"])
    # The classes keep MathJax from reading dollar signs in labels as formulas.
    frame = "class='mathjax_ignore tex2jax_ignore' style='overflow-wrap:anywhere'"
    return f"<div {frame}><table>{facts}</table>{changes}</div>"


def _fact_html(name: str, texts: list[str], caution: bool) -> str:
    listed = "".join(f"<li>{escape(text)}</li>" for text in texts)
    value = escape(texts[0]) if len(texts) == 1 else f"<ul style='margin:0'>{listed}</ul>"
    return (
        f"<tr style='{_CAUTION if caution else 'background:none'}'>"
        f"<th style='{_CELL};white-space:nowrap'>{escape(name)}</th><td style='{_CELL}'>{value}</td></tr>"
    )


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
