"""Showing a proposal in a cell's output, for approvers that are functions."""

from dataclasses import replace
from importlib import import_module

from decision_ai.client.approval import Proposal
from decision_ai.notebook.card_content import card_html
from decision_ai.terminal.asking import proposal_text


async def show(proposal: Proposal) -> None:
    """Display how a sentence was understood, the diff, and its effect on the plan."""
    preview = await proposal.preview()
    forms = {
        "text/html": card_html(proposal, preview),
        "text/plain": proposal_text(replace(proposal, preview_result=preview)),
    }
    import_module("IPython.display").display(forms, raw=True)
