"""Formulas as people write them, from what a language model wrote."""

import ast
import re

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.agent.expressions import loop_of
from decision_ai_server.agent.formulas import rule_formula, term_formula


def tree(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("3", "3"),
        ("data.budget", "budget"),
        ("v.take['Stove']", r"take_{\text{Stove}}"),
        ("v.open[s, t]", "open_{s, t}"),
        ("data.items[i].weight", "weight_{i}"),
        ("data.max_load", r"\mathit{max\_load}"),
        ("pulp.lpSum(v.take[i] for i in data.items)", r"\sum_{i \in items} take_{i}"),
        ("sum(v.take.values())", r"\sum take"),
        ("pulp.lpSum([v.a, v.b])", r"\left(a + b\right)"),
        (
            "pulp.lpSum(band.fee * v.booked[b] for b, band in data.bands.items() if band.kind == 'loud')",
            r"\sum_{b \in bands :\, kind_{b} = \text{loud}} fee_{b} \, booked_{b}",
        ),
        (
            "pulp.lpSum(v.x[i, j] for i in data.rows for j in ['a', 'b'] if j not in data.shut[i])",
            r"\sum_{i \in rows,\; j \in \{\text{a}, \text{b}\} :\, j \notin shut_{i}} x_{i, j}",
        ),
        ("pulp.lpSum(v.x[i] - v.y[i] for i in I)", r"\sum_{i \in I} \left(x_{i} - y_{i}\right)"),
        ("2 * pulp.lpSum(v.x.values())", r"2 \, \sum x"),
        ("pulp.lpSum(v.x.values()) * 2", r"\left(\sum x\right) \cdot 2"),
        ("2 * pulp.lpSum(v.x.values()) * 3", r"\left(2 \, \sum x\right) \cdot 3"),
        ("(v.x - v.y) / data.n", r"\frac{x - y}{n}"),
        ("v.x - (v.y - v.z)", r"\left(x - \left(y - z\right)\right)"),
        ("-(v.x + 1)", r"\left(-\left(x + 1\right)\right)"),
        ("len(data.items)", r"\text{len(data.items)}"),
    ],
)
def test_a_term_is_written_as_people_write_it(text: str, formula: str) -> None:
    assert term_formula(tree(text)) == formula


def test_a_rule_says_over_what_it_holds() -> None:
    loops = [loop_of("b, band in data.bands.items() if band.loud"), loop_of("s in data.stages")]
    formula = rule_formula(tree("band.size * v.plays[b, s]"), "<=", tree("data.room[s]"), loops)
    assert formula == (
        r"size_{b} \, plays_{b, s} \le room_{s} "
        r"\quad \forall b \in bands :\, loud_{b} \quad \forall s \in stages"
    )


FRACTION = re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}")
SIGNS = st.sampled_from(["+", "-", "*", "/"])
EXPRESSIONS = st.recursive(
    st.sampled_from(["1", "2", "3"]),
    lambda inner: st.builds("({} {} {})".format, inner, SIGNS, inner) | st.builds("(-{})".format, inner),
    max_leaves=8,
)


@given(EXPRESSIONS)
def test_brackets_keep_the_meaning(text: str) -> None:
    """A formula without sum signs, read back by its usual rules, is worth what the expression is."""
    formula = term_formula(tree(text))
    back = formula.replace(r"\left(", "(").replace(r"\right)", ")").replace(r"\cdot", "*").replace(r"\,", "*")
    while r"\frac" in back:
        back = FRACTION.sub(r"((\1)/(\2))", back)
    try:
        expected = eval(text)
    except ZeroDivisionError:
        return
    assert eval(back) == pytest.approx(expected)


def test_a_deep_product_is_written_at_once() -> None:
    text = "2 * (" * 60 + "v.x" + ")" * 60
    assert term_formula(tree(text)).count("2") == 60
