"""The port, and the names of its package."""

import subprocess
import sys
import threading

import pytest

import decision_ai_server.model_client as package
from decision_ai_server.model_client import ContextPacket, FinalAnswer, ModelClient, ModelDecision

PACKET = ContextPacket(goal="g")


class Threaded(ModelClient):
    """Answers with whether it runs in the main thread."""

    def decide(self, context: ContextPacket) -> ModelDecision:
        main = threading.current_thread() is threading.main_thread()
        return ModelDecision(action=FinalAnswer(answer=f"{context.goal} {main}"))


async def test_a_client_that_only_blocks_does_not_block_the_event_loop() -> None:
    expected = ModelDecision(action=FinalAnswer(answer="g False"))
    assert await Threaded().adecide(PACKET) == expected
    assert await Threaded().adecide_watched(PACKET, [].append) == expected


def test_every_name_of_the_package_loads() -> None:
    assert len(set(package.__all__)) == len(package.__all__)
    for name in package.__all__:
        assert getattr(package, name).__name__ == name
    with pytest.raises(AttributeError, match="has no attribute 'OpenAiClient'"):
        package.OpenAiClient  # noqa: B018


def test_the_package_does_not_load_the_openai_library() -> None:
    program = "import sys, decision_ai_server.model_client; print('openai' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
