"""The public names: each loads from its home, and type checkers see the same table."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

import decision_ai

pytestmark = pytest.mark.core


@pytest.mark.parametrize("name", decision_ai.__all__)
def test_a_public_name_loads(name: str) -> None:
    value = getattr(decision_ai, name)
    if name != "__version__":
        home = decision_ai._HOME[name]
        assert value is getattr(import_module(home), name)
        assert getattr(value, "__module__", home).startswith(("decision_ai.", "typing", "types"))


def test_the_names_are_listed_once_and_shown_by_dir() -> None:
    assert len(set(decision_ai.__all__)) == len(decision_ai.__all__)
    assert dir(decision_ai) == sorted(decision_ai.__all__)


def test_an_unknown_name_is_an_attribute_error_that_names_it() -> None:
    with pytest.raises(AttributeError, match="module 'decision_ai' has no attribute 'Promt'"):
        decision_ai.Promt  # noqa: B018


def test_type_checkers_see_the_same_names_from_the_same_homes() -> None:
    tree = ast.parse(Path(decision_ai.__file__).read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    assert ast.unparse(block.test) == "TYPE_CHECKING"
    seen = {
        alias.asname: node.module
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name == alias.asname
    }
    assert seen == decision_ai._HOME
