"""Who is asked without `approve=`: a card in a notebook, lines in a terminal, else nobody."""

import sys
from importlib import import_module

from decision_ai.client.approval import ApprovalDecision, Approver, Proposal, Reject


def default_approver() -> Approver:
    """The way of asking that fits where this process runs."""
    approve: Approver = _nobody_to_ask
    if _in_notebook():
        approve = import_module("decision_ai.notebook.card").approve
    elif sys.stdin is not None and sys.stdin.isatty():
        approve = import_module("decision_ai.terminal.asking").approve
    return approve


def _in_notebook() -> bool:
    if "ipykernel" not in sys.modules:
        return False
    shell = import_module("IPython").get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def _nobody_to_ask(proposal: Proposal) -> ApprovalDecision:  # noqa: ARG001 - an approver takes a proposal
    return Reject(
        "nobody could be asked: this is neither a terminal nor a notebook. Pass approve= to connect(), such "
        "as approve=lambda proposal: Approve()"
    )
