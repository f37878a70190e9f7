"""Decisions from any OpenAI-compatible endpoint."""

import asyncio
import random
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Any

from decision_ai_server.model_client import sdk
from decision_ai_server.model_client.capabilities import Capabilities
from decision_ai_server.model_client.client import ModelClient
from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.context import ContextPacket
from decision_ai_server.model_client.decisions import ModelDecision
from decision_ai_server.model_client.events import Watch, ignore
from decision_ai_server.model_client.exchange import Exchange, Known, Surroundings
from decision_ai_server.model_client.lines import Line, adrive, drive


class OpenAIModelClient(ModelClient):
    """Calls an OpenAI-compatible endpoint and validates its replies.

    A malformed reply goes back to the model, a lost one is asked for again, and what the endpoint does not
    support is done without for the life of this client. Neither the `openai` extra nor a key is needed before
    the first decision. Connections are kept, for every event loop its own: end with `close`, or with `aclose`
    on the loop that made decisions.

    Args:
        config: endpoint, model, time-outs.
        client: a client of the `openai` library to use instead of an own one; it stays open.
        max_parse_retries: further tries after a malformed reply.
        transport_max_retries: further attempts after a lost reply; None = as in `config`.
        sleep: waits between the attempts of `decide`.
        aclient: like `client`, for `adecide`.
        asleep: waits between the attempts of `adecide`.
    """

    def __init__(
        self,
        config: HarnessConfig,
        client: Any = None,
        max_parse_retries: int = 2,
        *,
        transport_max_retries: int | None = None,
        sleep: Callable[[float], None] = time.sleep,
        aclient: Any = None,
        asleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._config = config
        self._client = client
        self._aclient = aclient
        self._sleep = sleep
        self._asleep = asleep
        self._parse_retries = max_parse_retries
        self._transport_retries = (
            config.transport_max_retries if transport_max_retries is None else transport_max_retries
        )
        self._own: Any = None
        self._opening = threading.Lock()
        self._own_of_loop: dict[asyncio.AbstractEventLoop, Any] = {}
        self._known = Known(Capabilities.wanted(config))

    def decide(self, context: ContextPacket) -> ModelDecision:
        """The decision for the present turn, unstreamed.

        Args:
            context: the assembled packet.

        Raises:
            DecisionParseError: if every reply was malformed.
            TransportError: if no usable reply came, or the `openai` extra or a key is missing.
        """
        client = self._sync_client()
        exchange = Exchange(context, self._around(client, streams=False), ignore)
        return drive(exchange.run(), client, self._config, self._sleep)

    async def adecide(self, context: ContextPacket) -> ModelDecision:
        """`decide`, streamed unless the settings or the endpoint say no; may be cancelled at any moment."""
        return await self.adecide_watched(context, ignore)

    async def adecide_watched(self, context: ContextPacket, watch: Watch) -> ModelDecision:
        """`adecide` that tells every request, and the text as it arrives.

        Args:
            context: the assembled packet.
            watch: called on the event loop for every event, in order; must not block.

        Raises:
            DecisionParseError: if every reply was malformed.
            TransportError: if no usable reply came, or the `openai` extra or a key is missing.
        """
        client = await self._async_client()
        exchange = Exchange(context, self._around(client, streams=True), watch)
        return await adrive(exchange.run(), Line(client, self._config, self._asleep))

    def close(self) -> None:
        """Close the connections of `decide`; the next decision opens new ones."""
        client, self._own = self._own, None
        if client is not None:
            client.close()

    async def aclose(self) -> None:
        """Close the connections of `adecide` on this event loop, and those of `decide`."""
        self.close()
        client = self._own_of_loop.pop(asyncio.get_running_loop(), None)
        if client is not None:
            await client.close()

    def _sync_client(self) -> Any:
        if self._client is not None:
            return self._client
        with self._opening:
            if self._own is None:
                self._own = sdk.open_client(self._config)
            return self._own

    async def _async_client(self) -> Any:
        if self._aclient is not None:
            return self._aclient
        loop = asyncio.get_running_loop()
        if loop not in self._own_of_loop:
            # Loading the library and the certificates takes long enough to be felt on a loop. Two of these
            # at once make two clients; the one that is dropped has no connection yet.
            made = await asyncio.to_thread(sdk.open_async_client, self._config)
            self._own_of_loop.setdefault(loop, made)
        return self._own_of_loop[loop]

    def _around(self, client: Any, *, streams: bool) -> Surroundings:
        return Surroundings(
            config=self._config,
            known=self._known,
            parse_retries=self._parse_retries,
            transport_retries=self._transport_retries,
            streams=streams,
            secret=sdk.key_of(client),
            jitter=random.random,
            clock=time.time,
        )
