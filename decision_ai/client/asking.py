"""How a person is asked; without `approve=` by a card in a notebook, lines in a terminal, or not at all."""

import inspect
import sys
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, TypeVar

from decision_ai.client.approval import (
    ApprovalDecision,
    Approve,
    Approver,
    Proposal,
    Reject,
    SolveRequest,
)
from decision_ai.client.loop_thread import call_in_thread

Subject = TypeVar("Subject", Proposal, SolveRequest)


def default_approver() -> Approver:
    """The way of asking that fits where this process runs."""
    approve: Approver = _nobody_to_ask
    if _in_notebook():
        approve = import_module("decision_ai.notebook.card").approve
    elif sys.stdin is not None and sys.stdin.isatty():
        approve = import_module("decision_ai.terminal.asking").approve
    return approve


async def consult(
    approver: Callable[[Subject], ApprovalDecision | Awaitable[ApprovalDecision]], subject: Subject
) -> ApprovalDecision:
    """Ask the person: async approvers on the loop, others in a thread.

    Raises:
        TypeError: if the answer is neither `Approve` nor `Reject`.
    """
    answer: ApprovalDecision | Awaitable[ApprovalDecision]
    if is_async(approver):
        answer = approver(subject)
    else:
        answer = await call_in_thread(approver, subject)
    decision = await answer if inspect.isawaitable(answer) else answer
    if not isinstance(decision, Approve | Reject):
        raise TypeError(f"an approver must return Approve() or Reject('why'), not {decision!r}")
    return decision


def is_async(approver: Callable[..., Any]) -> bool:
    """Whether calling an approver gives a coroutine; it may be an object that is called."""
    call = type(approver).__call__
    return inspect.iscoroutinefunction(approver) or inspect.iscoroutinefunction(call)


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
