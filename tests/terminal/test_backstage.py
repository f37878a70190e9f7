from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.timeout(120)
SLOW_MODELLER = """
import asyncio


class Slow:
    async def decide(self, context):
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            if context.sentence == "do not stop":
                await asyncio.sleep(8)
            raise
"""


def test_an_interrupt_at_the_question_stops_the_turn_and_two_leave(
    terminal: Callable[..., Any], knapsack: tuple[str, str]
) -> None:
    chat = terminal("chat", knapsack[0], "--data", knapsack[1])
    chat.expect("you> ")
    chat.type("pick at most 4 items\n")
    chat.expect("[e]dit: ")
    chat.interrupt_line()
    chat.expect("Nothing was changed")
    chat.expect("you> ")
    chat.interrupt_line("half a sent")
    chat.expect("again or /quit leaves")
    chat.expect("you> ")
    chat.interrupt_line()
    assert chat.end() == 0


def test_an_interrupt_stops_a_solve_with_the_best_plan(
    terminal: Callable[..., Any], hard: tuple[str, str]
) -> None:
    chat = terminal("chat", hard[0], "--data", hard[1])
    chat.expect("you> ")
    chat.type("solve\n")
    chat.expect("best ")
    chat.type("\x03")
    chat.expect("interrupted_with_plan: objective", seconds=10)
    chat.expect("you> ")
    chat.type("/quit\n")
    assert chat.end() == 0


def test_an_interrupt_stops_thinking_and_a_second_one_leaves(
    terminal: Callable[..., Any],
    knapsack: tuple[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "slow_modeller.py").write_text(SLOW_MODELLER)
    monkeypatch.delenv("DECISION_AI_URL")
    chat = terminal(
        *["chat", knapsack[0], "--data", knapsack[1]],
        PYTHONPATH=str(tmp_path),
        DECISION_AI_SERVER_MODELLER="slow_modeller:Slow",
    )
    chat.expect("you> ")
    chat.type("think about it\n")
    chat.expect("thinking")
    chat.expect("thinking")
    chat.type("\x03")
    chat.expect("Stopping")
    chat.expect("you> ")
    chat.type("do not stop\n")
    chat.expect("thinking")
    chat.expect("thinking")
    chat.type("\x03")
    chat.expect("Stopping")
    chat.type("\x03")
    assert chat.end(7) == 0
