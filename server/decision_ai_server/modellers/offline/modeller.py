"""The built-in modeller: what to do next, decided from the sentence and the calls of this turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage
from decision_ai.client.schemas.chat_messages.protocol import ValidationResponse
from decision_ai.client.schemas.chat_messages.tool import ToolCall as ToolCallMessage, ToolData
from decision_ai.solving.findings import PlanCheck
from decision_ai_server.agent.history import FAILED
from decision_ai_server.agent.ports import CallRecord, TurnContext
from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.modellers.offline.answers import (
    SMALL_TALK,
    abilities,
    approved,
    constraints_text,
    is_dismissal,
    is_small_talk,
    looked_up,
    not_understood,
    recognised,
    rejected,
    told,
    with_moves,
)
from decision_ai_server.modellers.offline.calls import Command, Move, called
from decision_ai_server.modellers.offline.corrections import belongs, corrected, folded, joined
from decision_ai_server.modellers.offline.meaning import Help, RemoveCheck, Reset, Show, Solve
from decision_ai_server.modellers.offline.understanding import (
    Proposal,
    Subject,
    Understanding,
    understand,
)

_MOST_ATTEMPTS = 3
_SUCCESS = ("approved", "done", "solved")
_SURE = Solve | PlanCheck | RemoveCheck
_SURE_CALLS = ("solve", "keep_check", "remove_check")
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
        if not context.calls and is_dismissal(context.sentence):
            return _answer(SMALL_TALK)
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
    description = await context.describe()
    return Subject(
        head.program, context.base, head.json_data, description, tree=context.tree, checks=context.checks
    )


def _after_success(context: TurnContext, subject: Subject, last: CallRecord) -> ModelDecision:
    understanding = _reread(context, subject)
    ended = [call.call for call in _own_calls(context) if call.state in _SUCCESS]
    finished = [call.name for call in ended]
    proposed = "propose_changes" in finished
    commands: tuple[Command, ...]
    if last.state == "approved":
        # The sentence was read against the version before; of what is left only this is sure.
        commands = tuple(entry for entry in _commands(understanding) if _is_sure(entry, subject, ended))
        done = sum(1 for name in finished if name in _SURE_CALLS)
    else:
        commands = understanding.proposals[0].commands if understanding.proposals else ()
        done = len(finished) - proposed
        moves = [entry for entry in commands if isinstance(entry, Move)]
        if moves and done == len(moves) and not proposed and understanding.proposals[0].edits:
            return _propose(context.sentence, understanding.proposals[0], understanding)
    if done < len(commands):
        return _command(commands[done], understanding)
    said = approved(last) if last.state == "approved" else _done(last, commands, understanding, subject)
    return _answer(with_moves(_own_calls(context)[:-1], said))


def _after_failure(context: TurnContext, subject: Subject, last: CallRecord) -> ModelDecision:
    why = last.output or "the change could not be made"
    failures = sum(1 for call in _own_calls(context) if call.state == "failed")
    if last.call.name == "propose_changes" and failures < _MOST_ATTEMPTS:
        understanding = _reread(context, subject)
        others = [entry for entry in understanding.proposals[failures:] if entry.edits]
        if others:
            return _propose(str(last.call.args.get("sentence", "")), others[0], understanding)
    kept = any(call.state in _SUCCESS for call in _own_calls(context))
    therefore = "" if kept else ", so nothing was changed"
    return _answer(f"That does not work{therefore}: {why.removeprefix(FAILED)}")


def _after_rejection(context: TurnContext, subject: Subject, last: CallRecord) -> ModelDecision:
    if _is_new_sentence(context, last):
        return _first(_read(context, subject))
    if last.call.name == "propose_changes" and last.rejection:
        said = str(last.call.args.get("sentence", ""))
        better = _correction(said, last.rejection, subject) or _instead(said, last.rejection, subject)
        if better is not None and better.said != said:
            return _first(better)
    if last.call.name == "reset" and last.rejection == context.sentence:
        # Typed over the card: the words are the next sentence if they are one, else the reason.
        read = _read(context, subject)
        if read.understanding.proposals:
            return _first(read)
    return _answer(rejected(last))


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
    moves_first = isinstance(next(iter(proposal.commands), None), Move)
    if proposal.edits and not moves_first:
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
    return _answer(abilities(understanding.vocabulary)) if isinstance(command, Help) else called(command)


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
    said = record.call.args.get("sentence") if record.call.name == "propose_changes" else None
    return said is not None and not belongs(str(said), context.sentence)


def _is_sure(command: Command, subject: Subject, ended: list[ToolData]) -> bool:
    """Whether a command stands after a change was approved; a part is reset once, and if it differs."""
    if isinstance(command, Reset):
        fresh = all(call.args.get("id") != command.id for call in ended if call.name == "reset")
        parts = subject.vocabulary().past.components
        return fresh and any(part.id == command.id and part.differs for part in parts)
    return isinstance(command, _SURE)


def _commands(understanding: Understanding) -> tuple[Command, ...]:
    """The commands of a sentence, whether or not the rest of it still applies."""
    if understanding.proposals:
        return understanding.proposals[0].commands
    return understanding.commands


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
    return told(record)
