"""Indentation of one part's code: taken off when it is read, put on when it is spliced in."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from decision_ai.modeling.source import SourceText, Span, lines_inside_strings

STANDARD_UNIT = "    "


@dataclass(frozen=True)
class Code:
    """Code of one part, dedented, with LF line ends.

    Attributes:
        text: the lines.
        unit: what one level of its own indentation looks like; None where it has no block.
    """

    text: str
    unit: str | None

    def laid_out(self, prefix: str, unit: str, newline: bytes = b"\n") -> bytes:
        """The code at the indentation of a file: every line behind `prefix`, levels written as `unit`."""
        own = self.unit or unit
        lines = _map_outside_strings(self.text, lambda line: _with_indent(line, prefix, own, unit))
        return newline.join(line.encode() for line in lines)

    def canonical(self) -> str:
        """The code as it is compared: standard indentation, no blanks at line ends."""
        own = self.unit or STANDARD_UNIT
        lines = _map_outside_strings(
            self.text, lambda line: _with_indent(line, "", own, STANDARD_UNIT).rstrip()
        )
        return "\n".join(lines).strip()


def block_unit(node: ast.AST, source: SourceText) -> str | None:
    """How a function or class indents its block, relative to itself; None without a block of its own."""
    if not isinstance(node, ast.FunctionDef | ast.ClassDef):
        return None
    body = first_line(node.body[0])
    outer, inner = source.indent(node.lineno), source.indent(body)
    return inner[len(outer) :] if body != node.lineno and inner.startswith(outer) else None


def first_line(node: ast.stmt) -> int:
    """The line a statement starts at, decorators included."""
    decorators: Sequence[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def dedented(source: SourceText, span: Span, inside: frozenset[int]) -> str:
    """Whole lines without the indentation of the first one; lines inside strings stay as they are."""
    prefix = source.indent(span.first)
    return "\n".join(
        line if number in inside else _without_prefix(line, prefix)
        for number, line in enumerate(source.lines[span.first - 1 : span.last], span.first)
    )


def dedented_text(text: str) -> str:
    """A free-standing piece of code without the indentation of its first line.

    Raises:
        ProgramError: if it cannot be split into tokens.
    """
    source = SourceText(text)
    first = next((n for n in range(1, len(source.lines) + 1) if not source.is_blank(n)), 1)
    if not source.indent(first):
        return source.text
    inside = frozenset(n - 1 for n in lines_inside_strings("if True:\n" + source.text + "\n"))
    return dedented(source, Span(first, len(source.lines)), inside)


def _without_prefix(line: str, prefix: str) -> str:
    if line.startswith(prefix):
        return line[len(prefix) :]
    return line.lstrip(" \t") if not line.strip(" \t") else line


def _map_outside_strings(text: str, change: Callable[[str], str]) -> list[str]:
    inside = lines_inside_strings(text + "\n")
    return [line if n in inside else change(line) for n, line in enumerate(text.split("\n"), 1)]


def _with_indent(line: str, prefix: str, own: str, unit: str) -> str:
    rest = line.lstrip(" \t")
    if not rest:
        return ""
    blanks, levels = line[: len(line) - len(rest)], 0
    while blanks.startswith(own):
        blanks, levels = blanks[len(own) :], levels + 1
    return prefix + unit * levels + blanks + rest
