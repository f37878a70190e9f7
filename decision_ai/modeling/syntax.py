"""Python text to syntax trees, one at a time in a process.

CPython counts the depth of the tree it builds in one place for all threads, and a server reads programs on
several: two at once can end in a SystemError. The filters of warnings are shared by all threads too, so they
are changed here only: a stray backslash in somebody's program is not a reader's business.
"""

import ast
import threading
import warnings

_ONE_AT_A_TIME = threading.RLock()


def parse_module(text: str) -> ast.Module:
    """The syntax tree of statements.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as `ast.parse` does.
    """
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def parse_expression(text: str) -> ast.expr:
    """The syntax tree of one expression.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as `ast.parse` does.
    """
    with _ONE_AT_A_TIME, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body
