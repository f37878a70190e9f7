"""The approval card of a notebook: the proposal, its effect as soon as it is known, and two buttons.

A click reaches a cell that waits in a top-level `await` only under ipykernel 7 or newer. Elsewhere the
person is asked with `input()`; where nobody can be asked, as under nbclient, the proposal is rejected and the
reason says what to do.
"""

import asyncio
import io
from dataclasses import replace
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from decision_ai.client.approval import ApprovalDecision, Approve, Proposal, Reject
from decision_ai.notebook.card_content import NO_PREVIEW_YET, card_content, effect_facts
from decision_ai.terminal import asking
from decision_ai.terminal.screen import Screen
from decision_ai.terminal.wording import visible

NOBODY_TO_ASK = (
    "nobody could be asked: this notebook runs without a front end. Pass approve= to connect(), such as "
    "approve=lambda proposal: Approve()"
)
_AWAITING_KERNEL = 7
_STATIC = Path(__file__).parent / "static"


async def approve(proposal: Proposal) -> ApprovalDecision:
    """Ask the person in front of this notebook; the default of `connect()` there."""
    match way_to_ask():
        case "card":
            return await _ask_with_card(proposal)
        case "input":
            # Here, not in a thread: ipykernel takes input for the cell that runs.
            shown = replace(proposal, preview_result=await proposal.preview())
            return asking.approve(shown, Screen(source=_CellInput()))
        case "nobody":
            return Reject(NOBODY_TO_ASK)


def way_to_ask() -> Literal["card", "input", "nobody"]:
    """How a person can be asked in the notebook this runs in."""
    shell = import_module("IPython").get_ipython()
    kernel = getattr(shell, "kernel", None)
    if not getattr(kernel, "_allow_stdin", False):  # what nbclient says for every cell
        return "nobody"
    return "card" if _major("ipykernel") >= _AWAITING_KERNEL and _major("anywidget") >= 0 else "input"


class _CellInput(io.StringIO):
    """Lines typed into the field that `input` opens under a cell."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # noqa: ARG002 - a line is a line
        """The next line; empty at the end of the input."""
        try:
            return input() + "\n"
        except EOFError:
            return ""


class PendingCard:
    """A card on its way to an answer: what the widget is told, and what it says.

    Args:
        widget: an `anywidget.AnyWidget` with the traits `content`, `effect`, `state` and `reason`.
        proposal: what is asked.
    """

    def __init__(self, widget: Any, proposal: Proposal) -> None:
        self._widget = widget
        self._proposal = proposal
        loop = asyncio.get_running_loop()
        self._answer: asyncio.Future[ApprovalDecision] = loop.create_future()
        # JupyterLab speaks through a subshell: what it says arrives on a thread of its own.
        widget.on_msg(lambda _widget, said, _buffers: loop.call_soon_threadsafe(self._hear, said))

    async def answer(self) -> ApprovalDecision:
        """Show the preview when it is known and wait for the click."""
        previewing = asyncio.ensure_future(self._show_preview())
        try:
            decision = await self._answer
        except asyncio.CancelledError:
            self._widget.state = "withdrawn"
            raise
        finally:
            previewing.cancel()
            await asyncio.gather(previewing, return_exceptions=True)
        if isinstance(decision, Reject):
            self._widget.reason = visible(decision.reason)
        self._widget.state = "approved" if isinstance(decision, Approve) else "rejected"
        return decision

    async def _show_preview(self) -> None:
        self._widget.effect = effect_facts(await self._proposal.preview())

    def _hear(self, said: Any) -> None:
        """Take a click, or the card's question whether it is still waited for; ignore anything else."""
        if self._answer.done() or not isinstance(said, dict):
            return
        if said.get("ping"):
            self._widget.send({"waiting": True})
        elif said.get("decision") == "approve":
            self._answer.set_result(Approve())
        elif said.get("decision") == "reject":
            self._answer.set_result(Reject(str(said.get("reason") or "").strip()))


async def _ask_with_card(proposal: Proposal) -> ApprovalDecision:
    widget = make_widget(proposal)
    pending = PendingCard(widget, proposal)
    import_module("IPython.display").display(widget)
    return await pending.answer()


def make_widget(proposal: Proposal) -> Any:
    """The widget of a proposal, not yet shown."""
    anywidget, traitlets = import_module("anywidget"), import_module("traitlets")

    class ApprovalCard(anywidget.AnyWidget):  # type: ignore[misc, name-defined]
        """The card; `static/card.js` draws it with text nodes only, so that nothing in it is markup."""

        _esm = _STATIC / "card.js"
        _css = _STATIC / "card.css"
        content = traitlets.Dict().tag(sync=True)
        effect = traitlets.List().tag(sync=True)
        state = traitlets.Unicode("open").tag(sync=True)
        reason = traitlets.Unicode().tag(sync=True)

        def __repr__(self) -> str:
            """What is left of the card where no widgets are drawn."""
            return f"Proposed change: {visible(proposal.card.reading)}"

    return ApprovalCard(content=card_content(proposal), effect=[["Effect", [NO_PREVIEW_YET], False]])


def _major(distribution: str) -> int:
    """Major version of an installed package; -1 if it is missing."""
    try:
        return int(version(distribution).partition(".")[0])
    except (PackageNotFoundError, ValueError):
        return -1
