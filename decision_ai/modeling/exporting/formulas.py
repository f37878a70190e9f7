"""Which formulas may be pasted into LaTeX and Markdown as they are: mathematics, and nothing else.

Formulas are written by people and language models. One that is more than mathematics (reads a file, defines a
command, leaves its environment) or would not compile is shown as text instead.
"""

import re

_TOKENS = re.compile(r"\\[A-Za-z]+|\\.|[^\\]", re.DOTALL)
_BEGIN_END = re.compile(r"\\(begin|end)\s*\{([a-z]+\*?)\}")
_ENVIRONMENTS = frozenset(
    {"cases", "matrix", "pmatrix", "bmatrix", "vmatrix", "aligned", "gathered", "split", "array"}
)
_SIGNS = frozenset(",;:!{}|\\ _%&#$")
"""What may follow a backslash besides a command."""
_DOUBLE_SCRIPT = re.compile(r"([_^])\s*(\{[^{}]*\}|\\[A-Za-z]+|[^\s{}\\])\s*\1")
_SCRIPT_IN_TEXT = re.compile(r"\\text[a-z]*\s*\{[^{}]*(?<!\\)[_^]")
_NO_SCRIPT = re.compile(r"(?<!\\)[_^]\s*($|[_^}&])")
_NOT_MATHEMATICS = frozenset("$%#~`\x00")
_WORDS = """
    alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho
    varrho sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon
    Phi Psi Omega
    sum prod int oint bigcup bigcap bigvee bigwedge bigoplus limits nolimits
    le leq leqslant ge geq geqslant lt gt ne neq equiv approx sim simeq cong ll gg prec succ preceq succeq
    in notin ni subset subseteq supset supseteq subsetneq cup cap setminus emptyset varnothing
    forall exists nexists neg lnot land lor wedge vee implies impliedby iff to mapsto gets
    rightarrow leftarrow Rightarrow Leftarrow leftrightarrow Leftrightarrow longrightarrow Longrightarrow
    uparrow downarrow
    cdot cdots ldots dots dotsc dotsb vdots ddots times div pm mp ast star circ bullet oplus otimes odot
    frac dfrac tfrac binom sqrt stackrel overset underset overbrace underbrace overline underline substack
    hat widehat tilde widetilde bar vec dot ddot prime
    min max arg argmin argmax inf sup lim log ln exp sin cos tan det dim gcd deg Pr mod bmod pmod
    left right middle big Big bigg Bigg bigl bigr Bigl Bigr lceil rceil lfloor rfloor langle rangle lvert
    rvert lVert rVert vert Vert mid nmid parallel lbrace rbrace lbrack rbrack
    text textrm textit textbf texttt textsf mathrm mathit mathbf mathsf mathtt mathcal mathbb mathfrak
    boldsymbol operatorname
    quad qquad space colon infty partial nabla ell Re Im top bot perp angle triangle square
    displaystyle textstyle scriptstyle therefore because nonumber
"""
_COMMANDS = frozenset(re.findall("[A-Za-z]+", _WORDS))


def plain_formula(math: str) -> str | None:
    """The formula in one line, if it is nothing but mathematics that compiles; else None."""
    formula = " ".join(math.split())
    if not formula.isascii() or not formula.isprintable():
        return None
    rest = _without_environments(formula)
    if rest is None:
        return None
    depth, tokens = 0, _TOKENS.findall(rest)
    if "".join(tokens) != rest:  # a backslash at the end
        return None
    for token in tokens:
        depth += (token == "{") - (token == "}")
        if depth < 0 or token in _NOT_MATHEMATICS or not _known(token):
            return None
    return formula if rest.strip() and depth == 0 and _paired(rest) and _single_scripts(rest) else None


def _known(token: str) -> bool:
    if len(token) == 1:
        return token != "\\"
    return token[1:] in _SIGNS or token[1:] in _COMMANDS


def _paired(formula: str) -> bool:
    r"""Whether every \left has its \right."""
    open_ones = 0
    for side in re.findall(r"\\(left|right)(?![A-Za-z])", formula):
        open_ones += 1 if side == "left" else -1
        if open_ones < 0:
            return False
    return open_ones == 0


def _single_scripts(formula: str) -> bool:
    """Whether every `_` and `^` has what follows it, no base has two of one kind, and text has none."""
    return not any(wrong.search(formula) for wrong in (_NO_SCRIPT, _DOUBLE_SCRIPT, _SCRIPT_IN_TEXT))


def _without_environments(formula: str) -> str | None:
    r"""The formula without \begin and \end, if they are known and properly nested.

    Outside of them there are neither columns (`&`) nor lines.
    """
    open_ones: list[str] = []
    kept, at = [], 0
    for match in _BEGIN_END.finditer(formula):
        kept.append(_inside(formula[at : match.start()], bool(open_ones)))
        at = match.end()
        if match[1] == "begin":
            if match[2] not in _ENVIRONMENTS:
                return None
            open_ones.append(match[2])
        elif not open_ones or open_ones.pop() != match[2]:
            return None
    kept.append(_inside(formula[at:], bool(open_ones)))
    return None if open_ones or None in kept else "".join(part or "" for part in kept)


def _inside(part: str, in_environment: bool) -> str | None:
    aligned = re.search(r"(?<!\\)&|\\\\", part) is not None
    if aligned and not in_environment:
        return None
    return part.replace("&", " ") if in_environment else part
