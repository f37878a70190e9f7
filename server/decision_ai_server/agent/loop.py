"""The agent: from the history of a session to its next step.

`next_step` looks at the newest message and at nothing it remembered itself, so a server that was killed
anywhere goes on from its store. What a prompt may use up is bounded by `Limits`.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from decision_ai.client.schemas.chat_messages.chat import ChatResponse, Reasoning, SystemPrompt
from decision_ai.client.schemas.chat_messages.container import ChatMessage
from decision_ai.client.schemas.chat_messages.error import UncriticalErrorMessage
from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta
from decision_ai.client.schemas.chat_messages.protocol import (
    AskForFeedback,
    AskForPrompt,
    AskForValidation,
    SolveResponse,
    ValidationResponse,
)
from decision_ai.client.schemas.chat_messages.tool import ToolCall, ToolData, ToolOutput
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.errors import ProgramError
from decision_ai.wire.moves import Phase
from decision_ai_server.agent import words
from decision_ai_server.agent.asking import (
    Composed,
    belongs_to,
    edited_changes,
    part_of,
    same_ask,
    solve_ask,
    validation_ask,
)
from decision_ai_server.agent.bounds import Limits, bound_hit, out_of_time
from decision_ai_server.agent.fitting import newly_broken, repaired
from decision_ai_server.agent.history import CANCELLED, FAILED, Turn, last_solve, open_question, read_turn
from decision_ai_server.agent.journal import Note, NoteKind, decision_note, loss_note, result_note, spent
from decision_ai_server.agent.ports import (
    CallRecord,
    Delta,
    Modeller,
    Output,
    Propose,
    RequestSolve,
    SessionView,
    Tool,
    ToolResult,
    TurnContext,
    VersionTree,
)
from decision_ai_server.agent.steps import Emit, NewVersion, Step, Wait
from decision_ai_server.model_client import decisions
from decision_ai_server.model_client.decisions import ModelDecision

_ASKED_ANEW = "the model was changed after you were asked; this is the change on the model as it is now"


@dataclass(frozen=True, kw_only=True)
class Agent:
    """The parts a step needs.

    Attributes:
        modeller: who decides.
        toolbox: what it may call, by name.
        system_prompt: the text that opens a session.
        new_id: makes ids of tool calls.
        clock: seconds of a clock that only goes forward.
        limits: what one prompt may use up.
    """

    modeller: Modeller
    toolbox: Mapping[str, Tool]
    system_prompt: str
    new_id: Callable[[], str]
    clock: Callable[[], float]
    limits: Limits = field(default_factory=Limits)

    async def next_step(self, session: SessionView) -> Step:
        """What comes next in a session; changes nothing itself."""
        match session.phase:
            case Phase.AWAITING_PROMPT | Phase.AWAITING_FEEDBACK:
                return _notice_between_turns(session)
            case Phase.OPENING:
                return Emit(messages=(SystemPrompt(content=self.system_prompt), AskForPrompt()))
            case Phase.CLOSED:
                return fail_turn(session, "the last turn broke off; the session goes on from here")
        turn = read_turn(session.messages, session.journal)
        context = self._context(session, turn)
        record, used = turn.open_call, spent(session.journal, turn.prompted)
        if record is not None:
            return await self._go_on_with(record, context, self.limits.left(used))
        if isinstance(session.messages[-1], ChatResponse | UncriticalErrorMessage | SystemPrompt):
            return Emit(messages=(AskForPrompt(),))
        exhausted = bound_hit(self.limits, turn.calls_since_prompt, used)
        if exhausted is not None:
            return _ended(exhausted)
        decision = await self._decision(context, self.limits.left(used))
        if decision is None:
            return _ended(out_of_time(self.limits))
        return self._acted(decision, context, session)

    def _context(self, session: SessionView, turn: Turn) -> TurnContext:
        solved, versions = last_solve(session.messages), session.tree.line()

        def tell(delta: Delta) -> None:
            if session.reasoning or isinstance(delta, ChatResponseDelta):
                session.tell(delta)

        return TurnContext(
            sentence=turn.sentence,
            question=turn.question,
            history=session.messages,
            calls=turn.calls,
            base=session.base,
            versions=versions,
            last_solution=solved[0] if solved else None,
            solution_is_current=solved is not None and belongs_to(versions[0], solved[1]),
            tools=tuple(tool.spec for tool in self.toolbox.values()),
            describe=session.describe,
            tree=session.tree,
            run=session.run,
            checks=session.checks,
            interactive=session.interactive,
            spent=spent(session.journal, turn.start),
            tell=tell,
            note=session.note,
        )

    async def _decision(self, context: TurnContext, seconds: float | None) -> ModelDecision | None:
        """What the modeller decides within so many seconds, or None; a decision it did not note is noted."""
        noted = set[NoteKind]()

        def note(one: Note) -> None:
            context.note(one)
            noted.add(one.kind)

        begun = self.clock()
        try:
            async with asyncio.timeout(seconds) as limit:
                decision = await self.modeller.decide(replace(context, note=note))
        except BaseException as error:
            if not noted & {"decision", "loss"}:
                context.note(loss_note(error, seconds=self.clock() - begun))
            if isinstance(error, TimeoutError) and limit.expired():
                return None
            raise
        if "decision" not in noted:
            context.note(decision_note(decision, seconds=self.clock() - begun))
        return decision

    def _acted(self, decision: ModelDecision, context: TurnContext, session: SessionView) -> Emit:
        """The step that a decision leads to."""
        aloud = session.reasoning and decision.thought_summary
        thought = (Reasoning(content=decision.thought_summary),) if aloud else ()
        match decision.action:
            case decisions.FinalAnswer(answer=text):
                notices = _notices(context.tree, context.history)
                return Emit(messages=(*thought, ChatResponse(response=text), *notices, AskForPrompt()))
            case decisions.AskUser(question=text) if not session.interactive:
                return _ended(f"Blocked: I would have to ask: {text}", *thought)
            case decisions.AskUser(question=text):
                return Emit(messages=(*thought, ChatResponse(response=text), AskForFeedback()))
            case decisions.ToolCall(name=name, input=args):
                call = ToolData(
                    name=name, args=args, id=self.new_id(), preface=decision.thought_summary or None
                )
                return Emit(messages=(*thought, ToolCall(tool_data=[call])))

    async def _go_on_with(self, record: CallRecord, context: TurnContext, seconds: float | None) -> Step:
        """The next step of a call that has no output yet; a tool that is run first has so many seconds."""
        if record.rejection is not None:
            return _settle(record, _rejection_words(record))
        answered = len(record.answers) == len(record.asks)
        match record.answers[-1] if record.answers and answered else None:
            case SolveResponse() as answer:
                of_head = belongs_to(context.head, answer.tool_origin)
                left_out = context.head.incompatible if of_head else ()
                figures = result_note(str(record.call.id), words.solve_figures(answer))
                return _settle(record, words.solve_words(answer, left_out), notes=(figures,))
            case ValidationResponse(validation=validation) if not isinstance(validation, ValidationSucceeded):
                reason = f"{FAILED}the check failed; {words.validation_words(validation)}"
                return _settle(record, f"{reason}{await self._broken_words(record, context)}")
        begun = self.clock()
        # What the person was asked about is carried out, however long it took until then.
        result = await self._run_tool(record.call, context, None if record.asks else seconds)
        match result:
            case Output(text=text, failed=failed):
                said = f"{FAILED}{text}" if failed else text
                note = result_note(str(record.call.id), result.figures, seconds=self.clock() - begun)
                return _settle(record, said, move=result.move, checks=result.checks, notes=(note,))
            case RequestSolve():
                ask = solve_ask(context.head, record.call, result)
                unchanged = bool(record.asks) and record.asks[-1].tool_origin == ask.tool_origin
                return Wait() if unchanged else Emit(messages=(ask,))
            case Propose():
                try:
                    return await _ask_or_apply(record, context, result)
                except ProgramError as error:
                    return _settle(record, f"{FAILED}{error}")

    async def _broken_words(self, record: CallRecord, context: TurnContext) -> str:
        """Which other parts a set whose check failed leaves without what they need."""
        proposal = await self._run_tool(record.call, context, None)
        if not isinstance(proposal, Propose):
            return ""
        try:
            changes = edited_changes(context.head, proposal, record)
            return words.broken_words(await newly_broken(context.head, changes, context.run))
        except ProgramError:
            return ""  # the model was changed in between: the check was of another one

    async def _run_tool(self, call: ToolData, context: TurnContext, seconds: float | None) -> ToolResult:
        tool = self.toolbox.get(call.name)
        if tool is None:
            return Output(f"there is no tool {call.name!r}; there are {', '.join(self.toolbox)}", failed=True)
        try:
            async with asyncio.timeout(seconds) as limit:
                return await tool.run(context, call.args)
        except TimeoutError:
            if not limit.expired():
                raise
            return Output(out_of_time(self.limits), failed=True)


def _ended(text: str, *before: ChatMessage) -> Emit:
    """Say something and give the person the word."""
    return Emit(messages=(*before, ChatResponse(response=text), AskForPrompt()))


def _notices(tree: VersionTree, history: Sequence[ChatMessage]) -> tuple[ChatResponse, ...]:
    """What has to be said of the present version and was not said yet: new parts that do not fit its data."""
    text = words.incompatible_words(tree)
    said = text is None or any(isinstance(one, ChatResponse) and one.response == text for one in history)
    return () if said or text is None else (ChatResponse(response=text),)


def _notice_between_turns(session: SessionView) -> Step:
    """Say what a version made outside of the conversation leaves out; an open question stays open."""
    notices = _notices(session.tree, session.messages)
    if not notices:
        return Wait()
    if session.phase is Phase.AWAITING_PROMPT:
        return Emit(messages=(*notices, AskForPrompt()))
    question = open_question(session.messages)
    again = () if question is None else (ChatResponse(response=question),)
    return Emit(messages=(*notices, *again, AskForFeedback()))


def fail_turn(session: SessionView, reason: str) -> Emit:
    """End a turn that cannot go on; nothing that was approved is lost."""
    settled = _settled(session, f"{FAILED}{reason}")
    error = UncriticalErrorMessage(error=reason)
    # A closed session is opened again by the error; elsewhere an open ask has to be withdrawn first.
    said: tuple[ChatMessage, ...]
    said = (error, *settled) if session.phase is Phase.CLOSED else (*settled, error)
    return Emit(messages=(*said, AskForPrompt()))


def cancel_turn(session: SessionView) -> Emit:
    """End the running turn because the person said stop."""
    settled = _settled(session, f"{CANCELLED} by the person; nothing was changed.")
    went_on = any(record.state in {"approved", "done"} for record in read_turn(session.messages).calls)
    return _ended(f"Stopped. Nothing {'more ' if went_on else ''}was changed.", *settled)


def _settled(session: SessionView, text: str) -> list[ToolOutput]:
    record = read_turn(session.messages).open_call
    return [] if record is None else [ToolOutput(tool_id=str(record.call.id), tool_output=text)]


def _settle(record: CallRecord, text: str, **effects: Any) -> Emit:
    return Emit(messages=(ToolOutput(tool_id=str(record.call.id), tool_output=text),), **effects)


def _rejection_words(record: CallRecord) -> str:
    if record.answers and isinstance(record.answers[-1], SolveResponse):
        return words.refused_solve_words(record.answers[-1])
    reason = record.rejection or "no reason given"
    return f"The person rejected this: {reason}. Nothing was changed."


async def _ask_or_apply(record: CallRecord, context: TurnContext, proposal: Propose) -> Step:
    """Ask about the part that is due; after the last approval, append the version."""
    head = context.head
    changes = edited_changes(head, proposal, record)
    building = await repaired(head, changes, context.run)

    def ask_about(part: int, *, anew: bool = record.asked_anew) -> tuple[AskForValidation, Composed]:
        given = _with_warning(proposal, _ASKED_ANEW) if anew else proposal
        checks = context.checks
        return validation_ask(head, record.call, given, changes, part, checks=checks, building=building)

    due, approved = _due_part(record)
    waiting = len(record.asks) > len(record.answers)
    if approved or waiting:
        asked = due - 1 if approved else due
        ask, composed = ask_about(asked)
        if not same_ask(ask.tool_origin, record.asks[-1].tool_origin):
            # The model changed since it was asked: what is approved must be what will be applied.
            ask, composed = ask_about(asked, anew=True)
            return Emit(messages=(ask,), data=(composed.json_data,))
    if waiting:
        return Wait()
    if approved and due > len(changes):
        version = NewVersion(
            program=composed.program,
            json_data=composed.json_data,
            changes=changes,
            sentence=str(proposal.card.get("sentence") or context.sentence),
        )
        return _settle(record, f"Approved and applied: {words.summary(changes)}.", version=version)
    ask, composed = ask_about(due)
    return Emit(messages=(ask,), data=(composed.json_data,))


def _with_warning(proposal: Propose, text: str) -> Propose:
    return replace(proposal, card=proposal.card | {"warnings": [*proposal.card.get("warnings", ()), text]})


def _due_part(record: CallRecord) -> tuple[int, bool]:
    """The part to ask about next, and whether the one before it was just approved as it stands."""
    if not record.asks:
        return 1, False
    ask = record.asks[-1]
    assert isinstance(ask, AskForValidation)
    if len(record.answers) < len(record.asks):
        return part_of(ask), False
    answer = record.answers[-1]
    edited = isinstance(answer, ValidationResponse) and answer.changes not in (None, ask.changes)
    return (part_of(ask), False) if edited else (part_of(ask) + 1, True)
