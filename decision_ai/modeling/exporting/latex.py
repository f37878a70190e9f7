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
    model_document,
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
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
_CONTROLS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
# What pdfLaTeX's fonts lack is shown by its number there.
_UNKNOWN_TO_PDFLATEX = re.compile(
    "[\u0126\u0127\u0138\u013f\u0140\u0149\u0166\u0167\u017f]|[^\x00-\u017f\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac]"
)
_HEADINGS = {2: "section*", 3: "subsection*"}
_LONGEST_LINE = 108


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
    count = len(table.header)
    # 0.92 of the line are shared; the rest is the space between columns.
    column = f">{{\\raggedright\\arraybackslash}}p{{\\dimexpr{0.92 / count:.4f}\\linewidth-1\\tabcolsep}}"
    rows = [" & ".join(f"\\textbf{{{_escaped(name)}}}" for name in table.header) + r" \\ \hline \endhead"]
    rows += [" & ".join(_spans((cell,)) for cell in row) + r" \\" for row in table.rows]
    lines = "\n".join(rows)
    return f"{{\\small\n\\begin{{longtable}}{{{column * count}}}\n{lines}\n\\end{{longtable}}}}"


def _code(text: str) -> str:
    lines = (
        _CONTROLS.sub("", line.expandtabs(4))[start : start + _LONGEST_LINE]
        for line in text.split("\n")
        for start in range(0, max(len(line.expandtabs(4)), 1), _LONGEST_LINE)
    )
    # Only this very text ends the environment.
    kept = "\n".join(lines).replace("\\end{verbatim}", "\\end {verbatim}")
    return f"{{\\footnotesize\n\\begin{{verbatim}}\n{kept}\n\\end{{verbatim}}}}"


def _spans(spans: tuple[Span, ...]) -> str:
    return "".join(map(_span, spans))


def _span(span: Span) -> str:
    match span:
        case Plain():
            return _escaped(span.text)
        case Symbol():
            # Long code may break after its punctuation.
            return f"\\texttt{{{re.sub(r'([_.,(=])', _breakable, _escaped(span.text))}}}"
        case Formula():
            return f"${span.math}$"


def _breakable(match: re.Match[str]) -> str:
    return f"{match[0]}\\allowbreak{{}}"


def _escaped(text: str) -> str:
    one_line = " ".join(_CONTROLS.sub(" ", text).split())
    edges = (" " if text[:1].isspace() else "", " " if text[-1:].isspace() and one_line else "")
    return edges[0] + "".join(_SPECIAL.get(letter, letter) for letter in one_line) + edges[1]
