"""A modeller that writes while one watches, over a private server: in a terminal and in a pipe."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from decision_ai import DecisionAI

pytestmark = pytest.mark.timeout(120)
MODELLER = """
import asyncio

from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta
from decision_ai.errors import DecisionAIError
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision


class Writer:
    async def decide(self, context):
        if context.sentence == "fail":
            raise DecisionAIError("the language model does not answer; start it")
        if context.sentence == "ask":
            return ModelDecision(action=AskUser(question="Which tent?"))
        context.tell(ChatResponseDelta(delta="The wrong start"))
        await asyncio.sleep(0.5)
        context.tell(ChatResponseDelta(delta="The plan", restart=True))
        await asyncio.sleep(30 if context.sentence == "stall" else 0.5)
        return ModelDecision(action=FinalAnswer(answer="The plan is cheap."))
"""


EVERYTHING = "go\nask\nfail\n/sent\n/usage\n"


@pytest.fixture
def writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment in which the private server has the modeller; ask for it after `terminal`."""
    (tmp_path / "writer_modeller.py").write_text(MODELLER)
    monkeypatch.delenv("DECISION_AI_URL", raising=False)
    return {"PYTHONPATH": str(tmp_path), "DECISION_AI_SERVER_MODELLER": "writer_modeller:Writer"}


def test_a_response_is_shown_as_it_is_written_and_an_interrupt_stops_it(
    terminal: Callable[..., Any],
    knapsack: tuple[str, str],
    writer: dict[str, str],
    on_screen: Callable[[str], list[str]],
) -> None:
    chat = terminal("chat", knapsack[0], "--data", knapsack[1], **writer)
    chat.expect("you> ")
    chat.type("go\n")
    for text in ("The wrong start", "The plan", "The plan is cheap.", "you> "):
        chat.expect(text)
    chat.type("stall\n")
    for text in ("The wrong start", "The plan", "s, Ctrl-C stops"):
        chat.expect(text)
    chat.type("\x03")
    for text in ("Stopping", "you> "):
        chat.expect(text)
    chat.type("fail\n")
    chat.expect("Error: the language model does not answer; start it")
    chat.expect("you> ")
    chat.type("/quit\n")
    assert chat.end() == 0
    left = on_screen(chat.raw)
    assert left.count("The plan is cheap.") == 1
    assert not [line for line in left if "wrong" in line or line == "The plan" or "thinking" in line]


def piped(writer: dict[str, str], *arguments: str, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "decision_ai.cli", "chat", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        env=os.environ | writer,
        timeout=60,
        check=False,
    )


def test_a_question_that_waits_is_there_again_when_the_chat_goes_on(
    knapsack: tuple[str, str], writer: dict[str, str]
) -> None:
    piped(writer, knapsack[0], "--data", knapsack[1], typed="ask\n")
    again = piped(writer, "--continue", typed="go\n").stdout
    before, after = again.split("you> go", 1)
    assert before.endswith("/quit leaves.\n\nWhich tent?\n\n")
    assert "Which tent?" not in after
    assert "Which tent?" not in piped(writer, "--continue", typed="").stdout


def test_in_a_pipe_a_question_without_somebody_to_answer_it_is_the_exit_status(
    knapsack: tuple[str, str], writer: dict[str, str]
) -> None:
    done = piped(writer, knapsack[0], "--data", knapsack[1], "--non-interactive", typed=EVERYTHING)
    assert (done.returncode, done.stderr) == (5, "")
    answers = [part.partition("\n")[2].strip() for part in done.stdout.split("you> ")[1:]]
    assert answers == [
        "The plan is cheap.",
        "Blocked: I would have to ask: Which tent?",
        "Error: the language model does not answer; start it",
        "No language model was asked in this session.",
        "No tokens of a language model were counted in this session.",
        "",
    ]


def test_a_chat_begins_with_what_is_to_be_known_about_the_server(
    knapsack: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DECISION_AI_URL", raising=False)
    with DecisionAI():
        monkeypatch.setenv("DECISION_AI_LLM_MODEL", "another")
        commands = (["sessions"], ["chat", knapsack[0], "--data", knapsack[1]])
        without, chat = [
            subprocess.run(
                [sys.executable, "-m", "decision_ai.cli", *command],
                input="/quit\n",
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
            for command in commands
        ]
    assert (without.stderr, chat.stderr) == ("", "")
    assert "Note:" not in without.stdout
    assert chat.stdout.startswith("Note: the private server was started by another client")
    assert chat.stdout.count("Note:") == 1
