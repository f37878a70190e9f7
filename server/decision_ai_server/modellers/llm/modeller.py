"""The modeller that asks a language model: packs the turn, asks, and reads the decision."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta, ReasoningDelta
from decision_ai_server.agent.ports import TurnContext
from decision_ai_server.model_client import events
from decision_ai_server.model_client.client import ModelClient
from decision_ai_server.model_client.decisions import (
    AskUser,
    FinalAnswer,
    ModelDecision,
    ToolCall,
)
from decision_ai_server.model_client.errors import DecisionParseError, TransportError
from decision_ai_server.modellers.llm.fencing import harmless
from decision_ai_server.modellers.llm.masking import Mask
from decision_ai_server.modellers.llm.notes import decision_note, loss_note, request_note
from decision_ai_server.modellers.llm.options import LlmOptions
from decision_ai_server.modellers.llm.packing import Packed, pack
from decision_ai_server.modellers.llm.turns import NOTICE

_LONGEST_PREFACE = 200
_ATTEMPTS = 2
"""How often a decision is asked for before its form is given up on."""


class LlmModeller:
    """Asks a language model for every decision; keeps nothing between them.

    Args:
        client: who talks to the endpoint.
        options: how requests are made up.
        clock: seconds that only ever grow.
    """

    def __init__(
        self, client: ModelClient, options: LlmOptions, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._client, self._options, self._clock = client, options, clock

    async def decide(self, context: TurnContext) -> ModelDecision:
        """One decision for the present turn.

        Raises:
            TransportError: if the endpoint brought nothing usable.
            DecisionParseError: if the language model's replies were no decisions, twice in a row.
        """
        packed = await asyncio.to_thread(pack, context, self._options)
        for _ in range(_ATTEMPTS):
            try:
                return self._meant(await self._asked(packed, context), packed, context)
            except DecisionParseError as error:
                lost = error
                told = harmless(packed.mask.text(str(error)))
                again = packed.packet.model_copy(update={"latest_error": told})
                packed = replace(packed, packet=again)
                context.tell(ChatResponseDelta(delta="", restart=True))
        raise DecisionParseError(
            "The language model did not answer in a form that can be used, also when it was told what was "
            f"wrong ({lost}). Nothing was changed. Say it in other words or in smaller steps, or choose a "
            "more able model.",
            lost.usage,
        ) from lost

    async def _asked(self, packed: Packed, context: TurnContext) -> ModelDecision:
        """One decision of the client; whatever becomes of it, the journal knows."""
        watcher, started, prices = _Watcher(context, packed.mask), self._clock(), self._options.prices

        try:
            decision = await self._client.adecide_watched(packed.packet, watcher.see)
        except (TransportError, DecisionParseError, asyncio.CancelledError) as error:
            context.note(loss_note(error, seconds=self._clock() - started, prices=prices))
            raise
        watcher.end()
        seconds = self._clock() - started
        context.note(decision_note(decision, model=watcher.model, seconds=seconds, prices=prices))
        return decision

    def _meant(self, decision: ModelDecision, packed: Packed, context: TurnContext) -> ModelDecision:
        """The decision with what was masked put back, a short preface, and the notice where it is due."""
        mask = packed.mask
        thought = mask.said(decision.thought_summary)
        action: ToolCall | FinalAnswer | AskUser
        match decision.action:
            case ToolCall() as call:
                # What a small model thinks is often untrue, and no tool stands behind it: the journal has it.
                thought = "" if self._options.tools == "small" else _preface(thought)
                action = call.model_copy(update={"input": mask.put_back(call.input)})
            case FinalAnswer(answer=text):
                action = FinalAnswer(answer=_with_notice(mask.said(text), packed, context))
            case AskUser(question=text):
                action = AskUser(question=_with_notice(mask.said(text), packed, context))
        return decision.model_copy(update={"thought_summary": thought, "action": action})


@dataclass
class _Watcher:
    """Tells the person what arrives and the journal what goes out.

    Attributes:
        model: the name of the model that was asked last.
    """

    context: TurnContext
    mask: Mask
    model: str = ""
    _held: dict[type, str] = field(default_factory=dict)

    def see(self, event: events.ClientEvent) -> None:
        match event:
            case events.RequestSent(body=body):
                self.model = str(body.get("model", ""))
                self.context.note(request_note(body))
            case events.Restarted():
                self._held.clear()
                self.context.tell(ChatResponseDelta(delta="", restart=True))
            case events.AnswerDelta(text=text):
                self._tell(ChatResponseDelta, text)
            case events.ReasoningDelta(text=text):
                self._tell(ReasoningDelta, text)

    def end(self) -> None:
        """Tell what was held back."""
        for kind, text in self._held.items():
            if text:
                self.context.tell(kind(delta=self.mask.said(text)))
        self._held.clear()

    def _tell(self, kind: type[ChatResponseDelta] | type[ReasoningDelta], text: str) -> None:
        """Tell a piece, but for the beginning of a stand-in that the next piece may end."""
        whole, self._held[kind] = self.mask.split(self._held.get(kind, "") + text)
        if whole:
            self.context.tell(kind(delta=self.mask.said(whole)))


def _with_notice(text: str, packed: Packed, context: TurnContext) -> str:
    if not packed.notice:
        return text
    context.tell(ChatResponseDelta(delta=f"\n\n{NOTICE}"))
    return f"{text.rstrip()}\n\n{NOTICE}"


def _preface(thought: str) -> str:
    """A thought as the preface of a call: one line, not too long."""
    line = " ".join(thought.split())
    return line if len(line) <= _LONGEST_PREFACE else f"{line[:_LONGEST_PREFACE].rstrip()}…"
