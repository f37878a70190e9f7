import os
import resource
from pathlib import Path

import pytest

from decision_ai.client.outbox import Outbox
from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.errors import DecisionAIError


def say(text: str) -> MessageContainer:
    return MessageContainer(chat_session_id="s", message=Prompt(prompt=text))


def test_what_is_not_settled_is_there_after_a_crash(tmp_path: Path) -> None:
    first, second, third = say("one"), say("two é"), say("three")
    outbox = Outbox.open(tmp_path, "s")
    for container in (first, second, third):
        outbox.put(container)
    outbox.settle(second.message_id)
    outbox.close()  # what a crash does to the file
    with Outbox.open(tmp_path, "s") as again:
        assert again.pending == (first, third)
        assert first.message_id in again
        assert second.message_id not in again


def test_the_file_is_cut_when_nothing_waits(tmp_path: Path) -> None:
    container = say("one")
    with Outbox.open(tmp_path, "s") as outbox:
        outbox.put(container)
        assert (tmp_path / "s.0.jsonl").stat().st_size > 0
        outbox.settle("unknown")
        outbox.settle(container.message_id)
        assert (tmp_path / "s.0.jsonl").stat().st_size == 0


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_line_that_a_crash_cut_off_is_ignored_and_harms_no_other(tmp_path: Path, cut: int) -> None:
    kept, later = say("kept"), say("later")
    with Outbox.open(tmp_path, "s") as outbox:
        outbox.put(kept)
        outbox.put(say("half"))
    path = tmp_path / "s.0.jsonl"
    os.truncate(path, path.stat().st_size - cut)
    with Outbox.open(tmp_path, "s") as outbox:
        assert outbox.pending == (kept,)
        outbox.put(later)
    with Outbox.open(tmp_path, "s") as outbox:
        assert outbox.pending == (kept, later)


def test_two_connections_of_a_session_do_not_share_a_file(tmp_path: Path) -> None:
    with Outbox.open(tmp_path, "s") as one, Outbox.open(tmp_path, "s") as other:
        one.put(say("one"))
        assert other.pending == ()
        other.put(say("other"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s.0.jsonl", "s.1.jsonl"]


def test_what_a_dead_connection_left_is_taken_over_by_the_next(tmp_path: Path) -> None:
    left = say("left")
    with Outbox.open(tmp_path, "s") as one:
        with Outbox.open(tmp_path, "s") as other:
            other.put(left)
        with Outbox.open(tmp_path, "s") as third:
            assert third.pending == (left,)
        assert one.pending == ()
    with Outbox.open(tmp_path, "s") as next_one:
        assert next_one.pending == (left,)
    with Outbox.open(tmp_path, "s") as again:
        assert again.pending == (left,)
    assert (tmp_path / "s.1.jsonl").stat().st_size == 0


def test_a_full_disk_is_told_and_nothing_was_said(tmp_path: Path) -> None:
    kept, lost = say("kept"), say("lost " * 1000)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Outbox.open(tmp_path, "s") as outbox:
        outbox.put(kept)
        full = (tmp_path / "s.0.jsonl").stat().st_size + 100
        resource.setrlimit(resource.RLIMIT_FSIZE, (full, hard))
        try:
            with pytest.raises(DecisionAIError, match=r"what was said cannot be kept: .*free some space"):
                outbox.put(lost)
            assert outbox.pending == (kept,)
            outbox.settle(kept.message_id)
            assert outbox.pending == ()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_folder_that_cannot_be_one_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DecisionAIError, match=r"what is said in '.*file' cannot be kept"):
        Outbox.open(tmp_path / "file", "s")


def test_the_files_are_for_this_user_only(tmp_path: Path) -> None:
    with Outbox.open(tmp_path / "outbox", "s"):
        assert (tmp_path / "outbox").stat().st_mode & 0o077 == 0
        assert (tmp_path / "outbox" / "s.0.jsonl").stat().st_mode & 0o077 == 0
