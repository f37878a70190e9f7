"""A modeller around another: its words go out only with figures that tools returned or the person said.

Placeholders are filled. An answer with a figure that nothing supports is decided once more; if the next one
has such a figure too, the computed facts of the turn are told instead. What is said beside a tool call is
left out if it has one; the call is made. Where the description of an edit has a figure that the edit has not,
the card says so.
"""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from decision_ai_server.agent.answer_stream import AnswerStream
from decision_ai_server.agent.edit_claims import counts_in_formula, edit_claims
from decision_ai_server.agent.facts import facts_of
from decision_ai_server.agent.figure_sources import allowed_in
from decision_ai_server.agent.figures import Allowed, unsupported
from decision_ai_server.agent.journal import Figure
from decision_ai_server.agent.placeholders import UnknownPlaceholder, fill, named_figures
from decision_ai_server.agent.ports import Modeller, TurnContext
from decision_ai_server.model_client.decisions import (
    AskUser,
    DecisionRetryNote,
    DecisionUsage,
    FinalAnswer,
    ModelDecision,
    ToolCall,
)

_CARD_TEXTS = frozenset({"sentence", "reading", "doubt", "warnings", "unused_words"})
_MOST_NAMED = 8


@dataclass(frozen=True)
class _BadWording:
    """Why a text cannot go out, for the one who wrote it."""

    problem: str


@dataclass(frozen=True)
class FigureChecked:
    """Checks the figures of what another modeller says."""

    inner: Modeller

    async def decide(self, context: TurnContext) -> ModelDecision:
        """The inner modeller's decision, its figures checked; the computed facts where they stay wrong."""
        turn = await asyncio.to_thread(_Turn.of, context)  # a long result takes a while to read
        stream = AnswerStream(turn.figures, turn.allowed, context.tell)
        first = await self.inner.decide(replace(context, tell=stream.tell))
        checked = turn.checked(first)
        if isinstance(checked, ModelDecision):
            return checked
        stream.withdraw()
        problem = checked.problem
        told = "\n".join(filter(None, [context.latest_error, problem]))
        second = await self.inner.decide(replace(context, latest_error=told, tell=stream.tell))
        checked = turn.checked(second)
        if isinstance(checked, _BadWording):
            stream.withdraw()
            answer = FinalAnswer(answer=facts_of(context.calls))
            checked = second.model_copy(update={"thought_summary": "", "action": answer})
        return _with_cost_of(first, checked, problem)


@dataclass(frozen=True)
class _Turn:
    """What a decision is checked against."""

    figures: Mapping[str, Figure]
    allowed: Allowed
    fields: Mapping[str, Collection[str]]
    """What the input of each tool can have."""

    @classmethod
    def of(cls, context: TurnContext) -> "_Turn":
        fields = {tool.name: tool.input_schema.get("properties", ()) for tool in context.tools}
        return cls(named_figures(context.calls), allowed_in(context), fields)

    def checked(self, decision: ModelDecision) -> ModelDecision | _BadWording:
        """The decision as it may go out, or why its words may not."""
        action: ToolCall | FinalAnswer | AskUser
        match decision.action:
            case ToolCall() as call:
                action = call.model_copy(update={"input": self._checked_card(call)})
            case FinalAnswer(answer=text):
                said = self._said(text, self.allowed)
                if isinstance(said, _BadWording):
                    return said
                action = FinalAnswer(answer=said)
            case AskUser(question=text):
                said = self._said(text, self.allowed)
                if isinstance(said, _BadWording):
                    return said
                action = AskUser(question=said)
        thought = self._said(decision.thought_summary, self.allowed)
        told = "" if isinstance(thought, _BadWording) else thought
        return decision.model_copy(update={"thought_summary": told, "action": action})

    def _said(self, text: str, allowed: Allowed) -> str | _BadWording:
        """The text with its placeholders filled, unless it has a figure that nothing supports."""
        try:
            filled = fill(text, self.figures)
        except UnknownPlaceholder as error:
            return _BadWording(str(error))
        wrong = unsupported(filled, allowed)
        return _BadWording(self._what_to_do(wrong)) if wrong else filled

    def _what_to_do(self, wrong: list[str]) -> str:
        named = ", ".join(wrong[:_MOST_NAMED])
        there = ", ".join(f"{{{name}}}" for name in list(self.figures)[:_MOST_NAMED])
        quote = f"quote results by their names, such as {there}" if there else "call a tool that brings them"
        compute = (
            "; call calculate for a difference, a share or a percentage" if "calculate" in self.fields else ""
        )
        return (
            f"the answer states figures that no result of this turn has and the person did not say: {named}. "
            f"Leave them out, or {quote}{compute}."
        )

    def _checked_card(self, call: ToolCall) -> dict[str, Any]:
        """The input of a call without texts for the card that state figures its own edits do not have."""
        edits = {name: value for name, value in call.input.items() if name not in _CARD_TEXTS}
        claims = edit_claims(edits)
        allowed = self.allowed.with_value(list(claims.done))
        kept: dict[str, Any] = {}
        for name, value in call.input.items():
            if name not in _CARD_TEXTS:
                kept[name] = value
                continue
            said = [self._told(one, allowed) for one in (value if isinstance(value, list) else [value])]
            fine = [one for one in said if not isinstance(one, _BadWording)]
            if isinstance(value, list):
                kept[name] = fine
            elif fine:
                kept[name] = fine[0]
        wrong = filter(counts_in_formula, unsupported("\n\n".join(claims.said), allowed))
        doubt = _doubt(list(wrong)) if "doubt" in self.fields.get(call.name, ()) else ""
        if doubt:
            kept["doubt"] = " ".join(filter(None, [str(kept.get("doubt") or ""), doubt]))
        return kept

    def _told(self, text: Any, allowed: Allowed) -> Any:
        """The text as the card may have it; what is no text is left to the tool to refuse."""
        return self._said(text, allowed) if isinstance(text, str) else text


def _doubt(figures: list[str]) -> str:
    """What the card says of figures that only the description of an edit has; nothing without such."""
    if not figures:
        return ""
    named = ", ".join(figures[:_MOST_NAMED])
    return f"The description says {named}, but neither the change itself nor you did."


def _with_cost_of(lost: ModelDecision, decision: ModelDecision, problem: str) -> ModelDecision:
    """The decision with what the one before it cost, and why that did not count."""
    usages = [usage for usage in (lost.usage, decision.usage) if usage is not None]
    usage = DecisionUsage(
        prompt_tokens=sum(one.prompt_tokens for one in usages),
        completion_tokens=sum(one.completion_tokens for one in usages),
    )
    note = DecisionRetryNote(error=problem, raw=lost.action.model_dump_json())
    trace = [*lost.retry_trace, note, *decision.retry_trace]
    return decision.model_copy(update={"usage": usage if usages else None, "retry_trace": trace})
