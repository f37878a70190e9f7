"""The tool that computes with figures of this turn, so that a language model never has to."""

from typing import Any

from pydantic import Field

from decision_ai_server.agent.arithmetic import MOST_CHARACTERS, Computed, Sources, evaluate
from decision_ai_server.agent.figure_sources import allowed_in
from decision_ai_server.agent.figure_text import figures_in
from decision_ai_server.agent.journal import Figure
from decision_ai_server.agent.placeholders import named_figures, printed
from decision_ai_server.agent.ports import Output, ToolResult, ToolSpec, TurnContext
from decision_ai_server.agent.shown_text import shown
from decision_ai_server.agent.tools.inputs import Refused, ToolInput, read, told


class CalculateInput(ToolInput):
    """What to compute."""

    expression: str = Field(min_length=1, max_length=MOST_CHARACTERS)
    """Figures of this turn by name (solve.objective, compare.objective_b), + - * / and brackets, and the
    functions percent_change(new, old), share(part, whole), min, max, sum, mean, abs, round(value, decimals).
    A name with blanks or signs in it goes in braces: {show_data.Big tent.weight}."""
    unit: str = Field(default="", max_length=20)
    """Unit of the result, such as EUR or hours."""


class Calculate:
    """Compute with figures of this turn."""

    spec = ToolSpec(
        name="calculate",
        description=(
            "Compute a difference, sum, share or percentage from figures that other calls of this turn have "
            "brought. Use it for every figure that no result has as it is, then quote {calculate.result} or, "
            "of percent_change and share, {calculate.percent}."
        ),
        input_schema=CalculateInput.model_json_schema(),
    )

    @told
    async def run(self, context: TurnContext, args: dict[str, Any]) -> ToolResult:
        """The value, with the expression it comes from."""
        wanted = read(CalculateInput, args)
        if not _is_unit(wanted.unit):
            raise Refused(
                f"unit: {wanted.unit!r} is none; give a word or a sign without a figure, and for percentages "
                "use percent_change or share"
            )
        sources = Sources(figures=named_figures(context.calls), is_known=allowed_in(context).has)
        computed = evaluate(wanted.expression, sources)
        figures: dict[str, Figure] = {"result": computed.value}
        if computed.percent is not None:
            figures["percent"] = computed.percent
        return Output(f"{wanted.expression.strip()} = {_words(computed, wanted.unit)}", figures=figures)


def _is_unit(unit: str) -> bool:
    """Whether what stands behind a number leaves it what it is: no suffix, percent sign or other figure."""
    read = [(one.readings[0].value, one.readings[0].kind) for one in figures_in(shown(f"7 {unit}"))]
    return read == [(7.0, "number")]


def _words(computed: Computed, unit: str) -> str:
    if computed.percent is None:
        return f"{printed(computed.value)} {unit}".strip()
    if computed.percent == computed.value:
        return f"{printed(computed.value)}%"
    return f"{printed(computed.value)} ({printed(computed.percent)}%)"
