"""Placeholders: a modeller writes `{solve.objective}` and the harness puts the figure in.

A result goes by its handle: the name of its tool, with `_2`, `_3` when the tool was called again in the turn.
`{handle.field}` is the figure as it is, `{handle.field:2}` the same at two decimals.
"""

import difflib
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from decision_ai.errors import DecisionAIError
from decision_ai_server.agent.journal import Figure
from decision_ai_server.agent.ports import CallRecord

_PLACEHOLDER = re.compile(
    r"""
    (?P<latex>\\[A-Za-z]+|[_^])?      # what makes the braces those of a formula
    \{(?P<doubled>\{)?
    (?P<name>[A-Za-z_]\w*\.[^{}\n]{1,200}?)
    (?::[,_]?\.?(?P<decimals>\d{1,2})f?)?     # :2, and :.2f as Python has it
    (?(doubled)\}\}|\})
    """,
    re.VERBOSE,
)
_DIGITS = 10
"""Significant digits of a figure without a wish for decimals: the noise of a solver is behind them.
A whole part with more of them is shown in full."""
_MOST_NAMED = 12
_LARGE, _SMALL = 1e15, 1e-6


class UnknownPlaceholder(DecisionAIError):
    """A text asks for a figure that no result of the turn has.

    Args:
        name: what it asks for, without braces.
        known: the names there are.
    """

    def __init__(self, name: str, known: Sequence[str]) -> None:
        self.name = name
        near = difflib.get_close_matches(name, known, n=_MOST_NAMED, cutoff=0.5) or known[:_MOST_NAMED]
        there = ", ".join(f"{{{one}}}" for one in near)
        hint = f"there are {there}" if there else "no call of this turn has brought figures yet"
        super().__init__(f"there is no figure {{{name}}}; {hint}")


def handles(calls: Sequence[CallRecord]) -> dict[str, CallRecord]:
    """The calls of a turn by their handles, oldest first."""
    seen: Counter[str] = Counter()
    found = {}
    for record in calls:
        name = record.call.name
        seen[name] += 1
        found[name if seen[name] == 1 else f"{name}_{seen[name]}"] = record
    return found


def named_figures(calls: Sequence[CallRecord]) -> dict[str, Figure]:
    """Every figure of a turn by its full name, such as {"solve.objective": 104.0}."""
    return {
        f"{handle}.{field}": figure
        for handle, record in handles(calls).items()
        for field, figure in record.figures.items()
        if isinstance(figure, str) or math.isfinite(figure)
    }


def fill(template: str, figures: Mapping[str, Figure]) -> str:
    """A text with its placeholders filled; braces that are none, such as those of a formula, stay.

    Args:
        template: what the modeller wrote.
        figures: what there is, by full name.

    Raises:
        UnknownPlaceholder: if it asks for a figure that there is not.
    """

    def filled(match: re.Match[str]) -> str:
        name = match["name"].strip()
        latex = match["latex"] or ""
        if name not in figures:
            name = name.rpartition(":")[0] or name  # a wish of another kind
        if name not in figures:
            if latex or ":" in match["name"]:
                return match[0]
            raise UnknownPlaceholder(name, list(figures))
        decimals = match["decimals"]
        text = printed(figures[name], None if decimals is None else int(decimals))
        return f"{latex}{{{text}}}" if latex else text

    return _PLACEHOLDER.sub(filled, template)


def printed(figure: Figure, decimals: int | None = None) -> str:
    """A figure as people write it: without float noise, exponents or separators of thousands.

    Args:
        figure: a finite number, or a word, which stays as it is.
        decimals: how many to show; None for as many as it has, up to ten significant digits.
    """
    if isinstance(figure, str):
        return figure
    if decimals is not None:
        return _without_minus_zero(f"{figure:.{decimals}f}")
    if isinstance(figure, int):
        return str(figure)
    if figure != 0 and not _SMALL <= abs(figure) < _LARGE:
        return f"{figure:.{_DIGITS}g}"
    if figure.is_integer():
        return str(int(figure))
    before_the_point = math.floor(math.log10(abs(figure))) + 1
    text = f"{figure:.{max(0, _DIGITS - before_the_point)}f}"
    return _without_minus_zero(text.rstrip("0").rstrip(".") if "." in text else text)


def _without_minus_zero(text: str) -> str:
    return text.removeprefix("-") if not text.strip("-0.") else text
