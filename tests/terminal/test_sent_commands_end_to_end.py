"""What went to a model endpoint, over both processes."""

import json
import os
import subprocess
import sys

import pytest

from decision_ai import DecisionAI
from decision_ai_server.testing import Reply, Script, scripted_process

pytestmark = pytest.mark.timeout(120)
SECRET = "sk-the-key-of-the-endpoint"


def test_what_went_to_the_model_is_shown_without_its_key(
    knapsack: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    replies = [
        Reply.tool_call("final_answer", {"answer": "The tent is heavy."}),
        Reply.error(401, "wrong key"),
    ]
    monkeypatch.delenv("DECISION_AI_URL", raising=False)
    with scripted_process(Script(replies=replies)) as endpoint:
        environment = {
            "DECISION_AI_LLM_BASE_URL": endpoint.base_url,
            "DECISION_AI_LLM_MODEL": "scripted",
            "DECISION_AI_LLM_API_KEY": SECRET,
        }
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        with DecisionAI() as client:
            done = subprocess.run(
                [sys.executable, "-m", "decision_ai.cli", "chat", knapsack[0], "--data", knapsack[1]],
                input="what is heavy?\n/sent\n/sent 0 1\n/usage\nand now?\n/sent\n",
                capture_output=True,
                text=True,
                env=dict(os.environ),
                timeout=60,
                check=False,
            )
            state = next(client.list_chat_sessions())
            first, *_ = client.continue_chat_session(state.id).sent_to_model("all")
    assert (done.returncode, done.stderr) == (0, "")
    answer, outline, in_full, usage, failed, lost, _ = [
        " ".join(part.partition("\n")[2].split()) for part in done.stdout.split("you> ")[1:]
    ]
    assert answer == "The tent is heavy."
    assert "turn 0, request 1: model scripted" in outline
    assert "20 tokens read, 5 written" in outline
    assert "what is heavy?" in in_full
    assert "1 decision · 20 tokens read, 5 written" in usage
    assert failed.startswith("Error: ")
    assert "no decision came of it" in lost
    assert SECRET not in done.stdout
    assert first.body["messages"][-1]["role"] == "user"
    assert SECRET not in json.dumps(first.body)
    assert first.prompt_tokens == 20
