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
print(await default_approver()(proposal))
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


def test_a_click_reaches_the_cell_that_waits(kernel: Any) -> None:
    request = kernel.execute(CELL, allow_stdin=True)
    opened = output(kernel, "comm_open", request)
    while opened["data"]["state"].get("_model_module") != "anywidget":
        opened = output(kernel, "comm_open", request)
    assert ["Read as", "At most 4."] in opened["data"]["state"]["content"]["facts"]
    said = {"method": "custom", "content": {"decision": "reject", "reason": "too strict"}}
    click = kernel.session.msg("comm_msg", {"comm_id": opened["comm_id"], "data": said})
    kernel.shell_channel.send(click)
    assert output(kernel, "stream", request)["text"].strip() == "Reject(reason='too strict')"


def test_where_no_input_is_taken_the_reason_says_what_to_do(kernel: Any) -> None:
    request = kernel.execute(CELL, allow_stdin=False)
    assert "Pass approve= to connect()" in output(kernel, "stream", request)["text"]
