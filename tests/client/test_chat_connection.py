import asyncio
import threading
import time
from typing import Any

import pytest

from decision_ai.client.approval import Approve, Reject
from decision_ai.client.backoff import Backoff
from decision_ai.client.chat_connection import ChatConnection
from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Prompt
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForPrompt,
)
from decision_ai.client.schemas.chat_messages.tool import ToolOutput
from decision_ai.errors import LimitExceeded, ProtocolError

QUICK = Backoff(first=0.01, longest=0.05, patience=5.0)


def kinds(messages: list[Any]) -> list[str]:
    return [message.kind for message in messages]


async def said(chat: ChatConnection, prompt: str, **options: Any) -> list[Any]:
    return [message async for message in chat.stream_messages(prompt, **options)]


async def until(condition: Any) -> None:
    while not condition():  # noqa: ASYNC110 - what a test waits for has no event
        await asyncio.sleep(0.005)


async def test_an_approved_change_runs_to_the_next_prompt(
    make_peer: Any, connect: Any, proposing: Any
) -> None:
    peer = await make_peer(proposing)
    seen: list[Any] = []

    def approve(proposal: Any) -> Approve:
        seen.append(proposal)
        return Approve()

    async with connect(peer, approve=approve) as chat:
        messages = await said(chat, "at most 4")
    assert kinds(messages) == ["tool_call", "tool_output", "chat_response"]
    (answer,) = peer.answers("validation_response")
    assert not answer.rejected
    assert answer.validation.kind == "validation_succeeded"
    (proposal,) = seen
    assert proposal.change.added.constraint_id == "few"
    assert proposal.preview_result.before.objective == len("# head")
    assert proposal.preview_result.after.objective == len("# head\n# few")
    assert proposal.preview_result.rows_added == 1


async def test_none_excluded_shows_everything(make_peer: Any, connect: Any, proposing: Any) -> None:
    peer = await make_peer(proposing)
    async with connect(peer, approve=lambda proposal: Approve()) as chat:
        messages = await said(chat, "at most 4", exclude_message_types=None)
    stored = [kind for kind in kinds(messages) if kind != "presence"]
    assert stored == [
        "prompt", "tool_call", "ask_for_validation", "validation_response", "tool_output", "chat_response",
        "ask_for_prompt",
    ]  # fmt: skip


async def test_classes_can_be_excluded(make_peer: Any, connect: Any, proposing: Any) -> None:
    peer = await make_peer(proposing)
    async with connect(peer, approve=lambda proposal: Approve()) as chat:
        messages = await said(chat, "hello", exclude_message_types=[ChatResponse, "presence", ToolOutput])
    assert {"chat_response", "tool_output"}.isdisjoint(kinds(messages))
    assert "prompt" in kinds(messages)


async def test_a_rejection_carries_the_persons_words(make_peer: Any, connect: Any, proposing: Any) -> None:
    peer = await make_peer(proposing)

    async def approve(proposal: Any) -> Reject:
        assert (await proposal.preview()) is (await proposal.preview())
        return Reject("five, not four")

    async with connect(peer, approve=approve) as chat:
        await said(chat, "at most 4")
    (answer,) = peer.answers("validation_response")
    assert answer.rejected
    assert answer.rejection_message == "five, not four"


async def test_a_failed_check_does_not_bother_the_person(make_peer: Any, connect: Any, lines: Any) -> None:
    def script(peer: Any, message: Any) -> Any:
        return lines.propose(code="broken") if isinstance(message, Prompt) else lines.settle("call-1")

    peer = await make_peer(script)
    async with connect(peer, approve=lambda proposal: pytest.fail("asked")) as chat:
        await said(chat, "at most 4")
    (answer,) = peer.answers("validation_response")
    assert not answer.rejected
    assert answer.validation.error == "it is broken"


async def test_an_edit_goes_out_and_its_recomposition_is_not_asked_again(
    make_peer: Any, connect: Any, lines: Any
) -> None:
    edited = lines.diff(code="few code, edited")

    def script(peer: Any, message: Any) -> Any:
        if isinstance(message, Prompt):
            return lines.propose()
        if message.changes is not None:
            # The server reads formula and description from the edited code.
            added = message.changes.added.model_copy(update={"math_formulation": "y", "description": "other"})
            change = message.changes.model_copy(update={"added": added})
            return lines.propose(change=change, hash="h3", edited=True)[1:]
        return lines.settle("call-1")

    peer = await make_peer(script)
    asked: list[Any] = []
    async with connect(peer, approve=lambda proposal: asked.append(proposal) or Approve(edited)) as chat:
        await said(chat, "at most 4")
    first, second = peer.answers("validation_response")
    assert first.changes == edited
    assert second.changes is None
    assert not second.rejected
    assert second.tool_origin.args["hash"] == "h3"
    assert len(asked) == 1


