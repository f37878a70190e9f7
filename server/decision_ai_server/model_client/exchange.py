"""One decision as a conversation with an endpoint, without any I/O.

`Exchange.run` is a generator: it yields what is to be done next (a `Step`) and is sent what came of it. A
synchronous and an asynchronous driver (`lines.py`) do the steps; everything that is decided is decided here.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from decision_ai_server.model_client.capabilities import Capabilities, Lowering, refused
from decision_ai_server.model_client.config import HarnessConfig
from decision_ai_server.model_client.context import ContextPacket
from decision_ai_server.model_client.decisions import DecisionRetryNote, DecisionUsage, ModelDecision
from decision_ai_server.model_client.errors import DecisionParseError, StreamingUnsupportedError
from decision_ai_server.model_client.events import ClientEvent, RequestSent, Restarted, Watch
from decision_ai_server.model_client.failures import noted, quoted, told_error
from decision_ai_server.model_client.reading import read_decision, written
from decision_ai_server.model_client.replies import Failure, RawReply
from decision_ai_server.model_client.requests import Replay, build_body, characters_to_show, excerpt
from decision_ai_server.model_client.retrying import backoff_seconds, retry_after_seconds
from decision_ai_server.model_client.streaming import Assembly


@dataclass(frozen=True)
class Send:
    """Send a request; answered with `Opened` if it is streamed, else with the reply, or with a failure."""

    body: dict[str, Any]


@dataclass(frozen=True)
class Receive:
    """Wait for the next chunk of the open stream; answered with it, `Ended` or a failure."""


@dataclass(frozen=True)
class Pause:
    """Wait; an open stream is of no use any more."""

    seconds: float


@dataclass(frozen=True)
class Opened:
    """The stream has begun."""


@dataclass(frozen=True)
class Arrived:
    """One chunk, in whatever class the library has for it."""

    chunk: Any


@dataclass(frozen=True)
class Ended:
    """The stream has ended by itself."""


Step: TypeAlias = Send | Receive | Pause
Came: TypeAlias = RawReply | Failure | Opened | Arrived | Ended | None
Steps: TypeAlias = Generator[Step, Came, ModelDecision]


@dataclass
class Known:
    """What a client has learnt about its endpoint; the one thing that outlives an exchange."""

    able: Capabilities

    def keep(self, lowerings: tuple[Lowering, ...]) -> None:
        """Do without what was refused from now on."""
        self.able = self.able.lowered(*lowerings)


@dataclass(frozen=True)
class Surroundings:
    """What an exchange is given besides the packet.

    Attributes:
        parse_retries: further tries after a malformed reply.
        transport_retries: further attempts after a lost one, for each try.
        streams: whether the driver can stream.
        secret: the key, which must not be in any text.
        jitter: a number from [0, 1).
        clock: the time in seconds since 1970.
    """

    config: HarnessConfig
    known: Known
    parse_retries: int
    transport_retries: int
    streams: bool
    secret: str
    jitter: Callable[[], float]
    clock: Callable[[], float]


class Exchange:
    """One decision.

    Args:
        packet: what it is made on.
        around: settings, knowledge, chance and time.
        watch: told of every event.
    """

    def __init__(self, packet: ContextPacket, around: Surroundings, watch: Watch) -> None:
        self._packet = packet
        self._around = around
        self._watch = watch
        self._able = around.known.able
        self._lowerings: tuple[Lowering, ...] = ()
        self._tried: frozenset[Lowering] = frozenset()
        self._replays: list[Replay] = []
        self._retry_trace: list[DecisionRetryNote] = []
        self._transport_trace: list[str] = []
        self._streaming_fallback = ""
        self._usage: DecisionUsage | None = None
        self._has_told = False

    def run(self) -> Steps:
        """Fetch the decision.

        Raises:
            DecisionParseError: if the last reply is malformed too.
            TransportError: if no usable reply came.
        """
        last = self._around.parse_retries
        for attempt in range(last + 1):
            reply = yield from self._reply()
            try:
                return self._decided(reply)
            except DecisionParseError as error:
                self._note_malformed(reply, str(error))
                if attempt < last:
                    self._restart(f"the reply was malformed: {error}")
        told = quoted(self._retry_trace[-1].error, self._around.secret)
        raise DecisionParseError(
            f"no valid decision in {last + 1} replies; the last one: {told}", self._usage
        )

    def _reply(self) -> Generator[Step, Came, RawReply]:
        """A reply to the present request, however often it must be sent."""
        around = self._around
        lost = 0
        while True:
            self._able = around.known.able.lowered(*self._lowerings)
            body = build_body(
                self._packet, around.config, self._able, self._replays, streamed=self._streams()
            )
            came = yield from self._attempt(body)
            self._spend(came.usage)
            if isinstance(came, RawReply):
                around.known.keep(self._lowerings)
                return came
            self._transport_trace.append(noted(came, around.secret))
            if self._lower(body, came):
                self._restart("the endpoint does not support a part of the request")
                continue
            if not came.is_passing or lost == around.transport_retries:
                raise told_error(came, around.config, lost + 1, self._usage, around.secret)
            self._restart(f"the reply was lost: {self._transport_trace[-1]}")
            asked = retry_after_seconds(came.headers, around.clock()) or 0.0
            yield Pause(max(backoff_seconds(lost, around.jitter()), asked))
            lost += 1

    def _attempt(self, body: dict[str, Any]) -> Generator[Step, Came, RawReply | Failure]:
        self._watch(RequestSent(body))
        came = yield Send(body)
        if isinstance(came, RawReply | Failure):
            return came
        assembly = Assembly(native=self._able.tools)
        while True:
            came = yield Receive()
            if isinstance(came, Failure):
                return replace(came, usage=assembly.usage)
            if not isinstance(came, Arrived):
                return assembly.reply()
            try:
                for event in assembly.feed(came.chunk):
                    self._tell(event)
            except StreamingUnsupportedError as error:
                return Failure("unstreamable", str(error), usage=assembly.usage)

    def _lower(self, body: dict[str, Any], failure: Failure) -> bool:
        """Do without what the endpoint refused; False if it refused nothing that can be done without."""
        lowering = refused(body, failure, self._able)
        if lowering is None or lowering in self._tried:
            if failure.status is not None and failure.status >= 500:
                # The lowered request broke down as well, so the guess was wrong.
                self._lowerings = tuple(each for each in self._lowerings if not each.is_guess)
            return False
        self._tried |= {lowering}
        self._lowerings += (lowering,)
        if lowering.feature == "stream":
            self._streaming_fallback = self._transport_trace[-1]
        return True

    def _decided(self, reply: RawReply) -> ModelDecision:
        decision = read_decision(reply, self._packet, native=self._able.tools, streamed=self._streams())
        if len(reply.calls) > 1:
            names = ", ".join(repr(call.name) for call in reply.calls[1:])
            note = f"one action a reply: only the first call counts, dropped were {names}"
            self._note(note, written(reply.calls[1:]))
        return decision.model_copy(
            update={
                "retry_trace": self._retry_trace,
                "transport_trace": self._transport_trace,
                "streaming_fallback": self._streaming_fallback,
                "usage": self._usage,
            }
        )

    def _streams(self) -> bool:
        return self._around.streams and self._able.stream

    def _note_malformed(self, reply: RawReply, error: str) -> None:
        limit = self._around.config.max_tokens
        if reply.is_cut_off:
            error = f"the reply was cut off at the limit of {limit or 'its'} tokens, so be shorter; {error}"
        characters = characters_to_show(reply, self._packet)
        self._replays.append(Replay(reply, error, characters))
        self._note(error, reply.content + written(reply.calls[:1]), characters)

    def _note(self, error: str, raw: str, characters: int = 2_000) -> None:
        self._retry_trace.append(DecisionRetryNote(error=error, raw=excerpt(raw, characters)))

    def _spend(self, usage: DecisionUsage | None) -> None:
        if usage is not None:
            before = self._usage or DecisionUsage()
            self._usage = DecisionUsage(
                prompt_tokens=before.prompt_tokens + usage.prompt_tokens,
                completion_tokens=before.completion_tokens + usage.completion_tokens,
            )

    def _tell(self, event: ClientEvent) -> None:
        self._has_told = True
        self._watch(event)

    def _restart(self, reason: str) -> None:
        if self._has_told:
            self._has_told = False
            self._watch(Restarted(reason))
