"""A model as Markdown for people and GitHub, with mathematics between dollar signs."""

import re

from decision_ai.modeling.exporting.document import (
    Block,
    Code,
    Display,
    Formula,
    Heading,
    Paragraph,
    Plain,
    Span,
    Symbol,
    Table,
    in_one_line,
    model_document,
    without_controls,
)
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import ModelDescription

_SPECIAL = re.compile(r"[\\`*_{}\[\]|~$]")
_SPECIAL_AT_START = re.compile(r"([#+=-]|\d+(?=[.)]))")
"""What makes a line a heading, a list or a rule."""
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}  # a name after @ would be told on GitHub


def markdown_text(
    program: Program, *, description: ModelDescription | None = None, json_data: str | None = None
) -> str:
    """The model as a Markdown document.

    Args:
        program: the model.
        description: the model as built, for the sizes of families and constraints.
        json_data: the data as JSON; small tables are shown, large ones summarised.

    Raises:
        DataError: if the data are not JSON.
    """
    document = model_document(program, description=description, json_data=json_data)
    return "\n\n".join(map(_block, document)) + "\n"


def _block(block: Block) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {_spans(block.spans)}"
        case Paragraph():
            return _at_start(_spans(block.spans).strip())
        case Display():
            return f"$$\n{_mathematics(block.math)}\n$$"
        case Code():
            return _code(block.text)
        case Table():
            return _table(block)


def _table(table: Table) -> str:
    rows = [
        [_escaped(name) for name in table.header],
        ["---"] * len(table.header),
        *([_spans((cell,)) for cell in row] for row in table.rows),
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _code(text: str) -> str:
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}python\n{without_controls(text).strip(chr(10))}\n{fence}"


def _spans(spans: tuple[Span, ...]) -> str:
    return "".join(map(_span, spans))


def _span(span: Span) -> str:
    match span:
        case Plain():
            return _escaped(span.text)
        case Symbol():
            return _symbol(span.text)
        case Formula():
            return f"${_mathematics(span.math).replace('|', chr(92) + 'vert ')}$"


def _symbol(text: str) -> str:
    if set(text) & set("`|") or not text.isprintable():
        return f"<code>{_escaped(text)}</code>"
    return f"`{text}`" if text else ""


def _at_start(line: str) -> str:
    match = _SPECIAL_AT_START.match(line)
    if match is None:
        return line
    number = match[0] if match[0].isdecimal() else ""
    return f"{number}\\{line[len(number) :]}"


def _mathematics(math: str) -> str:
    # Whoever renders Markdown reads HTML and emphasis first.
    return math.replace("<", "\\lt ").replace(">", "\\gt ")


def _escaped(text: str) -> str:
    return "".join(_ENTITIES.get(letter) or _SPECIAL.sub(r"\\\g<0>", letter) for letter in in_one_line(text))