async def test_another_change_in_the_name_of_an_edit_is_asked(
    make_peer: Any, connect: Any, lines: Any
) -> None:
    def script(peer: Any, message: Any) -> Any:
        if isinstance(message, Prompt):
            return lines.propose()
        if message.changes is not None:
            return lines.propose(change=lines.diff(code="something else"), hash="h3", edited=True)[1:]
        return lines.settle("call-1")

    peer = await make_peer(script)
    asked: list[Any] = []

    def approve(proposal: Any) -> Any:
        asked.append(proposal.change)
        return Approve(lines.diff(code="mine")) if len(asked) == 1 else Reject("not what I wrote")

    async with connect(peer, approve=approve) as chat:
        await said(chat, "at most 4")
    assert [change.added.code for change in asked] == ["few code", "something else"]


async def test_a_set_of_three_is_asked_once_with_all_its_changes(
    make_peer: Any, connect: Any, lines: Any, executor: Any
) -> None:
    def part(i: int) -> Any:
        place = {"set": "s", "i": i, "n": 3}
        code = "broken so far" if i < 3 else "# whole"
        return lines.propose(code=code, change=lines.diff(f"c{i}"), part=place, hash=f"h{i}")

    def script(peer: Any, message: Any) -> Any:
        if isinstance(message, Prompt):
            return part(1)
        answered = message.tool_origin.args["part"]["i"]
        return lines.settle("call-1") if answered == 3 else part(answered + 1)[1:]

    peer = await make_peer(script)
    asked: list[Any] = []
    async with connect(peer, approve=lambda proposal: asked.append(proposal) or Approve()) as chat:
        await said(chat, "several things")
    (proposal,) = asked
    assert [change.added.constraint_id for change in proposal.changes] == ["c1", "c2", "c3"]
    assert [answer.rejected for answer in peer.answers("validation_response")] == [False] * 3
    assert all(job.source in {"# whole", "# head"} for job in executor.jobs)


async def test_an_approver_that_raises_rejects_and_raises_when_the_turn_is_over(
    make_peer: Any, connect: Any, proposing: Any
) -> None:
    peer = await make_peer(proposing)

    def approve(proposal: Any) -> Any:
        raise LookupError("no such policy")

    async with connect(peer, approve=approve) as chat:
        with pytest.raises(LookupError, match="no such policy"):
            await said(chat, "at most 4")
        (answer,) = peer.answers("validation_response")
        assert answer.rejected
        assert answer.rejection_message == "the approver failed: LookupError: no such policy"
        assert isinstance(chat.messages[-1], AskForPrompt)


async def test_an_approver_that_answers_nothing_is_told_so(
    make_peer: Any, connect: Any, proposing: Any
) -> None:
    peer = await make_peer(proposing)
    async with connect(peer, approve=lambda proposal: None) as chat:
        with pytest.raises(TypeError, match=r"must return Approve\(\) or Reject"):
            await said(chat, "at most 4")


async def test_a_script_rejects_and_says_how_to_approve(make_peer: Any, connect: Any, proposing: Any) -> None:
    peer = await make_peer(proposing)
    async with connect(peer) as chat:
        await said(chat, "at most 4")
    (answer,) = peer.answers("validation_response")
    assert "approve=" in answer.rejection_message


async def test_a_blocking_approver_does_not_stop_the_loop(
    make_peer: Any, connect: Any, proposing: Any
) -> None:
    peer = await make_peer(proposing)
    release = threading.Event()

    def approve(proposal: Any) -> Approve:
        release.wait()
        return Approve()

    async with connect(peer, approve=approve) as chat:
        turn = asyncio.ensure_future(said(chat, "at most 4"))
        await until(lambda: bool(chat.conversation.open_calls))
        await asyncio.sleep(0.05)  # the loop turns
        release.set()
        assert kinds(await turn)[-1] == "chat_response"


async def test_an_ask_that_is_withdrawn_is_not_answered(
    make_peer: Any, connect: Any, proposing: Any, lines: Any
) -> None:
    peer = await make_peer(proposing)
    asked, withdrawn = asyncio.Event(), asyncio.Event()

    async def approve(proposal: Any) -> Approve:
        asked.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            withdrawn.set()
            raise
        return Approve()

    async with connect(peer, approve=approve) as chat:
        turn = asyncio.ensure_future(said(chat, "at most 4"))
        await asked.wait()
        await peer.say(*lines.settle("call-1", "somebody else did it"))
        assert kinds(await turn)[-1] == "chat_response"
        assert withdrawn.is_set()
    assert peer.answers("validation_response") == []


async def test_an_ask_made_anew_while_the_person_decides_is_answered_instead(
    make_peer: Any, connect: Any, proposing: Any, lines: Any
) -> None:
    peer = await make_peer(proposing)
    asked: list[Any] = []

    async def approve(proposal: Any) -> Approve:
        asked.append(proposal.tool_origin.args["hash"])
        if len(asked) == 1:
            await asyncio.sleep(60)
        return Approve()

    async with connect(peer, approve=approve) as chat:
        turn = asyncio.ensure_future(said(chat, "at most 4"))
        await until(lambda: asked)
        await peer.say(*lines.propose(hash="newer")[1:])
        await turn
    (answer,) = peer.answers("validation_response")
    assert answer.tool_origin.args["hash"] == "newer"
    assert asked == ["h2", "newer"]


