"""The text of a model file as lines and bytes, and the splices that change it.

Syntax-tree positions are (line, UTF-8 byte), and Python ends lines at CR, LF and CRLF only. Everything here
follows these two rules, so that an edit never touches a byte it does not mean.
"""

import ast
import codecs
import io
import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass

from decision_ai.modeling.refusals import refusal
from decision_ai.modeling.syntax import parse_module

_BREAK = re.compile(rb"\r\n|\r|\n")
_WORD = re.compile(r"\w+|[^\w ]")
MOST_WORDS = 100_000
"""Words, signs and line ends of a program; reading takes up to 0.1 ms for each, and stops everything else."""


@dataclass(frozen=True, order=True)
class Splice:
    """Put `text` in the place of the bytes from `start` up to `end`."""

    start: int
    end: int
    text: bytes


@dataclass(frozen=True)
class Span:
    """Whole lines from `first` to `last`, both included, counted from 1."""

    first: int
    last: int


class SourceText:
    """One text with the byte positions of its lines."""

    def __init__(self, text: str) -> None:
        try:
            self.data = text.encode()
        except UnicodeEncodeError as error:
            raise refusal("encoding", f"the program is not UTF-8 text at character {error.start}") from None
        breaks = list(_BREAK.finditer(self.data))
        after_bom = len(codecs.BOM_UTF8) if self.data.startswith(codecs.BOM_UTF8) else 0
        self._starts = [after_bom, *(found.end() for found in breaks)]
        self._ends = [*(found.start() for found in breaks), len(self.data)]
        self.newline = breaks[0].group() if breaks else b"\n"
        self.lines = [
            self.data[start:end].decode() for start, end in zip(self._starts, self._ends, strict=True)
        ]
        self.text = "\n".join(self.lines)
        """The text without byte-order mark and with LF line ends; line numbers are those of the file."""

    def start(self, line: int) -> int:
        """Byte at which a line starts."""
        return self._starts[line - 1]

    def end(self, line: int) -> int:
        """Byte at which a line's content ends, before its line break."""
        return self._ends[line - 1]

    def indent(self, line: int) -> str:
        """The blanks and tabs a line starts with."""
        content = self.lines[line - 1]
        return content[: len(content) - len(content.lstrip(" \t"))]

    def is_blank(self, line: int) -> bool:
        """Whether a line has nothing but blanks and tabs."""
        return not self.lines[line - 1].strip(" \t")

    def segment(self, node: ast.expr) -> str:
        """The text of an expression as written."""
        start = self.start(node.lineno) + node.col_offset
        end = self.start(node.end_lineno or node.lineno) + (node.end_col_offset or 0)
        return _BREAK.sub(b"\n", self.data[start:end]).decode()

    def part_bytes(self, span: Span) -> bytes:
        """The bytes of whole lines, without the last line break."""
        return self.data[self.start(span.first) : self.end(span.last)]

    def deletion(self, span: Span) -> Splice:
        """Delete whole lines and the blank lines above them, so that adding and deleting is no change."""
        first = span.first
        while first > 1 and self.is_blank(first - 1):
            first -= 1
        return Splice(self.end(first - 1) if first > 1 else self.start(1), self.end(span.last), b"")

    def spliced(self, splices: Iterable[Splice]) -> str:
        """The text after the splices, which must not overlap."""
        pieces, position = [], 0
        for splice in sorted(splices):
            pieces += [self.data[position : splice.start], splice.text]
            position = splice.end
        return b"".join([*pieces, self.data[position:]]).decode()


def too_many_words(text: str) -> str | None:
    """The sentence for a text that would take too long to read; None for any other."""
    if len(text) <= MOST_WORDS or sum(1 for _ in _WORD.finditer(text)) <= MOST_WORDS:
        return None
    return f"the program has more than {MOST_WORDS:,} words and signs"


def parse_python(source: SourceText) -> ast.Module:
    """The syntax tree of a text.

    Raises:
        ProgramError: if it is not Python, or too much of it.
    """
    too_many = too_many_words(source.text)
    if too_many is not None:
        raise refusal("too_large", too_many)
    try:
        return parse_module(source.text)
    except SyntaxError as error:
        line = error.lineno
        known = line is not None and 0 < line <= len(source.lines)
        raise refusal(
            "syntax",
            f"not valid Python: {error.msg}",
            line=line,
            source_line=source.lines[line - 1].strip() if line is not None and known else None,
        ) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise refusal("syntax", f"not valid Python: {str(error) or type(error).__name__}") from None


def tokens_of(text: str) -> list[tokenize.TokenInfo]:
    """The tokens of a text with LF line ends.

    Raises:
        ProgramError: if it cannot be split into tokens.
    """
    try:
        return list(tokenize.generate_tokens(io.StringIO(text, newline="\n").readline))
    except (tokenize.TokenError, SyntaxError) as error:
        raise refusal("syntax", f"not valid Python: {error.args[0]}") from None


def lines_inside_strings(text: str) -> frozenset[int]:
    """Numbers of the lines that start inside a string token and must not be re-indented."""
    inside: set[int] = set()
    open_at: list[int] = []
    for token in tokens_of(text):
        name = tokenize.tok_name[token.type]
        if name.endswith("STRING_START"):  # f-strings (3.12) and t-strings (3.14) come as several tokens
            open_at.append(token.start[0])
        elif name.endswith("STRING_END"):
            inside.update(range(open_at.pop() + 1, token.end[0] + 1))
        elif token.type == tokenize.STRING:
            inside.update(range(token.start[0] + 1, token.end[0] + 1))
    return frozenset(inside)
