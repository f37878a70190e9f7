"""What kind of file somebody has, by its name or text; nothing is run and no solver is loaded."""

import ast
from pathlib import PurePath

SUFFIXES = (".lp", ".mps", ".lp.gz", ".mps.gz")
"""Endings of the files of solvers that are read."""


def is_solver_file(path: PurePath) -> bool:
    """Whether a name is that of an LP or MPS file."""
    return path.name.lower().endswith(SUFFIXES)


def is_pulp_script(text: str) -> bool:
    """Whether a Python text imports PuLP and nothing of decision_ai, as a script does and no model file."""
    modules = _imported(text)
    return "pulp" in modules and "decision_ai" not in modules


def is_model_file(text: str) -> bool:
    """Whether a Python text imports decision_ai, as every model file does."""
    return "decision_ai" in _imported(text)


def _imported(text: str) -> set[str]:
    """The modules that a Python text imports, wherever in it; none if it is not Python."""
    try:
        tree = ast.parse(text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    modules = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add((node.module or "").partition(".")[0])
    return modules
