import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.timeout(120)]
Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_piped_chat_reads_like_a_conversation_and_ends_with_the_optimum(
    run: Run, knapsack: tuple[str, str], best_value: Callable[[int], float]
) -> None:
    model, data = knapsack
    done = run("chat", model, "--data", data, typed="pick at most 4 items\ny\nsolve\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    for line in ("you> pick at most 4 items", "Approve? [y]es / [n]o: y", "you> solve"):
        assert line in lines
    effect = next(line for line in lines if line.startswith("  effect"))
    assert f"objective {best_value(7):g} → {best_value(4):g} (maximize), optimal" in effect
    assert f"optimal: objective {best_value(4):g}" in done.stdout.rpartition("you> solve")[2]


def test_a_rejection_keeps_the_words_and_the_model(
    run: Run, knapsack: tuple[str, str], best_value: Callable[[int], float]
) -> None:
    typed = "pick at most 4 items\nn too strict\npick at most 5 items\nn\n\n/history\nsolve\n"
    done = run("chat", knapsack[0], "--data", knapsack[1], typed=typed)
    assert "rejected: too strict" in done.stdout
    assert "rejected: no reason given" in done.stdout
    assert f"optimal: objective {best_value(7):g}" in done.stdout


def test_an_input_that_ends_at_the_question_changes_nothing(run: Run, knapsack: tuple[str, str]) -> None:
    done = run("chat", knapsack[0], "--data", knapsack[1], typed="pick at most 4 items\n")
    assert done.returncode == 0
    again = run("chat", "--continue", typed="/history\n")
    assert "Knapsack: 1 variable family, 3 constraints" in again.stdout
    assert "rejected: the input ended before an answer" in again.stdout


def test_in_a_terminal_the_card_comes_before_its_effect_and_an_edit_is_applied(
    terminal: Callable[..., Any], knapsack: tuple[str, str], tmp_path: Path
) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nsed -i "s/<= 4/<= 3/" "$1"\n')
    editor.chmod(0o755)
    chat = terminal("chat", knapsack[0], "--data", knapsack[1], EDITOR=str(editor), VISUAL=str(editor))
    chat.expect("you> ")
    chat.type("pick at most 4 items\n")
    chat.expect("Proposed change")
    chat.expect("effect")
    chat.expect("Approve? [y]es / [n]o / [e]dit: ")
    chat.type("e\n")
    chat.expect("you> ")
    chat.type("/history\n")
    chat.expect("Approved and applied: added constraint ")
    part = chat.screen.rpartition("added constraint ")[2].partition(".")[0]
    chat.type(f"/model {part}\n")
    chat.expect("<= 3")
    chat.type("/quit\n")
    assert chat.end() == 0
    assert "\x1b[3" in chat.raw
    assert max(len(line.rpartition("\r")[2]) for line in chat.screen.splitlines()) <= 80
