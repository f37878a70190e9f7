"""From the context of a turn to the packet a language model decides on.

The order is that of change: what is fixed, what changes with a version, the conversation, the turn. So a
request begins like the one before it, and what the endpoint has read it need not read again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from decision_ai_server.agent.journal import Figure
from decision_ai_server.agent.placeholders import handles, printed
from decision_ai_server.agent.ports import CallRecord, ToolSpec, TurnContext
from decision_ai_server.agent.prompts import prompt
from decision_ai_server.agent.toolbox import FULL_TOOLS, SMALL_TOOLS
from decision_ai_server.model_client.context import AllowedTool, ContextPacket, ConversationTurn, Evidence
from decision_ai_server.modellers.llm import trimming
from decision_ai_server.modellers.llm.background import background
from decision_ai_server.modellers.llm.brief_tools import brief
from decision_ai_server.modellers.llm.fencing import fenced, harmless
from decision_ai_server.modellers.llm.masking import Mask, mapped
from decision_ai_server.modellers.llm.options import LlmOptions
from decision_ai_server.modellers.llm.turns import past_turns
from decision_ai_server.modellers.llm.visibility import mask_of, may_show

_PROMPTS = {"full": ("modeller", "model_file", "answering"), "small": ("small",)}
_TOOLS = {"full": FULL_TOOLS, "small": SMALL_TOOLS}
_MOST_RESULT = {"full": 6_000, "small": 1_200}
_MOST_FIGURES = 60


@dataclass(frozen=True)
class Packed:
    """A packet, and what is needed to read the decision that it brings.

    Attributes:
        packet: what goes out.
        mask: puts back what was masked.
        notice: whether the person has to be told that more turns are summarised.
    """

    packet: ContextPacket
    mask: Mask
    notice: bool


def pack(context: TurnContext, options: LlmOptions) -> Packed:
    """Everything that the next decision is made on, as far as it may be seen."""
    mask = mask_of(context, options.data_visibility)
    turns, budget = past_turns(context.history), options.history_characters
    first = trimming.cut([turn.size for turn in turns], budget)
    packet = ContextPacket(
        instructions=_instructions(context, options),
        background=background(context, options, mask),
        summary=fenced(trimming.summary(turns[:first], mask, budget)) if first else "",
        conversation=tuple(
            said
            for turn in turns[first:]
            for said in (
                ConversationTurn(role="user", text=turn.prompt()),
                ConversationTurn(role="assistant", text=turn.answer(mask)),
            )
        ),
        goal=_goal(context, mask),
        phase=_phase(context),
        allowed_tools=_allowed_tools(context, options),
        recent_evidence=tuple(_evidence(context, options, mask)),
        latest_error=context.latest_error and harmless(mask.text(context.latest_error)),
    )
    return Packed(packet, mask, trimming.moved(turns, budget))


@cache
def instructions(names: tuple[str, ...]) -> str:
    """Prompt files one after another."""
    return "\n\n".join(prompt(name).strip() for name in names)


def _instructions(context: TurnContext, options: LlmOptions) -> str:
    masked = ("masked",) if options.data_visibility == "schema" else ()
    alone = () if context.interactive else ("alone",)
    return instructions((*_PROMPTS[options.tools], *masked, *alone))


def _allowed_tools(context: TurnContext, options: LlmOptions) -> tuple[AllowedTool, ...]:
    told = brief if options.tools == "small" else _whole
    return tuple(
        told(tool)
        for tool in context.tools
        if tool.name in _TOOLS[options.tools] and may_show(tool.name, options.data_visibility)
    )


def _whole(tool: ToolSpec) -> AllowedTool:
    return AllowedTool(name=tool.name, description=tool.description, input_schema=tool.input_schema)


def _goal(context: TurnContext, mask: Mask) -> str:
    """The person's sentence, the question it answers, and what the person said to the proposals so far."""
    lines = [context.sentence]
    if context.question is not None:
        lines.append(f"(This answers your question: {harmless(mask.text(context.question))})")
    lines += [
        f"The person rejected call {number} with the words: {record.rejection}"
        for number, record in enumerate(context.calls, start=1)
        if record.rejection and record.rejection != context.sentence
    ]
    return "\n".join(lines)


def _phase(context: TurnContext) -> str:
    """Where the turn stands."""
    if not context.calls:
        return "decide"
    return {"failed": "repair", "rejected": "rejected"}.get(context.calls[-1].state, "answer")


def _evidence(context: TurnContext, options: LlmOptions, mask: Mask) -> Iterator[Evidence]:
    for handle, record in handles(context.calls).items():
        yield Evidence(
            tool=record.call.name,
            input=mapped(mask.given(record.call.args), harmless),
            result=_result(handle, record, options, mask),
        )


def _result(handle: str, record: CallRecord, options: LlmOptions, mask: Mask) -> str:
    """How a call ended, what it brought, and which figures of it may be quoted."""
    lines = [_shortened(mask.text(record.output or ""), _MOST_RESULT[options.tools])]
    if record.figures:
        lines += ["Figures to quote:", *_figures(handle, record.figures, options, mask)]
    return f"state: {record.state}\n{fenced(chr(10).join(lines).strip())}"


def _figures(handle: str, figures: Mapping[str, Figure], options: LlmOptions, mask: Mask) -> Iterator[str]:
    """A line per figure; without its value where data may not be seen."""
    for name, value in list(figures.items())[:_MOST_FIGURES]:
        quoted = f"{{{handle}.{mask.code(name)}}}"
        yield quoted if options.data_visibility == "schema" else f"{quoted} = {printed(value)}"


def _shortened(text: str, most: int) -> str:
    """A long text without its middle: outcomes stand first, and hints last."""
    if len(text) <= most:
        return text
    return f"{text[: most * 2 // 3]}\n… ({len(text)} characters in all) …\n{text[-most // 3 :]}"
