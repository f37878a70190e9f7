"""The assistant may say something while nobody asks, such as which parts do not fit new data."""

import asyncio
from typing import Any

from decision_ai.client.schemas.chat_messages.chat import ChatResponse
from decision_ai.client.schemas.chat_messages.protocol import AskForPrompt
from decision_ai.wire.moves import Phase


async def responses(chat: Any, prompt: str) -> list[str]:
    return [
        message.response async for message in chat.stream_messages(prompt) if message.kind == "chat_response"
    ]


async def test_it_is_recorded_at_once_and_shown_with_the_next_turn(
    make_peer: Any, connect: Any, lines: Any
) -> None:
    def script(peer: Any, message: Any) -> Any:
        return [ChatResponse(response="answer"), AskForPrompt()]

    peer = await make_peer(script)
    async with connect(peer) as chat:
        assert await responses(chat, "one") == ["answer"]
        told = len(chat.conversation)
        await peer.say(ChatResponse(response="the data changed"), AskForPrompt())
        async with asyncio.timeout(5):
            while len(chat.conversation) < told + 2:  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(0.005)
        assert chat.conversation.phase is Phase.AWAITING_PROMPT
        assert await responses(chat, "two") == ["the data changed", "answer"]
        assert await responses(chat, "three") == ["answer"]
