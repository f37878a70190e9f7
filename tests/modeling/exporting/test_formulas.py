"""Mathematics passes, everything else does not."""

import pytest
from hypothesis import given, strategies as st

from decision_ai.examples import EXAMPLES, example
from decision_ai.modeling.exporting.formulas import plain_formula
from decision_ai.modeling.program import Program

pytestmark = pytest.mark.core


@pytest.mark.parametrize("name", EXAMPLES)
def test_all_formulas_of_the_examples_pass(name: str) -> None:
    program = Program.parse(example(name)[0])
    assert program.objective is not None
    parts = [*program.constraints.values(), *program.variables.values(), program.objective]
    assert [part.id for part in parts if plain_formula(part.math) is None] == []


@pytest.mark.parametrize(
    "formula",
    [
        r"\sum_{i \in I} w_i \, x_i \le C",
        r"x_i^2 \quad \forall i",
        r"\begin{cases} a & b \\ c & d \end{cases}",
        r"\left( a \right) \{1,\dots,n\}",
        r"\text{50\% of } d",
    ],
)
def test_mathematics_is_kept(formula: str) -> None:
    assert plain_formula(f"  {formula}\n") == formula


@pytest.mark.parametrize(
    "formula",
    [
        "",
        "   ",
        r"\input{/etc/passwd}",
        r"x \end{equation} \write18{x}",
        r"\begin{document} x \end{document}",
        r"\begin{cases} x \end{matrix}",
        r"\def\x{y}",
        r"a_{i} \le {b",
        "a } { b",
        "a % b",
        "a $ b",
        "a & b",
        r"a \\ b",
        "x_",
        "x_a_b",
        "{x^}",
        r"\text{a_b}",
        r"\left( a",
        r"\right) \left(",
        "größe",
        "a\\",
        "a \x1b b",
    ],
)
def test_anything_else_is_not(formula: str) -> None:
    assert plain_formula(formula) is None


@given(
    st.lists(st.sampled_from([*"\\{}$_^&%#a1 ", "\\begin{cases}", "\\end{cases}", "\\sum", "\\input"])).map(
        "".join
    )
)
def test_what_passes_is_balanced_and_has_no_way_out(text: str) -> None:
    formula = plain_formula(text)
    if formula is not None:
        bare = formula.replace("\\\\", "").replace("\\{", "").replace("\\}", "").replace("\\$", "")
        assert bare.count("{") == bare.count("}")
        assert "$" not in bare
        assert "\\input" not in bare
        assert formula.count("\\begin") == formula.count("\\end")
