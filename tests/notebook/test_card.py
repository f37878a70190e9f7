"""The card's Python side with the real widget class, and its script under Node with a small document."""

import asyncio
import json
import subprocess
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from decision_ai.client.approval import ApprovalDecision, Approve, Proposal, Reject
from decision_ai.notebook.card import PendingCard, approve, make_widget, way_to_ask

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of ipywidgets
SCRIPT = Path(__file__).parents[2] / "decision_ai" / "notebook" / "static" / "card.js"
MakeProposal = Callable[..., Proposal]


def click(widget: Any, said: object) -> None:
    widget._handle_custom_msg(said, [])


async def settled(turns: int = 5) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("said", "decision", "state"),
    [
        ({"decision": "approve"}, Approve(), "approved"),
        ({"decision": "reject", "reason": " too strict "}, Reject("too strict"), "rejected"),
        ({"decision": "reject"}, Reject(""), "rejected"),
    ],
)
async def test_a_click_is_the_answer(
    make_proposal: MakeProposal, said: object, decision: ApprovalDecision, state: str
) -> None:
    proposal = make_proposal()
    widget = make_widget(proposal)
    pending = PendingCard(widget, proposal)
    for noise in ("approve", {"decision": "dance"}, None, said, {"decision": "approve"}):
        click(widget, noise)
    assert await pending.answer() == decision
    assert widget.state == state


async def test_the_card_is_open_before_its_preview_streams_in(make_proposal: MakeProposal) -> None:
    known = asyncio.Event()
    proposal = make_proposal(known)
    widget = make_widget(proposal)
    answering = asyncio.ensure_future(PendingCard(widget, proposal).answer())
    await settled()
    assert (widget.state, widget.preview) == ("open", "solving before and after …")
    known.set()
    await settled()
    assert widget.preview.startswith("objective 149 → 104 (maximize), optimal")
    click(widget, {"decision": "approve"})
    assert await answering == Approve()


async def test_an_ask_that_is_withdrawn_closes_its_card(make_proposal: MakeProposal) -> None:
    proposal = make_proposal(asyncio.Event())
    widget = make_widget(proposal)
    answering = asyncio.ensure_future(PendingCard(widget, proposal).answer())
    await settled()
    answering.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answering
    assert widget.state == "withdrawn"


@pytest.mark.parametrize(
    ("takes_input", "versions", "way"),
    [
        (True, {"ipykernel": "7.4.0", "anywidget": "0.11.0"}, "card"),
        (True, {"ipykernel": "6.31.0", "anywidget": "0.11.0"}, "input"),
        (True, {"ipykernel": "7.4.0"}, "input"),
        (False, {"ipykernel": "7.4.0", "anywidget": "0.11.0"}, "nobody"),
    ],
)
def test_the_way_to_ask_is_the_best_that_the_kernel_can(
    takes_input: bool,
    versions: dict[str, str],
    way: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def version(name: str) -> str:
        if name not in versions:
            raise PackageNotFoundError(name)
        return versions[name]

    shell = SimpleNamespace(kernel=SimpleNamespace(_allow_stdin=takes_input))
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr("decision_ai.notebook.card.version", version)
    assert way_to_ask() == way


async def test_without_a_front_end_the_proposal_is_rejected_and_says_what_to_do(
    make_proposal: MakeProposal,
) -> None:
    assert way_to_ask() == "nobody"
    decision = await approve(make_proposal())
    assert isinstance(decision, Reject)
    assert "Pass approve= to connect()" in decision.reason


DOCUMENT = """
class Node_ {
  constructor(tag) { Object.assign(this, { tag, children: [], listeners: {}, attributes: {}, value: "" }); }
  append(...nodes) { this.children.push(...nodes); }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener(kind, heard) { this.listeners[kind] = heard; }
  click() { if (!this.disabled) this.listeners.click({}); }
  get all() { return [this, ...this.children.flatMap((child) => child.all)]; }
}
globalThis.document = { createElement: (tag) => new Node_(tag) };
const { render } = await import(process.argv[1]);
const values = { content: JSON.parse(process.argv[2]), preview: "solving", state: "open" };
const heard = {}, sent = [];
const model = {
  get: (name) => values[name], on: (kind, does) => { heard[kind] = does; },
  off: (kind) => { delete heard[kind]; }, send: (message) => sent.push(message),
};
const el = new Node_("div");
const end = render({ model, el });
const find = (name) => el.all.find((node) => (node.className ?? "").split(" ").includes(name));
values.preview = "objective 149 → 104"; heard["change:preview"]();
const preview = find("dai-preview").textContent;
find("dai-reason").value = "too strict"; find("dai-reject").click(); find("dai-approve").click();
values.state = "rejected"; heard["change:state"]();
const status = find("dai-status").textContent;
end();
const tags = [...new Set(el.all.map((node) => node.tag))];
const texts = el.all.map((node) => node.textContent).filter(Boolean);
console.log(JSON.stringify({ preview, sent, status, tags, texts, left: Object.keys(heard) }));
"""


@pytest.mark.system_part("node")
def test_the_script_shows_text_and_sends_one_answer(make_proposal: MakeProposal, evil: str) -> None:
    from decision_ai.notebook.card_content import card_content

    content = json.dumps(card_content(make_proposal()))
    done = subprocess.run(
        ["node", "--no-warnings", "--input-type=module", "--eval", DOCUMENT, SCRIPT.as_uri(), content],
        capture_output=True,
        text=True,
        timeout=15,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["preview"] == "objective 149 → 104"
    assert told["sent"] == [{"decision": "reject", "reason": "too strict"}]
    assert told["status"] == "Rejected."
    assert told["left"] == []
    assert "script" not in told["tags"]
    assert evil in told["texts"]
    assert "innerHTML" not in SCRIPT.read_text()
