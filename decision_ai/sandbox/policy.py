"""The allow-list over a program's syntax tree: the first fence, and the one that can say what is wrong.

It is a list of what is allowed, so what nobody thought of is refused. It does not make a program harmless by
itself, the child process does; it makes most attacks a clear message instead of a dead process.
"""

import ast
import builtins
import difflib
import re
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

from decision_ai.client.schemas.chat_messages.validation import FormulationErrorReport
from decision_ai.errors import ProgramError
from decision_ai.modeling.source import too_many_words
from decision_ai.modeling.syntax import parse_module
from decision_ai.sandbox.allowed import BUILTINS, DUNDERS, METHODS, MODULES, REFUSED_ATTRIBUTES
from decision_ai.sandbox.annotations import AnnotationRules
from decision_ai.sandbox.bindings import Bindings
from decision_ai.sandbox.special import SpecialRules
from decision_ai.solving.check_code import method_node

MOST_CHARACTERS = 2**20
_ALL_BUILTINS = frozenset(dir(builtins))
_NO_ASYNC = "async code is not allowed; a model is plain functions"
_ASYNC = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)


def check(source: str, *, extra_imports: Sequence[str] = ()) -> FormulationErrorReport | None:
    """Check a program against the allow-list.

    Args:
        source: the text of a composed program.
        extra_imports: modules allowed besides the built-in ones, with all their public names.

    Returns:
        None if everything in it is allowed, else a report of the first thing that is not.
    """
    if len(source) > MOST_CHARACTERS:
        return _report(
            "too_large", f"the program is longer than {MOST_CHARACTERS:,} characters", None, source
        )
    too_many = too_many_words(source)
    if too_many is not None:
        return _report("too_large", too_many, None, "")
    return _checked(lambda: parse_module(source), source, frozenset(extra_imports))


def check_method(
    code: str, program: str, *, extra_imports: Sequence[str] = ()
) -> FormulationErrorReport | None:
    """Check the code of a plan check, which runs among the names of a program.

    Args:
        code: one method, see `check_code.method_node`.
        program: the text of a program that `check` allows.
        extra_imports: as for `check`.

    Returns:
        None if everything in it is allowed, else a report with the line in `code`.
    """
    try:
        method = method_node(code)
    except ProgramError as error:
        return error.report

    def among_its_names() -> ast.Module:
        # The rules look at what a name stands for anywhere, so method and program are checked as one.
        tree = parse_module(program)
        for node in ast.walk(tree):
            vars(node).pop("lineno", None)  # lines are told of the method only
        tree.body.append(
            ast.ClassDef(name="PlanCheck", bases=[], keywords=[], body=[method], decorator_list=[])
        )
        return tree

    return _checked(among_its_names, code, frozenset(extra_imports))


def _checked(
    read: Callable[[], ast.Module], text: str, extra: frozenset[str]
) -> FormulationErrorReport | None:
    """The report of the first thing that is not allowed in a tree; `text` is where its lines are found."""
    try:
        _Checker(read(), extra).check()
    except SyntaxError as error:
        return _report("syntax_error", f"the program is not Python: {error.msg}", error.lineno, text)
    except ValueError as error:
        return _report("syntax_error", f"the program is not Python: {error}", None, text)
    except (RecursionError, MemoryError):
        return _report("not_allowed", "the program is nested too deeply", None, text)
    except Refusal as refusal:
        return _report("not_allowed", str(refusal), refusal.line, text)
    return None


class Refusal(Exception):
    """Something that is not allowed, and what is allowed instead."""

    def __init__(self, node: ast.AST, message: str) -> None:
        self.line: int | None = getattr(node, "lineno", None)
        super().__init__(message)


def _report(error_type: str, message: str, line: int | None, source: str) -> FormulationErrorReport:
    lines = re.split(r"\r\n|\r|\n", source)  # Python's lines; str.splitlines() knows more ends
    return FormulationErrorReport(
        component="program",
        error_type=error_type,
        message=message,
        line=line,
        source_line=lines[line - 1].strip()[:200] if line and line <= len(lines) else None,
    )


