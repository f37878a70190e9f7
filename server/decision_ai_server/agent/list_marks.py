"""Where the numbers of lists stand, no claims: "1. Solve", "option 1 or option 2", "(1) a, (2) b"."""

import re

_AT_LINE = re.compile(
    r"^(?P<indent>[\s>#*+-]*)\(?(?:step\s+)?(?P<number>\d{1,3})[.):](?=\s+\S)", re.IGNORECASE
)
_IN_LINE = re.compile(
    r"\((?P<bracketed>\d{1,2})\)(?=\s+(?!and\b|or\b)[^\W\d])"
    r"|\b(?:option|reading|alternative|variant)\s+(?P<named>\d{1,2})(?![\w%]|[.,]\d)",
    re.IGNORECASE,
)


def list_marks(text: str) -> set[int]:
    """Where the numbers of the lists of a plain text begin."""
    return _at_lines(text) | _in_lines(text)


def _at_lines(text: str) -> set[int]:
    """Those of numbered lines: the first is 1, and each goes on from the last one."""
    last: dict[int, int] = {}
    found, position = set(), 0
    for line in text.splitlines(keepends=True):
        match = _AT_LINE.match(line)
        if match is not None:
            indent, number = len(match["indent"]), int(match["number"])
            if number in (1, last.get(indent, 0) + 1):
                found.add(position + match.start("number"))
                last = {depth: one for depth, one in last.items() if depth < indent} | {indent: number}
        position += len(line)
    return found


def _in_lines(text: str) -> set[int]:
    """Those of options: the first is 1, each goes on from the last one or names an earlier one."""
    found: dict[str, list[int]] = {"bracketed": [], "named": []}
    most = {"bracketed": 0, "named": 0}
    for match in _IN_LINE.finditer(text):
        kind = str(match.lastgroup)
        number = int(match[kind])
        if 1 <= number <= most[kind] + 1:
            found[kind].append(match.start(kind))
            most[kind] = max(most[kind], number)
    return {place for kind, places in found.items() if most[kind] > 1 for place in places}
