"""The built-in modeller: what to do next, decided from the sentence and the calls of this turn."""

from typing import Any

from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai_server.agent.ports import CallRecord, TurnContext
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.modellers.offline.answers import abilities, looked_up, not_understood, recognised
from decision_ai_server.modellers.offline.meaning import Help, Show, Solve, Undo
from decision_ai_server.modellers.offline.understanding import (
    Command,
    Proposal,
    Subject,
    Understanding,
    understand,
)

_MOST_ATTEMPTS = 3
_SHORT_ANSWER = 8
_WISHES = frozenset({"limit_verb", "raise", "lower", "must", "forbid", "set", "minimize", "maximize"})


class OfflineModeller:
    """Understands ordinary sentences without a language model; the same input gives the same decision."""

    async def decide(self, context: TurnContext) -> ModelDecision:
        """The next step of the turn."""
        if not context.calls:
            return _first(context, await _understand(context))
        last = context.calls[-1]
        match last.state:
            case "approved" | "done" | "solved":
                return await self._after_success(context, last)
            case "failed":
                return await self._after_failure(context, last)
            case "rejected":
                if _is_new_sentence(context, last):
                    return _first(context, await _understand(context))
                return _answer(_rejected(last))
            case "cancelled":
                return _answer("That was cancelled; nothing was changed.")
            case "open":
                return _answer("The last step has not ended yet.")

    async def _after_success(self, context: TurnContext, last: CallRecord) -> ModelDecision:
        said = _own_calls(context)
        understanding = await _understand(context)
        commands = understanding.proposals[0].commands if understanding.proposals else ()
        finished = sum(1 for call in said if call.call.name != "propose_changes")
        if last.state == "approved":
            # The sentence was read against the version before; of what is left only a solve is sure.
            commands = tuple(entry for entry in _commands(understanding) if isinstance(entry, Solve))
        if finished < len(commands):
            return _command(commands[finished], understanding)
        if last.state == "approved":
            return _answer(_approved(last))
        return _answer(_done(last, commands, understanding))

    async def _after_failure(self, context: TurnContext, last: CallRecord) -> ModelDecision:
        why = last.output or "the change could not be made"
        failures = sum(1 for call in _own_calls(context) if call.state == "failed")
        if last.call.name == "propose_changes" and failures < _MOST_ATTEMPTS:
            understanding = await _understand(context)
            others = [entry for entry in understanding.proposals[failures:] if entry.edits]
            if others:
                return _propose(context, others[0], understanding)
        return _answer(f"That does not work, so nothing was changed: {why}")


async def _understand(context: TurnContext) -> Understanding:
    """Read the sentence; an answer to a clarifying question is read together with what it clarifies."""
    head = context.head
    subject = Subject(head.program, context.base, head.json_data, await context.describe())
    alone = understand(context.sentence, subject)
    before = _sentence_before(context) if context.question is not None else None
    if before is None:
        return alone
    together = understand(f"{before.rstrip(' .!?')} {context.sentence}", subject)
    short = len(alone.linked.tokens) <= _SHORT_ANSWER
    ordered = [together, alone] if short else [alone, together]
    clear = [entry for entry in ordered if entry.proposals and entry.proposals[0].question is None]
    return (clear or ordered)[0]


def _sentence_before(context: TurnContext) -> str | None:
    """The prompt before the present one."""
    prompts = [message.prompt for message in context.history if isinstance(message, Prompt)]
    if prompts and prompts[-1] == context.sentence:
        prompts.pop()
    return prompts[-1] if prompts else None


def _first(context: TurnContext, understanding: Understanding) -> ModelDecision:
    if not understanding.proposals:
        return _not_understood(understanding)
    proposal = understanding.proposals[0]
    if proposal.question is not None:
        summary = f"I read this as: {proposal.reading}"
        return ModelDecision(thought_summary=summary, action=AskUser(question=proposal.question))
    if proposal.edits:
        return _propose(context, proposal, understanding)
    if not proposal.commands:
        return _not_understood(understanding)
    return _command(proposal.commands[0], understanding)


