"""The real command walks among versions that a person made in the chat."""

import subprocess
from collections.abc import Callable

import pytest

from decision_ai.client.chat_session import ChatSession
from decision_ai.client.request_handler import RequestHandler
from decision_ai.errors import DecisionAIError
from decision_ai.terminal.screen import Screen
from decision_ai.terminal.version_commands import VersionCommands

pytestmark = pytest.mark.timeout(120)


def test_versions_are_walked_compared_and_reset(
    run: Callable[..., subprocess.CompletedProcess[str]], knapsack: tuple[str, str]
) -> None:
    steps = {
        "switch off max_items": "max_items",
        "/undo": "Undone. The model is now:",
        "/redo": "max_items (off)",
        "/redo 2": "There is nothing to redo",
        "/branch two ways": "This is now the branch 'two ways'; /checkout main leads back.",
        "/reset max_items": "Reset max_items. The model is now:",
        "/versions": "2. changed constraint max_items ← present",
        "/checkout 1": "Gone to 1. The model is now:",
        "/checkout nowhere": "numbers 0 to 2 and the branches 'main', 'two ways'",
        "/compare main 'two ways'": "changed constraint max_items",
        "/compare 0": "Version 0 → version 1:",
        "/quit": "",
    }
    done = run("chat", knapsack[0], "--data", knapsack[1], "--yes", typed="\n".join(steps))
    assert (done.returncode, done.stderr) == (0, "")
    answers = [part.partition("\n")[2].strip() for part in done.stdout.split("you> ")[1:]]
    for (typed, words), answer in zip(steps.items(), answers, strict=True):
        assert words in answer, typed
    assert "main: version 1\n" in answers[6]
    assert "two ways: version 2 ← present" in answers[6]
    assert "version 1: optimal, objective" in answers[9]


@pytest.mark.parametrize(
    ("command", "rest", "words"),
    [
        ("/undo", "0x2", "'0x2' is not a number of steps; say /undo or /undo 2"),
        ("/redo", "-1", "'-1' is not a number of steps; say /redo or /redo 2"),
        ("/branch", "", "say what to call the branch"),
        ("/checkout", "", "say where to go"),
        ("/compare", "", "say which one or two versions"),
        ("/compare", "1 2 3", "say which one or two versions"),
        ("/compare", "'night", "a quotation mark is missing"),
        ("/reset", "", "say which part to reset"),
    ],
)
def test_what_cannot_be_meant_is_said_before_the_server_is_asked(command: str, rest: str, words: str) -> None:
    session = ChatSession(RequestHandler("http://127.0.0.1:1"), "s")
    commands = VersionCommands(Screen(), session, lambda: None).commands()
    with pytest.raises(DecisionAIError, match=words):
        commands[command][2](rest)
