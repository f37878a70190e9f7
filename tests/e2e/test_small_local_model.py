"""A real small language model, where it was fetched: the client's contract, and a chat.

`make test-llm` runs this, nothing else does. It takes minutes, and what a language model says in free words
is not asserted: whatever it says, the edit, the plan and the figures have to be right.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from decision_ai import Approve, ChatSession, DecisionAI
from decision_ai.client.schemas.chat_messages.chat import ChatResponse
from decision_ai.examples import example
from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.context import AllowedTool, ContextPacket
from decision_ai_server.model_client.decisions import FinalAnswer, ToolCall
from decision_ai_server.model_client.openai_client import OpenAIModelClient
from decision_ai_server.models.cache import place_of
from decision_ai_server.models.catalogue import DEFAULT
from decision_ai_server.settings import LocalModelSettings

pytestmark = [pytest.mark.llm, pytest.mark.e2e, pytest.mark.timeout(900)]

LIMIT = AllowedTool(
    name="limit",
    description="Allow at most so many stages.",
    input_schema={"type": "object", "properties": {"most": {"type": "integer"}}, "required": ["most"]},
)
PACKET = ContextPacket(
    instructions="You plan a festival. Call a tool, or answer.",
    goal="open at most 2 stages",
    allowed_tools=(LIMIT,),
)


@pytest.fixture(scope="module")
def endpoint(clean_environment: None) -> Iterator[str]:
    """The address of the model, served until the tests end."""
    if not place_of(LocalModelSettings().models_dir, DEFAULT).exists():
        pytest.skip(f"{DEFAULT} is not here; `decision-ai models fetch` brings it")
    command = [sys.executable, "-m", "decision_ai_server.models", "serve-local", "--json"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())["base_url"]
        finally:
            process.terminate()


@pytest.fixture
async def client_with(endpoint: str) -> AsyncIterator[Callable[..., OpenAIModelClient]]:
    """Makes clients of the model."""
    made: list[OpenAIModelClient] = []

    def make(**settings: Any) -> OpenAIModelClient:
        patient = {"max_tokens": 200, "request_idle_timeout_seconds": 300, **settings}
        made.append(OpenAIModelClient(HarnessConfig(base_url=endpoint, model=DEFAULT, **patient)))
        return made[-1]

    yield make
    for client in made:
        await client.aclose()


@pytest.mark.parametrize("native_tool_calls", [True, False])
@pytest.mark.parametrize("stream", [True, False])
async def test_a_decision_is_one_checked_call(
    client_with: Callable[..., OpenAIModelClient], native_tool_calls: bool, stream: bool
) -> None:
    """With native tools, this model writes its calls into the text; they count all the same."""
    client = client_with(native_tool_calls=native_tool_calls, stream_model_calls=stream)
    decision = await client.adecide(PACKET)
    assert decision.action == ToolCall(name="limit", input={"most": 2})
    assert decision.usage is not None
    assert decision.usage.prompt_tokens > decision.usage.completion_tokens > 0


async def test_without_tools_there_is_an_answer(client_with: Callable[..., OpenAIModelClient]) -> None:
    client = client_with(native_tool_calls=False)
    decision = await client.adecide(
        ContextPacket(goal="Which colour is grass? Answer.", instructions="Be brief.")
    )
    assert isinstance(decision.action, FinalAnswer)


async def test_a_reply_is_cancelled_at_once(client_with: Callable[..., OpenAIModelClient]) -> None:
    client = client_with(native_tool_calls=False)
    waiting = asyncio.create_task(client.adecide(PACKET))
    await asyncio.sleep(0.5)
    waiting.cancel()
    started = time.monotonic()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert time.monotonic() - started < 5
    assert isinstance((await client.adecide(PACKET)).action, ToolCall)


@pytest.fixture
def session(endpoint: str, new_server: Callable[..., Any]) -> Iterator[ChatSession]:
    """The knapsack, with this model as the modeller."""
    settings = {"BASE_URL": endpoint, "MODEL": DEFAULT, "NATIVE_TOOL_CALLS": "false", "TOOLS": "small"}
    settings |= {"DATA_VISIBILITY": "full", "REQUEST_IDLE_TIMEOUT_SECONDS": "300", "MAX_TOKENS": "1024"}
    server = new_server("llm", settings={f"DECISION_AI_LLM_{name}": text for name, text in settings.items()})
    server.start()
    with DecisionAI(server.url, server.key) as client:
        yield client.create_chat_session(*example("knapsack"))


async def say(session: ChatSession, sentence: str) -> str:
    async with session.connect(approve=lambda proposal: Approve()) as chat:
        stream = chat.stream_messages(sentence)
        said = [message.response async for message in stream if isinstance(message, ChatResponse)]
    return said[-1]


async def test_a_chat_edits_solves_and_answers(session: ChatSession) -> None:
    await say(session, "pick at most 4 items")
    program = session.program
    assert "<= 4" in program

    assert "104" in await say(session, "solve")
    assert "1.5" in await say(session, "how heavy is the camera?")
    assert session.program == program
