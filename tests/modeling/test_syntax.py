"""Programs can be read on many threads at once."""

import ast
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

from decision_ai.examples import EXAMPLES, example
from decision_ai.modeling.syntax import parse_expression, parse_module

pytestmark = pytest.mark.core


def test_many_threads_read_at_once() -> None:
    sources = [example(name)[0] for name in EXAMPLES]
    expected = [ast.dump(ast.parse(source)) for source in sources]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            assert [ast.dump(tree) for tree in pool.map(parse_module, sources)] == expected


def test_an_expression_is_read_alone() -> None:
    assert ast.unparse(parse_expression("a + b")) == "a + b"
    with pytest.raises(SyntaxError):
        parse_expression("a = b")


def test_a_stray_backslash_is_not_warned_about() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        parse_module("'\\d'")
    assert caught == []
