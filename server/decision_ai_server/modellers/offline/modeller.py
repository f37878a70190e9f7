"""The built-in modeller: what to do next, decided from the sentence and the calls of this turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage
from decision_ai.client.schemas.chat_messages.protocol import ValidationResponse
from decision_ai.client.schemas.chat_messages.tool import ToolCall as ToolCallMessage, ToolData
from decision_ai_server.agent.ports import CallRecord, TurnContext
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.modellers.offline.answers import (
    SMALL_TALK,
    abilities,
    constraints_text,
    is_small_talk,
    looked_up,
    not_understood,
    recognised,
)
from decision_ai_server.modellers.offline.corrections import belongs, corrected, folded, joined
from decision_ai_server.modellers.offline.meaning import Help, Show, Solve, Undo
from decision_ai_server.modellers.offline.understanding import (
    Command,
    Proposal,
    Subject,
    Understanding,
    understand,
)

_MOST_ATTEMPTS = 3
_WISHES = frozenset({"limit_verb", "raise", "lower", "must", "forbid", "set", "minimize", "maximize"})


@dataclass(frozen=True)
class _Read:
    """A sentence read; `said` is what is kept of it, with the sentence that it corrects."""

    said: str
    understanding: Understanding


class OfflineModeller:
    """Understands ordinary sentences without a language model; the same input gives the same decision."""

    async def decide(self, context: TurnContext) -> ModelDecision:
        """The next step of the turn."""
        subject = await _subject(context)
        if not context.calls:
            return _first(_read(context, subject))
        last = context.calls[-1]
        match last.state:
            case "approved" | "done" | "solved":
                return _after_success(context, subject, last)
            case "failed":
                return _after_failure(context, subject, last)
            case "rejected":
                return _after_rejection(context, subject, last)
            case "cancelled":
                return _answer("That was cancelled; nothing was changed.")
            case "open":
                return _answer("The last step has not ended yet.")


async def _subject(context: TurnContext) -> Subject:
    head = context.head
    return Subject(head.program, context.base, head.json_data, await context.describe())


def _after_success(context: TurnContext, subject: Subject, last: CallRecord) -> ModelDecision:
    understanding = _reread(context, subject)
    commands = understanding.proposals[0].commands if understanding.proposals else ()
    finished = sum(1 for call in _own_calls(context) if call.call.name != "propose_changes")
    if last.state == "approved":
        # The sentence was read against the version before; of what is left only a solve is sure.
        commands = tuple(entry for entry in _commands(understanding) if isinstance(entry, Solve))
    if finished < len(commands):
        return _command(commands[finished], understanding)
    if last.state == "approved":
        return _answer(_approved(last))
    return _answer(_done(last, commands, understanding, subject))


def _after_failure(context: TurnContext, subject: Subject, last: CallRecord) -> ModelDecision:
    why = last.output or "the change could not be made"
    failures = sum(1 for call in _own_calls(context) if call.state == "failed")
    if last.call.name == "propose_changes" and failures < _MOST_ATTEMPTS:
        understanding = _reread(context, subject)
        others = [entry for entry in understanding.proposals[failures:] if entry.edits]
        if others:
            return _propose(str(last.call.args.get("sentence", "")), others[0], understanding)
    return _answer(f"That does not work, so nothing was changed: {why}")


def _after_rejection(context: TurnContext, subject: Subject, last: CallRecord) -> ModelDecision:
    if _is_new_sentence(context, last):
        return _first(_read(context, subject))
    if last.call.name == "propose_changes" and last.rejection:
        said = str(last.call.args.get("sentence", ""))
        better = _correction(said, last.rejection, subject) or _instead(said, last.rejection, subject)
        if better is not None and better.said != said:
            return _first(better)
    return _answer(_rejected(last))


def _read(context: TurnContext, subject: Subject) -> _Read:
    """Read the sentence on its own; only if that gives no full meaning, with what it answers or corrects."""
    rejected = _rejected_before(context)
    if rejected is not None:
        better = _correction(rejected, context.sentence, subject)
        if better is not None:
            return better
    alone = understand(context.sentence, subject)
    before = _sentence_before(context)
    if context.question is None or before is None or _is_full(alone):
        return _Read(context.sentence, alone)
    earlier = understand(before, subject)
    if not earlier.proposals or earlier.proposals[0].question is None:
        return _Read(context.sentence, alone)
    together = understand(f"{before.rstrip(' .!?')} {context.sentence}", subject)
    return _Read(context.sentence, together if _is_full(together) else alone)


def _reread(context: TurnContext, subject: Subject) -> Understanding:
    """What was understood when the calls of this sentence were made."""
    own = [call for call in _own_calls(context) if call.call.name == "propose_changes"]
    said = str(own[-1].call.args.get("sentence", "")) if own else ""
    if said and said != context.sentence:
        return understand(folded(said, subject.vocabulary()), subject)
    return _read(context, subject).understanding


def _is_full(understanding: Understanding) -> bool:
    """Whether a sentence says all that is needed, and every word of it counts."""
    best = next(iter(understanding.proposals), None)
    return best is not None and best.question is None and not best.unused_words


def _correction(said: str, words: str, subject: Subject) -> _Read | None:
    """What was proposed last, put right by some words; None if they do not put it right."""
    vocabulary = subject.vocabulary()
    before = folded(said, vocabulary)
    text = corrected(before, words, vocabulary)
    if text is None:
        return None
    understanding = understand(text, subject)
    best = next(iter(understanding.proposals), None)
    if best is None or best.question is not None or not best.edits:
        return None
    return _Read(said if text == before else joined(said, words), understanding)


def _instead(said: str, words: str, subject: Subject) -> _Read | None:
    """The words of a rejection where they are a whole sentence, and not said before."""
    understanding = understand(words, subject)
    if said.endswith(words) or not _is_full(understanding) or not understanding.proposals[0].edits:
        return None
    return _Read(joined(said, words), understanding)


def _rejected_before(context: TurnContext) -> str | None:
    """The sentence of the proposal that was rejected right before this sentence was typed."""
    answered_over = [call for call in context.calls if call.state == "rejected"]
    if answered_over:
        call = answered_over[-1].call
        return str(call.args.get("sentence", "")) if call.name == "propose_changes" else None
    prompts = [place for place, message in enumerate(context.history) if isinstance(message, Prompt)]
    if len(prompts) < 2:
        return None
    since = context.history[prompts[-2] : prompts[-1]]
    calls = [call for message in since if isinstance(message, ToolCallMessage) for call in message.tool_data]
    proposals = [call for call in calls if call.name == "propose_changes"]
    if not proposals or not _was_rejected(since, proposals[-1]):
        return None
    return str(proposals[-1].args.get("sentence", ""))


def _was_rejected(messages: Sequence[ChatMessage], call: ToolData) -> bool:
    answers = [
        message
        for message in messages
        if isinstance(message, ValidationResponse) and message.tool_origin.id == call.id
    ]
    return bool(answers) and answers[-1].rejected


def _sentence_before(context: TurnContext) -> str | None:
    """The prompt that the assistant's question was about."""
    prompts = [message.prompt for message in context.history if isinstance(message, Prompt)]
    if prompts and prompts[-1] == context.sentence:
        prompts.pop()
    return prompts[-1] if prompts else None


