"""The card in a real kernel: a click reaches a cell that waits in a top-level `await`."""

import queue
import time
from typing import Any

import pytest

pytestmark = [pytest.mark.timeout(90), pytest.mark.filterwarnings("ignore")]  # of the Jupyter libraries

CELL = """
from decision_ai.client.approval import Card, Proposal
from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff
from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.client.asking import default_approver

async def preview():
    return None

proposal = Proposal(
    changes=(ConstraintDiff(),), validation=ValidationSucceeded(), card=Card(reading="At most 4."),
    tool_origin=ToolData(name="propose_changes", args={}), preview=preview,
)
"""
ASK = f"{CELL}\nprint(await default_approver()(proposal))"
SHOW = f"{CELL}\nfrom decision_ai.notebook.show import show\nawait show(proposal)\nprint('shown')"

OTHER_DATA = """
import json
from pathlib import Path
import decision_ai.examples
from decision_ai import DecisionAI

folder = Path(decision_ai.examples.__file__).parent / "knapsack"
data = json.loads((folder / "data.json").read_text())
data["capacity"] = 3000
with DecisionAI() as client:
    session = client.create_chat_session(folder / "model.py", folder / "data.json")
    before = session.state().opt_input_data_id
    state = await session.aset_input_data(data)
print(state.opt_input_data_id != before)
"""


@pytest.fixture
def kernel() -> Any:
    manager = pytest.importorskip("jupyter_client.manager")
    pytest.importorskip("anywidget")
    running, client = manager.start_new_kernel(kernel_name="python3", startup_timeout=60)
    yield client
    client.stop_channels()
    running.shutdown_kernel(now=True)


def output(client: Any, kind: str, request: str | None, seconds: float = 40) -> dict[str, Any]:
    """The content of the next message of a kind that belongs to a request."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            message = client.get_iopub_msg(timeout=1)
        except queue.Empty:
            continue
        if message["msg_type"] == kind and request in (None, message["parent_header"].get("msg_id")):
            return dict(message["content"])
    raise AssertionError(f"no {kind!r} came")


@pytest.mark.parametrize("through_subshell", [False, True])
def test_a_click_reaches_the_cell_that_waits(kernel: Any, through_subshell: bool) -> None:
    request = kernel.execute(ASK, allow_stdin=True)
    opened = output(kernel, "comm_open", request)
    while opened["data"]["state"].get("_model_module") != "anywidget":
        opened = output(kernel, "comm_open", request)
    assert ["Read as", ["At most 4."], False] in opened["data"]["state"]["content"]["facts"]
    said = {"method": "custom", "content": {"decision": "reject", "reason": "too strict"}}
    click = kernel.session.msg("comm_msg", {"comm_id": opened["comm_id"], "data": said})
    if through_subshell:  # a thread of the kernel's, as JupyterLab does it
        kernel.control_channel.send(kernel.session.msg("create_subshell_request"))
        click["header"]["subshell_id"] = kernel.get_control_msg(timeout=20)["content"]["subshell_id"]
    kernel.shell_channel.send(click)
    assert output(kernel, "stream", request)["text"].strip() == "Reject(reason='too strict')"


def test_where_no_input_is_taken_the_reason_says_what_to_do(kernel: Any) -> None:
    request = kernel.execute(ASK, allow_stdin=False)
    assert "Pass approve= to connect()" in output(kernel, "stream", request)["text"]


def test_a_proposal_is_shown_once(kernel: Any) -> None:
    request = kernel.execute(SHOW, allow_stdin=False)
    kinds = []
    while True:
        message = kernel.get_iopub_msg(timeout=40)
        if message["parent_header"].get("msg_id") != request:
            continue
        kinds.append(message["msg_type"])
        if message["msg_type"] == "stream":
            break
    assert message["content"]["text"] == "shown\n"
    assert kinds.count("display_data") == 1


def test_other_data_are_asked_on_a_card(kernel: Any) -> None:
    request = kernel.execute(OTHER_DATA, allow_stdin=True)
    opened = output(kernel, "comm_open", request)
    while opened["data"]["state"].get("_model_module") != "anywidget":
        opened = output(kernel, "comm_open", request)
    (change,) = opened["data"]["state"]["content"]["changes"]
    assert change["diff"] == [[" ", "capacity: 30 → 3000"]]
    said = {"method": "custom", "content": {"decision": "approve"}}
    kernel.shell_channel.send(kernel.session.msg("comm_msg", {"comm_id": opened["comm_id"], "data": said}))
    assert output(kernel, "stream", request)["text"].strip() == "True"
