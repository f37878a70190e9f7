"""The Python and LaTeX of sums over families, for a generated model file."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from decision_ai.modeling.importing.data_parts import number
from decision_ai.modeling.importing.shapes import ColumnFamily, RowFamily, Terms

LETTERS = "ijkmnpqrstuw"
"""Index letters; `a` is a coefficient and `v` the variables."""
_WIDTH = 110
_SENSES = {"<=": r"\le", ">=": r"\ge", "==": "="}


@dataclass(frozen=True)
class Piece:
    """One signed summand, as code and as formula."""

    code: str
    math: str
    negative: bool = False


def letters(count: int, *, after: int = 0) -> list[str]:
    """Index letters; behind the alphabet they are numbered.

    Args:
        count: how many.
        after: how many are in use.
    """
    return [
        LETTERS[at % len(LETTERS)] + (str(at // len(LETTERS) + 1) if at >= len(LETTERS) else "")
        for at in range(after, after + count)
    ]


def subscript(used: Sequence[str]) -> str:
    """`_{i,j}`; nothing for a scalar."""
    return f"_{{{','.join(map(_letter, used))}}}" if used else ""


def math_name(name: str) -> str:
    """An identifier in a formula."""
    plain = name.isascii() and name.isalpha()
    return name if plain else r"\text{" + name.replace("_", r"\_") + "}"


def key(used: Sequence[str]) -> str:
    """An index in code: `i`, `i, j`."""
    return ", ".join(used)


def member(family: ColumnFamily, used: Sequence[str]) -> str:
    """A member of a family in code: `v.x[i, j]`."""
    return f"v.{family.name}[{key(used)}]" if used else f"v.{family.name}"


def loops(container: str, used: Sequence[str], leaf: str = "") -> list[str]:
    """The `for` clauses that walk nested dicts.

    Args:
        container: where they begin.
        used: a letter for each level.
        leaf: name of the values of the last level; empty where only its labels are wanted.
    """
    clauses = []
    for letter in used[:-1]:
        clauses.append(f"for {letter}, by_{letter} in {container}.items()")
        container = f"by_{letter}"
    last = used[-1]
    clauses.append(f"for {last}, {leaf} in {container}.items()" if leaf else f"for {last} in {container}")
    return clauses


def family_loops(family: ColumnFamily | RowFamily, used: Sequence[str], leaf: str = "") -> list[str]:
    """The `for` clauses that walk the index of a family or constraint.

    Args:
        family: the family or constraint, with an index.
        used: a letter for each label.
        leaf: name of the data of a member; empty where only the index is wanted.
    """
    if family.sets and not leaf:
        return [f"for {letter} in data.{name}" for letter, name in zip(used, family.sets, strict=True)]
    return loops(f"data.{family.name}", used, leaf)


def row_pieces(family: RowFamily) -> list[Piece]:
    """The left side of a constraint."""
    row_letters = letters(family.depth)
    row = "row" if family.depth else f"data.{family.name}"
    return [_row_piece(terms, row_letters, row) for terms in family.terms]


def _row_piece(terms: Terms, row_letters: list[str], row: str) -> Piece:
    family = terms.family
    if terms.kind == "pattern":
        return _pattern_piece(terms, row_letters)
    field = f"{row}.{family.name}"
    if terms.kind == "factor":
        used = [row_letters[position] for position in terms.match if position is not None]
        factor = rf"a^{{{math_name(family.name)}}}{subscript(row_letters)}"
        formula = rf"{factor} \, {math_name(family.name)}{subscript(used)}"
        return Piece(f"{field} * {member(family, used)}", formula)
    own = letters(family.depth, after=len(row_letters))
    formula = math_name(family.name) + subscript(own)
    if terms.kind == "members":
        code = _sum(member(family, own), loops(field, own))
        labels = f"({_tuple(own)})" if len(own) > 1 else own[0]
        chosen = rf"{labels} \in I^{{{math_name(family.name)}}}{subscript(row_letters)}"
        return Piece(code, rf"\sum_{{{chosen}}} {formula}", terms.coefficient < 0)
    code = _sum(f"a * {member(family, own)}", loops(field, own, "a"))
    factor = rf"a^{{{math_name(family.name)}}}{subscript([*row_letters, *own])}"
    return Piece(code, rf"\sum_{{{_tuple(own)}}} {factor} \, {formula}")


def _pattern_piece(terms: Terms, row_letters: list[str]) -> Piece:
    family = terms.family
    free = iter(letters(sum(row is None for row in terms.match), after=len(row_letters)))
    used = [next(free) if row is None else row_letters[row] for row in terms.match]
    formula = math_name(family.name) + subscript(used)
    summed = [position for position, row in enumerate(terms.match) if row is None]
    code = member(family, used)
    if summed:
        asked = [f"if ({key(used)}) in v.{family.name}"] if terms.gaps else []
        code = _sum(code, [*_slice_loops(terms, used), *asked])
        formula = rf"\sum_{{{_ranges(family, used, summed)}}} {formula}"
    if terms.factor_name:
        return Piece(f"data.{terms.factor_name} * {code}", rf"{math_name(terms.factor_name)} \, {formula}")
    return Piece(code, formula, terms.coefficient < 0)


def _slice_loops(terms: Terms, used: list[str]) -> list[str]:
    """The clauses that walk a slice of a family, the row's own labels looked up on the way."""
    if terms.family.sets:
        walked = zip(used, terms.family.sets, terms.match, strict=True)
        return [f"for {letter} in data.{name}" for letter, name, row in walked if row is None]
    container, clauses = f"data.{terms.family.name}", []
    for position, (letter, row) in enumerate(zip(used, terms.match, strict=True)):
        if row is not None:
            container = f"{container}[{letter}]"
        elif None not in terms.match[position + 1 :]:
            clauses.append(f"for {letter} in {container}")
        else:
            clauses.append(f"for {letter}, by_{letter} in {container}.items()")
            container = f"by_{letter}"
    return clauses