def _first(read: _Read) -> ModelDecision:
    understanding = read.understanding
    if not understanding.proposals:
        return _not_understood(understanding)
    proposal = understanding.proposals[0]
    if proposal.question is not None:
        summary = f"I read this as: {proposal.reading}" if proposal.reading else ""
        return ModelDecision(thought_summary=summary, action=AskUser(question=proposal.question))
    if proposal.edits:
        return _propose(read.said, proposal, understanding)
    if not proposal.commands:
        return _not_understood(understanding)
    return _command(proposal.commands[0], understanding)


def _propose(said: str, proposal: Proposal, understanding: Understanding) -> ModelDecision:
    misspelt = understanding.linked.corrections
    call = ToolCall(
        name="propose_changes",
        input={
            "edits": [edit.model_dump(mode="json") for edit in proposal.edits],
            "sentence": said,
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
    if is_small_talk(understanding.linked):
        return _answer(SMALL_TALK)
    text = not_understood(understanding.linked, understanding.vocabulary)
    wants = {mark.kind for mark in understanding.linked.marks} & _WISHES
    asked = understanding.linked.tokens[-1:] and understanding.linked.tokens[-1].word == "?"
    if recognised(understanding.linked, understanding.vocabulary):
        hint = "Say 'help' for examples of what I understand."
        if asked:
            return _answer(f"{text} {hint}")
        return ModelDecision(action=AskUser(question=f"{text} What exactly should change? {hint}"))
    if wants:
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
    return said is not None and not belongs(str(said), context.sentence)


def _commands(understanding: Understanding) -> tuple[Command, ...]:
    """The commands of a sentence, whether or not the rest of it still applies."""
    if understanding.proposals:
        return understanding.proposals[0].commands
    return understanding.commands


def _approved(record: CallRecord) -> str:
    edited = any(ask.tool_origin.args.get("edited") for ask in record.asks)
    # What the person edited is theirs: the reading of the proposal may no longer say what holds.
    reading = "Your edit holds." if edited else str(record.call.args.get("reading", "")).strip()
    return f"Done. {reading} Say 'solve' to get the new plan.".replace("  ", " ")


def _rejected(record: CallRecord) -> str:
    what = "I did not solve" if record.call.name == "solve" else "Nothing was changed"
    return f"{what}. You said: {record.rejection}" if record.rejection else f"{what}."


def _done(
    record: CallRecord, commands: tuple[Command, ...], understanding: Understanding, subject: Subject
) -> str:
    shown = next((entry for entry in reversed(commands) if isinstance(entry, Show)), None)
    if record.call.name == "show_data" and shown is not None:
        value = looked_up(shown, understanding.vocabulary)
        if value is not None:
            return f"{value}."
    if record.call.name == "show_model" and record.call.args == {"part": "constraints"}:
        return constraints_text(subject.program, subject.base)
    return record.output or "Done."
