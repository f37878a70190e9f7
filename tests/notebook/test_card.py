"""The card's Python side with the real widget class, and its script under Node with a small document."""

import asyncio
import json
import subprocess
import threading
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from decision_ai.client.approval import ApprovalDecision, Approve, Proposal, Reject
from decision_ai.notebook.card import PendingCard, approve, make_widget, way_to_ask
from decision_ai.notebook.card_content import card_content

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
    assert (widget.state, widget.reason) == (state, getattr(decision, "reason", ""))


async def test_the_card_is_open_before_its_preview_streams_in(make_proposal: MakeProposal, evil: str) -> None:
    known = asyncio.Event()
    proposal = make_proposal(known)
    widget = make_widget(proposal)
    answering = asyncio.ensure_future(PendingCard(widget, proposal).answer())
    await settled()
    assert (widget.state, widget.effect) == ("open", [["Effect", ["solving before and after …"], False]])
    known.set()
    await settled()
    (name, (text,), _), broken = widget.effect
    assert name == "Effect"
    assert text.startswith("objective 149 → 104 (maximize), optimal")
    assert broken == ["Breaks", [f"your check 'at most 3 {evil}': 4 > 3"], True]
    click(widget, {"decision": "approve"})
    assert await answering == Approve()


async def test_the_card_is_told_that_it_is_waited_for_until_it_is_answered(
    make_proposal: MakeProposal, monkeypatch: pytest.MonkeyPatch
) -> None:
    proposal = make_proposal()
    widget = make_widget(proposal)
    sent: list[object] = []
    monkeypatch.setattr(widget, "send", sent.append)
    pending = PendingCard(widget, proposal)
    click(widget, {"ping": True})
    await settled()
    assert sent == [{"waiting": True}]
    # As JupyterLab does it: from a thread, to a loop that sleeps.
    threading.Timer(0.05, click, (widget, {"decision": "approve"})).start()
    assert await asyncio.wait_for(pending.answer(), 5) == Approve()
    click(widget, {"ping": True})
    await settled()
    assert sent == [{"waiting": True}]


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
  replaceChildren(...nodes) { this.children = nodes; }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener(kind, heard) { this.listeners[kind] = heard; }
  click() { if (!this.disabled) this.listeners.click({}); }
  focus() { document.activeElement = this; }
  contains(node) { return this.all.includes(node); }
  get all() { return [this, ...this.children.flatMap((child) => child.all)]; }
}
globalThis.document = { createElement: (tag) => new Node_(tag) };
let beat = null;
globalThis.setInterval = (does) => { beat = does; return 7; };
globalThis.clearInterval = (timer) => { if (timer === 7) beat = null; };
const { default: { render } } = await import(process.argv[1]);
const values = { content: JSON.parse(process.argv[2]), effect: [], state: "open", reason: "" };
const heard = {}, sent = [], typeset = [];
const model = {
  get: (name) => values[name], on: (kind, does) => { heard[kind] = does; },
  off: (kind) => { delete heard[kind]; }, send: (message) => sent.push(message),
  widget_manager: { rendermime: { latexTypesetter: { typeset: (node) => typeset.push(node.textContent) } } },
};
const change = (name, value) => { values[name] = value; heard[`change:${name}`](); };
const el = new Node_("div");
const end = render({ model, el });
const find = (name) => el.all.find((node) => (node.className ?? "").split(" ").includes(name));
const seen = () => ({
  card: find("dai-card").className, status: find("dai-status").textContent,
  usable: !find("dai-controls").hidden && !find("dai-approve").disabled,
});
const told = {};
"""
SHOWN = """
change("effect", [["Effect", ["objective 149 → 104"], false], ["Breaks", ["one", "two"], true]]);
told.open = seen();
find("dai-reason").focus(); find("dai-reason").value = "too strict";
find("dai-reason").listeners.keydown({ key: "Enter", stopPropagation() {} });
find("dai-approve").click();
told.sentOff = seen(); told.focused = document.activeElement.className;
change("reason", "too strict"); change("state", "rejected");
told.answered = seen(); told.beats = beat !== null;
end();
await null;
told.effect = find("dai-effect").all.map((node) => node.textContent ?? "");
Object.assign(told, { sent, typeset, left: Object.keys(heard) });
told.cautions = find("dai-effect").all.filter((node) => node.className === "dai-fact caution").length;
told.tags = [...new Set(el.all.map((node) => node.tag))];
told.texts = el.all.map((node) => node.textContent).filter(Boolean);
console.log(JSON.stringify(told));
"""
DYING = """
beat(); heard["msg:custom"]({ waiting: true }); beat(); beat(); beat();
told.dead = seen();
beat(); beat();
told.pings = sent.length;
heard["msg:custom"]({ waiting: true });
told.revived = seen();
model.send = () => { throw new Error("no channel"); };
beat(); beat(); beat();
told.closed = seen();
console.log(JSON.stringify(told));
"""


def run_script(proposal: Proposal, acts: str) -> dict[str, Any]:
    content = json.dumps(card_content(proposal))
    script = DOCUMENT + acts
    done = subprocess.run(
        ["node", "--no-warnings", "--input-type=module", "--eval", script, SCRIPT.as_uri(), content],
        capture_output=True,
        text=True,
        timeout=15,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.system_part("node")
def test_the_script_shows_text_and_sends_one_answer(make_proposal: MakeProposal, evil: str) -> None:
    told = run_script(make_proposal(), SHOWN)
    texts = ["Effect", "objective 149 → 104", "Breaks", "one", "two"]
    assert ([text for text in told["effect"] if text], told["cautions"]) == (texts, 1)
    assert told["open"] == {"card": "dai-card open", "status": "Waiting for your answer.", "usable": True}
    assert told["sentOff"]["usable"] is False
    assert told["focused"] == "dai-status"  # not lost with the control that goes
    assert told["sent"] == [{"decision": "reject", "reason": "too strict"}]
    assert told["answered"] == {
        "card": "dai-card rejected",
        "status": "✗ Rejected: too strict",
        "usable": False,
    }
    assert (told["beats"], told["left"]) == (False, [])
    assert told["typeset"] == [f"${evil}$"]
    assert "script" not in told["tags"]
    assert evil in told["texts"]
    assert "innerHTML" not in SCRIPT.read_text()


@pytest.mark.system_part("node")
def test_a_card_that_nobody_waits_for_does_not_look_alive(make_proposal: MakeProposal) -> None:
    told = run_script(make_proposal(), DYING)
    for death in ("dead", "closed"):
        assert (told[death]["card"], told[death]["usable"]) == ("dai-card dead", False)
        assert "run the cell again" in told[death]["status"]
    assert told["pings"] == 3  # a dead kernel is not asked for ever
    assert told["revived"] == {"card": "dai-card open", "status": "Waiting for your answer.", "usable": True}