def objective_pieces(families: Sequence[ColumnFamily]) -> Iterator[Piece]:
    """The objective without its constant, family by family."""
    for family in families:
        if family.cost == 0:
            continue
        used = letters(family.depth)
        formula = math_name(family.name) + subscript(used)
        ranges = _ranges(family, used)
        total = rf"\sum_{{{ranges}}} {formula}" if used else formula
        if family.cost is None:
            code = _sum(f"member.cost * {member(family, used)}", family_loops(family, used, "member"))
            yield Piece(
                code, rf"\sum_{{{ranges}}} c^{{{math_name(family.name)}}}{subscript(used)} \, {formula}"
            )
            continue
        code = _sum(member(family, used), family_loops(family, used)) if used else member(family, [])
        if family.cost in (1, -1):
            yield Piece(code, total, family.cost < 0)
        else:
            yield Piece(f"data.{family.cost_name} * {code}", rf"{math_name(family.cost_name)} \, {total}")


def joined(pieces: Sequence[Piece], *, math: bool = False) -> str:
    """Summands in one line, as code or as formula."""
    text = ""
    for piece in pieces:
        sign = "-" if piece.negative else "+"
        written = piece.math if math else piece.code
        text += f" {sign} {written}" if text else ("-" if piece.negative else "") + written
    return text


def in_lines(pieces: Sequence[Piece], indent: int) -> list[str]:
    """Summands as code, a line each and long ones broken, for inside of brackets."""
    lines = []
    for at, piece in enumerate(pieces):
        lead = "- " if piece.negative else "+ "
        lead = lead if at else lead.strip("+ ")
        lines += broken(" " * indent + lead + piece.code, indent)
    return lines


def row_formula(family: RowFamily, pieces: Sequence[Piece]) -> str:
    """The formula of a constraint."""
    used = letters(family.depth)
    sense = _SENSES[family.sense] if family.sense else r"\lesseqgtr"
    if family.rhs_in_code:
        right = str(number(family.rows[0].rhs))
    elif family.rhs_in_main:
        right = math_name(family.rhs_name)
    else:
        right = f"rhs{subscript(used)}"
    every = rf" \quad \forall {_ranges(family, used)}" if used else ""
    return f"{joined(pieces, math=True)} {sense} {right}{every}"


def _sum(term: str, clauses: Sequence[str]) -> str:
    return f"pulp.lpSum({term} {' '.join(clauses)})"


def broken(line: str, indent: int) -> list[str]:
    """A line of code; a sum that is too long for one is broken at its loops."""
    if len(line) <= _WIDTH or not line.endswith(")"):
        return [line]
    head, _, inside = line[:-1].partition("pulp.lpSum(")
    parts = re.split(r" (?=for |if )", inside)
    return [f"{head}pulp.lpSum(", *(f"{' ' * (indent + 4)}{part}" for part in parts), f"{' ' * indent})"]


def _tuple(used: Sequence[str]) -> str:
    return ", ".join(map(_letter, used))


def _ranges(
    family: ColumnFamily | RowFamily, used: Sequence[str], positions: Sequence[int] | None = None
) -> str:
    r"""What letters of a family run over: `i, j`; where its sets have names, `i \in sites, j \in months`."""
    chosen = range(len(used)) if positions is None else positions
    if not family.sets:
        return _tuple([used[position] for position in chosen])
    return ", ".join(
        rf"{_letter(used[position])} \in {math_name(family.sets[position])}" for position in chosen
    )


def _letter(letter: str) -> str:
    return letter if len(letter) == 1 else rf"{letter[0]}_{{{letter[1:]}}}"
