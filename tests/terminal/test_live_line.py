import io
import time
from collections.abc import Callable

from hypothesis import given, strategies as st
from rich.cells import cell_len
from rich.console import Console

from decision_ai.client.draft import Draft
from decision_ai.terminal.live_line import LiveLine, Silent, draft_lines


def console(width: int = 40, height: int = 10, get_time: Callable[[], float] = time.monotonic) -> Console:
    return Console(
        file=io.StringIO(), force_terminal=True, width=width, height=height, get_time=get_time, _environ={}
    )


def plain(draft: Draft, *, width: int = 40, height: int = 10) -> list[str]:
    return [line.plain.rstrip() for line in draft_lines(console(width, height), draft)]


def drawn(line: LiveLine, on: Console) -> str:
    with on.capture() as capture:
        on.print(line._content())
    return capture.get()


def test_without_a_draft_there_is_only_the_line() -> None:
    assert plain(Draft()) == []


def test_reasoning_comes_before_the_response_and_is_dim() -> None:
    lines = draft_lines(console(), Draft(response="The plan\nis cheap.", reasoning="first the tent"))
    assert [(line.plain, str(line.style)) for line in lines] == [
        ("", ""), ("first the tent", "dim"), ("The plan", ""), ("is cheap.", ""),
    ]  # fmt: skip


def test_of_a_long_draft_the_end_is_shown() -> None:
    lines = plain(Draft(response="\n".join(map(str, range(1000)))))
    assert lines == ["", *map(str, range(993, 1000))]


def test_what_a_label_holds_moves_no_cursor() -> None:
    assert plain(Draft(response="\x1b[2J\r\nok\x07\u202e")) == ["", "\\x1b[2J", "ok\\x07\\u202e"]


@given(st.text(max_size=3000), st.integers(2, 100), st.integers(4, 20))
def test_it_never_needs_more_room_than_the_screen_has(text: str, width: int, height: int) -> None:
    lines = draft_lines(console(width, height), Draft(response=text, reasoning=text[:50]))
    assert len(lines) <= height - 2
    assert all(cell_len(line.plain.rstrip()) <= width for line in lines)


def test_one_endless_line_grows_without_shifting_and_costs_little() -> None:
    text = "word " * 200_000
    begun = time.perf_counter()
    shown = {line for n in range(20) for line in plain(Draft(response=text[: len(text) - n]))[1:-1]}
    assert time.perf_counter() - begun < 2
    assert shown == {"word " * 7 + "word"}


def test_the_line_counts_the_seconds_in_which_nothing_arrives() -> None:
    now = 100.0
    on = console(get_time=lambda: now)
    line = LiveLine(on, lambda seconds: f"waited {seconds:g}")
    now = 112.0
    assert "waited 12" in drawn(line, on)
    line.write(Draft(response="The plan"))
    shown = drawn(line, on)
    assert "waited 0" in shown
    assert shown.index("The plan") < shown.index("waited")


def test_everything_that_was_drawn_is_erased_at_the_end() -> None:
    on = console()
    line = LiveLine(on, "writing …")
    with line.turning():
        line.write(Draft(response="one\ntwo"))
        assert isinstance(on.file, io.StringIO)
        while "two" not in on.file.getvalue():  # another thread draws it
            time.sleep(0.01)
    lines = on.file.getvalue().count("\n")
    assert on.file.getvalue().count("\x1b[1A\x1b[2K") >= 3
    assert lines


def test_nothing_is_written_where_nothing_can_be_written_over() -> None:
    line = Silent()
    line.say("thinking …")
    line.write(Draft(response="half a"))
