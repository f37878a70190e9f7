"""Sets one keyword of the call that declares a part, and touches nothing else of its code."""

import ast
import tokenize

from decision_ai.modeling.outline import members_of
from decision_ai.modeling.reading import decorator_call, family_call
from decision_ai.modeling.refusals import refusal
from decision_ai.modeling.source import SourceText, Splice, parse_python, tokens_of

_OPEN, _CLOSE = "([{", ")]}"
_SKIPPED = {tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT}


def with_keyword(code: str, keyword: str, value: object, default: object) -> str:
    """The code of a constraint or variable family with `keyword=value`; the default is left unwritten."""
    source = SourceText(code)
    member = members_of(parse_python(source).body, source)[0]
    call = decorator_call(member) or family_call(member)
    if call is None:
        raise refusal("decorator", f"nothing in this code takes {keyword!r}: {code.strip()[:80]!r}")
    spans = _spans_in(source, call)
    present = next((item for item in call.keywords if item.arg == keyword), None)
    written = "" if value == default else f"{keyword}={value!r}".replace("'", '"')
    if present is None:
        splice = _insertion(spans, written) if written else None
    else:
        splice = _change(spans, _position(source, present.lineno, present.col_offset), written)
    return code if splice is None else source.spliced([splice])


def _insertion(tokens: list[tuple[str, int, int]], written: str) -> Splice:
    _, _, end = tokens[-3] if tokens[-2][0] == "," else tokens[-2]  # before a trailing comma
    return Splice(end, end, (written if len(tokens) == 2 else f", {written}").encode())


def _change(tokens: list[tuple[str, int, int]], start: int, written: str) -> Splice:
    first = next(i for i, token in enumerate(tokens) if token[1] == start)
    after = _argument_end(tokens, first)
    if written:
        return Splice(start, tokens[after - 1][2], written.encode())
    if tokens[first - 1][0] == ",":
        return Splice(tokens[first - 1][1], tokens[after - 1][2], b"")
    end = tokens[after + 1][1] if tokens[after][0] == "," else tokens[after - 1][2]
    return Splice(start, end, b"")


def _argument_end(tokens: list[tuple[str, int, int]], first: int) -> int:
    """Position of the comma or bracket after the argument that starts at token `first`."""
    depth = 0
    for position in range(first, len(tokens)):
        text = tokens[position][0]
        if depth == 0 and (text == "," or text in _CLOSE):
            return position
        depth += (text in _OPEN) - (text in _CLOSE)
    raise ValueError("unbalanced brackets")


def _spans_in(source: SourceText, call: ast.Call) -> list[tuple[str, int, int]]:
    """The tokens of a call from its opening to its closing bracket: text, first byte, byte after."""
    start = _position(source, call.func.end_lineno or 1, call.func.end_col_offset or 0)
    end = _position(source, call.end_lineno or 1, call.end_col_offset or 0)
    spans = []
    for token in tokens_of(source.text + "\n"):
        if token.type in _SKIPPED or not token.string:
            continue
        first, after = (_token_position(source, *place) for place in (token.start, token.end))
        if start <= first and after <= end:
            spans.append((token.string, first, after))
    return spans[next(i for i, span in enumerate(spans) if span[0] == "(") :]


def _position(source: SourceText, line: int, column: int) -> int:
    return source.start(line) + column


def _token_position(source: SourceText, line: int, column: int) -> int:
    """Tokens count characters where the syntax tree counts bytes."""
    return source.start(line) + len(source.lines[line - 1][:column].encode())
