"""A model as a LaTeX document that compiles with pdfLaTeX, XeLaTeX, LuaLaTeX and Tectonic."""

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

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}",
    "'": r"\textquotesingle{}",
    "-": "{-}",  # two are a dash
    "[": "{[}",  # after a line break it would be an option
    "]": "{]}",
    "_": r"\_\allowbreak{}",
    **{sign: f"\\{sign}" for sign in "&%$#{}"},
}
# What pdfLaTeX's fonts lack is shown by its number there.
_UNKNOWN_TO_PDFLATEX = re.compile(
    "[\u0126\u0127\u0138\u013f\u0140\u0149\u0166\u0167\u017f]|[^\x00-\u017f\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac]"
)
_HEADINGS = {2: "section*", 3: "subsection*"}
_ROOM, _BETWEEN = 468.0, 8.0
"""Points of a line, and of the space that comes with each column of a table."""
_LETTER, _BOLD, _MORE = 5.3, 6.2, 4.0
"""Points of a letter in a table and in its header, and of the few that are wider."""
_LONGEST_LINES = {"footnotesize": 99, "scriptsize": 111}
"""Letters of code in a line, by the size of its letters."""


def latex_text(
    program: Program, *, description: ModelDescription | None = None, json_data: str | None = None
) -> str:
    """The model as a LaTeX document.

    Args:
        program: the model.
        description: the model as built, for the sizes of families and constraints.
        json_data: the data as JSON; small tables are shown, large ones summarised.

    Raises:
        DataError: if the data are not JSON.
    """
    document = model_document(program, description=description, json_data=json_data)
    body = "\n\n".join(map(_block, document))
    unknown = sorted(set(_UNKNOWN_TO_PDFLATEX.findall(body)))
    declared = [f"\\DeclareUnicodeCharacter{{{ord(c):04X}}}{{\\texttt{{U+{ord(c):04X}}}}}" for c in unknown]
    return "\n".join(
        [_PREAMBLE, "\\ifPDFTeX", *declared, "\\fi", "\\begin{document}", body, "\\end{document}", ""]
    )


_PREAMBLE = r"""\documentclass[11pt]{article}
\usepackage[a4paper,margin=2.2cm]{geometry}
\usepackage{iftex}
\ifPDFTeX
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\else
\usepackage{fontspec}
\fi
\usepackage{textcomp}
\usepackage{amsmath,amssymb}
\usepackage{array,longtable}
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt}
\setlength{\tabcolsep}{4pt}
\setlength{\LTleft}{0pt}
\setlength{\LTright}{0pt plus 1fill}
\emergencystretch=3em"""


def _block(block: Block) -> str:
    match block:
        case Heading(level=1):
            return f"{{\\LARGE\\bfseries {_spans(block.spans)}\\par}}"
        case Heading():
            return f"\\{_HEADINGS[block.level]}{{{_spans(block.spans)}}}"
        case Paragraph():
            return _spans(block.spans)
        case Display():
            return f"\\[\n{block.math}\n\\]"
        case Code():
            return _code(block.text)
        case Table():
            return _table(block)


def _table(table: Table) -> str:
    rows = [" & ".join(f"\\textbf{{{_escaped(name)}}}" for name in table.header) + r" \\ \hline \endhead"]
    rows += [" & ".join(_spans((cell,)) for cell in row) + r" \\" for row in table.rows]
    lines = "\n".join(rows)
    columns = "".join(f">{{\\raggedright\\arraybackslash}}p{{{width:.0f}pt}}" for width in _widths(table))
    return f"{{\\small\n\\begin{{longtable}}{{{columns}}}\n{lines}\n\\end{{longtable}}}}"


def _widths(table: Table) -> list[float]:
    """Points for each column: what its longest cell takes in one line, where there is room for that.

    The other columns share the rest, in which they break their lines.
    """
    cells = zip(*table.rows, strict=True) if table.rows else [()] * len(table.header)
    wanted = [
        _MORE + max([_BOLD * len(name), *(_LETTER * _letters(cell) for cell in column)])
        for name, column in zip(table.header, cells, strict=True)
    ]
    room = _ROOM - _BETWEEN * len(wanted)
    wide = list(range(len(wanted)))
    while wide and (narrow := [at for at in wide if wanted[at] <= room / len(wide)]):
        room -= sum(wanted[at] for at in narrow)
        wide = [at for at in wide if at not in narrow]
    return [room / len(wide) if at in wide else points for at, points in enumerate(wanted)]


def _letters(span: Span) -> int:
    if isinstance(span, Formula):
        return len(re.sub(r"\\(?:text|mathrm|operatorname)\b|[{}\\_^]", "", span.math))
    return len(in_one_line(span.text))


def _code(text: str) -> str:
    lines = without_controls(text.expandtabs(4)).split("\n")
    longest = max(map(len, lines))
    size = next((size for size, most in _LONGEST_LINES.items() if longest <= most), "scriptsize")
    most = _LONGEST_LINES[size]
    broken = "\n".join(line[at : at + most] for line in lines for at in range(0, max(len(line), 1), most))
    # Only this very text ends the environment.
    kept = broken.replace("\\end{verbatim}", "\\end {verbatim}")
    return f"{{\\{size}\n\\begin{{verbatim}}\n{kept}\n\\end{{verbatim}}}}"


def _spans(spans: tuple[Span, ...]) -> str:
    return "".join(map(_span, spans))


def _span(span: Span) -> str:
    match span:
        case Plain():
            return _escaped(span.text)
        case Symbol():
            # Long code may break after its punctuation.
            return f"\\texttt{{{re.sub(r'[.,(=]', _breakable, _escaped(span.text))}}}"
        case Formula():
            return f"${span.math}$"


def _breakable(match: re.Match[str]) -> str:
    return f"{match[0]}\\allowbreak{{}}"


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(letter, letter) for letter in in_one_line(text))