async def test_two_streams_at_once_are_refused(make_peer: Any, connect: Any, proposing: Any) -> None:
    peer = await make_peer(proposing)

    async def approve(proposal: Any) -> Approve:
        with pytest.raises(ProtocolError, match="another stream of this connection is running"):
            await said(chat, "me too")
        return Approve()

    async with connect(peer, approve=approve) as chat:
        await said(chat, "at most 4")
    assert len(peer.answers("prompt")) == 1


async def test_a_stream_left_by_break_can_be_followed_by_another(
    make_peer: Any, connect: Any, proposing: Any
) -> None:
    peer = await make_peer(proposing)
    async with connect(peer, approve=lambda p: Approve()) as chat:
        async for message in chat.stream_messages("at most 4"):
            assert message.kind == "tool_call"
            break
        messages = [message async for message in chat.resume()]
    assert kinds(messages)[-1] == "chat_response"


@pytest.mark.parametrize("text", ["", "  \n"])
async def test_a_blank_prompt_is_an_error_of_one_sentence(
    make_peer: Any, connect: Any, proposing: Any, text: str
) -> None:
    peer = await make_peer(proposing)
    async with connect(peer, approve=lambda p: Approve()) as chat:
        with pytest.raises(ProtocolError, match=r"^prompt: the prompt is empty"):
            await said(chat, text)


async def test_a_long_prompt_never_gets_into_the_outbox(make_peer: Any, connect: Any, proposing: Any) -> None:
    peer = await make_peer(proposing)
    async with connect(peer, approve=lambda p: Approve()) as chat:
        with pytest.raises(LimitExceeded, match="prompt"):
            await said(chat, "x" * 40_000)
        assert kinds(await said(chat, "short"))[-1] == "chat_response"


async def test_a_solve_is_answered_and_becomes_the_current_solution(
    make_peer: Any, connect: Any, solving: Any
) -> None:
    peer = await make_peer(solving)
    async with connect(peer) as chat:
        assert not chat.current_solution
        messages = await said(chat, "solve", exclude_message_types={"presence"})
        assert chat.current_solution.objective_value == len("# head")
    (answer,) = peer.answers("solve_response")
    assert answer.solving.solution_status == "optimal"
    assert answer.solving.solution_str == "optimal: objective 6, bound 6, gap 0%\ntake the tent"
    assert answer.validation.kind == "validation_succeeded"
    assert [message.kind for message in peer.live] == ["solve_progress", "solve_outcome"]
    assert peer.live[1].outcome.objective == len("# head")
    assert peer.live[1].tool_id == "solve-1"
    assert kinds(messages).index("solve_outcome") < kinds(messages).index("solve_response")


async def test_a_solve_can_be_refused_with_words(
    make_peer: Any, connect: Any, solving: Any, executor: Any
) -> None:
    peer = await make_peer(solving)
    async with connect(peer, approve_solve=lambda request: Reject("too expensive")) as chat:
        await said(chat, "solve")
        assert chat.current_solution is None
    (answer,) = peer.answers("solve_response")
    assert answer.rejected
    assert answer.rejection_message == "too expensive"
    assert answer.solving is None
    assert [job.task for job in executor.jobs] == ["build"]


async def test_cancel_stops_a_solve_and_keeps_the_plan(
    make_peer: Any, connect: Any, solving: Any, executor: Any
) -> None:
    peer = await make_peer(solving)
    executor.hold = True
    async with connect(peer) as chat:
        turn = asyncio.ensure_future(said(chat, "solve"))
        await executor.solving.wait()
        before = time.monotonic()
        chat.cancel()
        await turn
        assert time.monotonic() - before < 1
        assert chat.current_solution
        assert chat.current_solution.status == "interrupted_with_plan"
    (answer,) = peer.answers("solve_response")
    assert answer.solving.solution_status == "interrupted_with_plan"


async def test_cancel_while_the_person_decides_cancels_the_turn(
    make_peer: Any, connect: Any, proposing: Any
) -> None:
    peer = await make_peer(proposing)

    async def approve(proposal: Any) -> Approve:
        chat.cancel()
        await asyncio.sleep(60)
        return Approve()

    async with connect(peer, approve=approve) as chat:
        messages = await said(chat, "at most 4", exclude_message_types={"presence"})
    assert "cancelled" in kinds(messages)
    assert peer.answers("validation_response") == []


async def test_a_connection_is_used_inside_its_block_only(
    make_peer: Any, connect: Any, proposing: Any
) -> None:
    peer = await make_peer(proposing)
    async with connect(peer, approve=lambda proposal: Approve()) as chat:
        with pytest.raises(ProtocolError, match="open already"):
            await chat.__aenter__()
        assert kinds(await said(chat, "at most 4"))[-1] == "chat_response"
    with pytest.raises(ProtocolError, match=r"async with session\.connect\(\)"):
        await said(chat, "at most 4")