class _Checker:
    """Walks one tree; every rule is a method that raises a Refusal."""

    def __init__(self, tree: ast.Module, extra: frozenset[str]) -> None:
        self._tree, self._extra = tree, extra
        self._bindings = Bindings(tree)
        self._parents = self._bindings.parents
        self._modules = self._aliases()
        self._special = SpecialRules(self._bindings, self._resolved, Refusal)

    def check(self) -> None:
        self._walk(self._tree)
        AnnotationRules(self._bindings, self._modules, Refusal, self._walk).check(self._tree)

    def _walk(self, tree: ast.AST) -> None:
        for node in ast.walk(tree):
            for child in ast.iter_child_nodes(node):
                self._parents[child] = node
            if isinstance(node, _ASYNC):
                raise Refusal(node, _NO_ASYNC)
            rule = getattr(self, f"_on_{type(node).__name__.lower()}", None)
            if rule is not None:
                rule(node)
            self._special.check(node)

    def _resolved(self, node: ast.AST) -> str | None:
        """`module.name` of what an expression names in an imported module."""
        if isinstance(node, ast.Attribute):
            module = self._dotted(node.value)
            return None if module is None else f"{module}.{node.attr}"
        return self._bindings.origin(node)

    def _aliases(self) -> dict[str, str]:
        """Local name → dotted name of the module it stands for."""
        aliases = {}
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Import):
                for name in node.names:
                    aliases[name.asname or name.name.partition(".")[0]] = (
                        name.name if name.asname else name.name.partition(".")[0]
                    )
            elif isinstance(node, ast.ImportFrom):
                for name in node.names:
                    dotted = f"{node.module}.{name.name}"
                    if dotted in MODULES or dotted in self._extra:
                        aliases[name.asname or name.name] = dotted
        return aliases

    def _known(self, module: str) -> bool:
        return module in MODULES or self._is_extra(module)

    def _is_extra(self, module: str) -> bool:
        return any(module == extra or module.startswith(f"{extra}.") for extra in self._extra)

    def _on_import(self, node: ast.Import) -> None:
        for name in node.names:
            self._module(node, name.name)
            self._binding(node, name.asname)

    def _on_importfrom(self, node: ast.ImportFrom) -> None:
        if node.level or node.module is None:
            raise Refusal(node, "relative imports are not allowed; a program is one file")
        self._module(node, node.module)
        for name in node.names:
            self._member(node, node.module, name.name)
            self._binding(node, name.asname)

    def _module(self, node: ast.AST, module: str) -> None:
        if not self._known(module):
            allowed = ", ".join(sorted(name for name in {*MODULES, *self._extra} if not name.startswith("_")))
            raise Refusal(node, f"importing {module!r} is not allowed; allowed are {allowed}")

    def _member(self, node: ast.AST, module: str, name: str) -> None:
        if name.startswith("_") and module != "__future__":
            raise Refusal(node, f"{module}.{name} is not allowed; only public names are")
        if self._is_extra(module):
            # A module that an allowed one has imported for itself, such as `sys`, is not among its names.
            if isinstance(getattr(sys.modules.get(module), name, None), ModuleType):
                self._module(node, f"{module}.{name}" if f"{module}.{name}" in sys.modules else name)
            return
        some = MODULES[module]
        if name not in some:
            close = difflib.get_close_matches(name, some, n=1, cutoff=0.8)
            listed = f"; allowed are {', '.join(sorted(some))}" if len(some) <= 25 else ""
            listed = f"; did you mean {close[0]}?" if close else listed
            raise Refusal(node, f"{module}.{name} is not allowed in a model{listed}")

    def _binding(self, node: ast.AST, name: str | None) -> None:
        """A name the program gives to something."""
        if name is None:
            return
        if name.startswith("__") and name not in METHODS:
            raise Refusal(node, f"the name {name!r} is not allowed; use one without double underscores")

    def _on_comprehension(self, node: ast.comprehension) -> None:
        if node.is_async:
            raise Refusal(node.target, _NO_ASYNC)

    def _on_name(self, node: ast.Name) -> None:
        if node.id.startswith("__") and node.id not in DUNDERS:
            raise Refusal(node, f"the name {node.id!r} is not allowed; a model needs no double underscores")
        # A family may be called `open`; what is refused is to read the name, which could mean the function.
        if node.id in _ALL_BUILTINS and node.id not in BUILTINS and isinstance(node.ctx, ast.Load):
            raise Refusal(
                node, f"{node.id!r} is not allowed in a model; it sees its data and its variables only"
            )
        if node.id in self._modules and not self._is_base(node):
            raise Refusal(node, f"the module {node.id!r} may only be used as in {node.id}.name")
        if node.id == "type":
            self._type(node)

    def _is_base(self, node: ast.Name) -> bool:
        parent = self._parents.get(node)
        return isinstance(node.ctx, ast.Load) and isinstance(parent, ast.Attribute) and parent.value is node

    def _type(self, node: ast.Name) -> None:
        """`type(x)` may be compared or named, never called: it would make classes behind our back."""
        call = self._parents.get(node)
        if isinstance(call, ast.Subscript) and call.value is node:
            return
        user = self._parents.get(call) if call is not None else None
        named = isinstance(user, ast.Attribute) and user.attr == "__name__"
        one = isinstance(call, ast.Call) and call.func is node and len(call.args) == 1 and not call.keywords
        if not one or not (named or isinstance(user, ast.Compare)):
            raise Refusal(
                node, "type(x) may only be compared or used as type(x).__name__; use isinstance(x, ...)"
            )

    def _on_attribute(self, node: ast.Attribute) -> None:
        module = self._dotted(node.value)
        if module is not None:
            self._member(node, module, node.attr)
            if not isinstance(node.ctx, ast.Load):
                raise Refusal(node, f"{module}.{node.attr} cannot be given another value")
            if f"{module}.{node.attr}" in MODULES and not isinstance(self._parents.get(node), ast.Attribute):
                raise Refusal(node, f"the module {module}.{node.attr} may only be used for its names")
            return
        self._attribute_name(node, node.attr, own=self._is_own(node))

    def _is_own(self, node: ast.Attribute) -> bool:
        """A private member that the program itself gives to the object of a method."""
        of_self = isinstance(node.value, ast.Name) and node.value.id in self._bindings.own
        return of_self and node.attr in self._bindings.private and not node.attr.endswith("_")

    def _attribute_name(self, node: ast.AST, name: str, *, own: bool) -> None:
        if name in DUNDERS:
            return
        if name.startswith("__") or (name.startswith("_") and not own):
            raise Refusal(node, f"the attribute {name!r} is not allowed; use public attributes only")
        if name in REFUSED_ATTRIBUTES:
            hint = "; use an f-string" if name.startswith("format") else ""
            raise Refusal(node, f"the attribute {name!r} is not allowed in a model{hint}")

    def _dotted(self, node: ast.AST) -> str | None:
        """The module an expression stands for, if it does."""
        if isinstance(node, ast.Name):
            return self._modules.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self._dotted(node.value)
            dotted = f"{base}.{node.attr}"
            if base is not None and (dotted in MODULES or (self._is_extra(base) and dotted in sys.modules)):
                return dotted
        return None

    def _on_constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and node.value.startswith("__") and node.value.endswith("__"):
            raise Refusal(node, f"the text {node.value!r:.60} is not allowed in a model")

    def _on_functiondef(self, node: ast.FunctionDef) -> None:
        self._binding(node, node.name)

    def _on_classdef(self, node: ast.ClassDef) -> None:
        self._binding(node, node.name)
        if node.name.startswith("__"):
            raise Refusal(node, "the name of a class may not begin with two underscores")
        if any(keyword.arg in (None, "metaclass") for keyword in node.keywords):
            raise Refusal(node, "a class of a model has no metaclass")

    def _on_typevar(self, node: ast.AST) -> None:
        raise Refusal(node, "a class or function of a model takes no type parameters")

    _on_paramspec = _on_typevartuple = _on_typevar

    def _on_arg(self, node: ast.arg) -> None:
        self._binding(node, node.arg)
        self._shadow(node, node.arg)

    def _on_keyword(self, node: ast.keyword) -> None:
        if node.arg is not None and node.arg.startswith("_"):
            raise Refusal(node, f"the argument {node.arg!r} is not allowed")

    def _on_excepthandler(self, node: ast.ExceptHandler) -> None:
        self._binding(node, node.name)
        self._shadow(node, node.name)

    def _on_matchclass(self, node: ast.MatchClass) -> None:
        for name in node.kwd_attrs:
            self._attribute_name(node, name, own=False)

    def _on_matchas(self, node: ast.MatchAs) -> None:
        self._binding(node, node.name)
        self._shadow(node, node.name)

    def _on_matchstar(self, node: ast.MatchStar) -> None:
        self._binding(node, node.name)
        self._shadow(node, node.name)

    def _on_matchmapping(self, node: ast.MatchMapping) -> None:
        self._binding(node, node.rest)
        self._shadow(node, node.rest)

    def _shadow(self, node: ast.AST, name: str | None) -> None:
        if name in self._modules:
            raise Refusal(node, f"{name!r} is an imported module; give this another name")