def _propose(context: TurnContext, proposal: Proposal, understanding: Understanding) -> ModelDecision:
    misspelt = understanding.linked.corrections
    call = ToolCall(
        name="propose_changes",
        input={
            "edits": [edit.model_dump(mode="json") for edit in proposal.edits],
            "sentence": context.sentence,
            "reading": proposal.reading,
            "unused_words": list(proposal.unused_words),
            "warnings": [f"I read {wrong!r} as {right!r}." for wrong, right in misspelt],
        },
    )
    return ModelDecision(thought_summary=f"I read this as: {proposal.reading}", action=call)


def _command(command: Command, understanding: Understanding) -> ModelDecision:
    match command:
        case Help():
            return _answer(abilities(understanding.vocabulary))
        case Solve(time_limit=limit, relative_gap=gap):
            wanted: dict[str, Any] = {"time_limit": limit, "relative_gap": gap}
            given = {name: value for name, value in wanted.items() if value is not None}
            return _call("solve", given, "I solve the model as it is now.")
        case Undo(steps=steps):
            return _call("undo", {"steps": steps}, f"I take back {steps} change{'s' if steps > 1 else ''}.")
        case Show():
            return _show(command)


def _show(show: Show) -> ModelDecision:
    match show.what:
        case "data":
            return _call("show_data", {"path": list(show.path)}, "I look it up in the data.")
        case "solution":
            return _call("show_solution", {}, "I look at the last plan.")
        case "history":
            return _call("show_history", {}, "I look at the history.")
        case _:
            part = "all" if show.what == "model" else show.what
            given = {"part": part} if show.rule is None else {"part": part, "id": show.rule}
            return _call("show_model", given, "I look at the model.")


def _call(name: str, given: dict[str, Any], summary: str) -> ModelDecision:
    return ModelDecision(thought_summary=summary, action=ToolCall(name=name, input=given))


def _answer(text: str) -> ModelDecision:
    return ModelDecision(action=FinalAnswer(answer=text))


def _not_understood(understanding: Understanding) -> ModelDecision:
    if understanding.refusal is not None:
        text = f"I did not understand how to carry this out. I read it as: {understanding.refusal}"
        return ModelDecision(action=AskUser(question=f"{text} Can you say it in another way?"))
    text = not_understood(understanding.linked, understanding.vocabulary, list(understanding.missed))
    wants = {mark.kind for mark in understanding.linked.marks} & _WISHES
    if wants or recognised(understanding.linked, understanding.vocabulary):
        return ModelDecision(action=AskUser(question=f"{text}\nWhat exactly should change?"))
    return _answer(text)


def _own_calls(context: TurnContext) -> list[CallRecord]:
    """The calls made for the present sentence: those after the last one that another sentence made."""
    own: list[CallRecord] = []
    for call in context.calls:
        own = [] if _is_new_sentence(context, call) else [*own, call]
    return own


def _is_new_sentence(context: TurnContext, record: CallRecord) -> bool:
    said = record.call.args.get("sentence")
    return said is not None and said != context.sentence


def _commands(understanding: Understanding) -> tuple[Command, ...]:
    """The commands of a sentence, whether or not the rest of it still applies."""
    if understanding.proposals:
        return understanding.proposals[0].commands
    return understanding.commands


def _approved(record: CallRecord) -> str:
    reading = str(record.call.args.get("reading", "")).strip()
    return f"Done. {reading} Say 'solve' to get the new plan.".replace("  ", " ")


def _rejected(record: CallRecord) -> str:
    what = "I did not solve" if record.call.name == "solve" else "Nothing was changed"
    return f"{what}. You said: {record.rejection}" if record.rejection else f"{what}."


def _done(record: CallRecord, commands: tuple[Command, ...], understanding: Understanding) -> str:
    output = record.output or "Done."
    shows = [entry for entry in commands if isinstance(entry, Show) and entry.what == "data"]
    if record.call.name == "show_data" and shows:
        value = looked_up(shows[-1], understanding.vocabulary)
        return f"{value}." if value is not None else output
    return output
