"""Names of libraries that may be used in one way only, because every other way runs code by its text.

Pydantic evaluates text given as a type and, on request, reads any attribute of any object. An enum called
with names makes a class with members the syntax tree does not show. So these stand where a model needs them,
and nowhere else.
"""

import ast
from collections.abc import Callable

from decision_ai.sandbox.allowed import CONFIG
from decision_ai.sandbox.bindings import Bindings, bound_names

_ENUMS = frozenset(f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"))
_DIRECT = frozenset(
    f"pydantic.{name}"
    for name in ("computed_field", "field_validator", "model_validator", "AfterValidator", "BeforeValidator")
)
_CONFIG, _IGNORE, _VALIDATE = "model_config", "_ignore_", "model_validate"
_VARIABLE = "pulp.LpVariable"
_TEXT_TYPES = ("return_type", "json_schema_input_type")


class SpecialRules:
    """Checks one node at a time."""

    def __init__(
        self,
        bindings: Bindings,
        resolve: Callable[[ast.AST], str | None],
        refusal: Callable[[ast.AST, str], Exception],
    ) -> None:
        self._bindings, self._resolve, self._refusal = bindings, resolve, refusal

    def check(self, node: ast.AST) -> None:
        """Raise a refusal if the node is a special name in a place that is not its own."""
        dotted = self._resolve(node)
        if dotted in _ENUMS:
            self._enum(node)
        elif dotted in _DIRECT:
            self._direct(node, dotted)
        elif dotted == _VARIABLE:
            self._variable(node)
        match node:
            case ast.Attribute():
                self._attribute(node)
            case ast.ClassDef():
                self._class(node)
            case ast.keyword(arg=name) if name in _TEXT_TYPES:
                raise self._refusal(
                    node.value, f"the argument {name!r} is not allowed; annotate the function"
                )
        self._names(node)

    def _names(self, node: ast.AST) -> None:
        names = bound_names(node)
        if _IGNORE in names:
            raise self._refusal(node, f"the name {_IGNORE!r} is not allowed")
        if _CONFIG in names:
            self._config(node)

    def _enum(self, node: ast.AST) -> None:
        user = self._bindings.parents.get(node)
        if not isinstance(user, ast.ClassDef) or node not in user.bases:
            raise self._refusal(node, "an enum class may only be the base of a class with its members")
        if not any(self._is_member(statement) for statement in user.body):
            raise self._refusal(node, f"the enum {user.name!r} needs a member with a plain value")

    def _is_member(self, node: ast.stmt) -> bool:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            return False
        value = node.value
        automatic = isinstance(value, ast.Call) and self._resolve(value.func) == "enum.auto"
        plain = isinstance(value, ast.Constant | ast.Tuple | ast.UnaryOp)
        return not node.targets[0].id.startswith("_") and (plain or automatic)

    def _direct(self, node: ast.AST, dotted: str) -> None:
        user = self._bindings.parents.get(node)
        if isinstance(user, ast.FunctionDef) and node in user.decorator_list:
            return
        if not isinstance(user, ast.Call) or user.func is not node or _unpacks(user):
            raise self._refusal(node, "this may only be called, with its arguments written out")
        if dotted.endswith("Validator") and len(user.args) > 1:  # the second one is a type
            raise self._refusal(node, "a validator takes one function")

    def _variable(self, node: ast.AST) -> None:
        """PuLP's class may name a type; what it makes belongs to no model."""
        user = self._bindings.parents.get(node)
        if isinstance(user, ast.Attribute) or (isinstance(user, ast.Call) and user.func is node):
            raise self._refusal(
                node, "declare variables in the variables class, such as `x: Var = continuous(upper=3)`"
            )

    def _attribute(self, node: ast.Attribute) -> None:
        if node.attr == _CONFIG:
            raise self._refusal(node, f"write {_CONFIG} = ConfigDict(...) in the class")
        if not node.attr.startswith(_VALIDATE):
            return
        call = self._bindings.parents.get(node)
        if not isinstance(call, ast.Call) or call.func is not node or _unpacks(call):
            raise self._refusal(node, f"{node.attr} may only be called, with its arguments written out")
        if any(keyword.arg != "strict" for keyword in call.keywords):
            raise self._refusal(node, f"{node.attr} takes the data and `strict` only")

    def _class(self, node: ast.ClassDef) -> None:
        for keyword in node.keywords:
            if keyword.arg not in CONFIG:
                raise self._refusal(node, f"a class of a model may only be given {', '.join(sorted(CONFIG))}")

    def _config(self, node: ast.AST) -> None:
        user = self._bindings.parents.get(node)
        value = user.value if isinstance(user, ast.Assign | ast.AnnAssign) else None
        if isinstance(user, ast.Assign) and node not in user.targets:
            value = None
        if not isinstance(value, ast.Call) or self._resolve(value.func) != "pydantic.ConfigDict":
            raise self._refusal(node, f"write {_CONFIG} = ConfigDict(...)")
        if value.args or any(keyword.arg not in CONFIG for keyword in value.keywords):
            raise self._refusal(node, f"ConfigDict may only be given {', '.join(sorted(CONFIG))}")


def _unpacks(call: ast.Call) -> bool:
    return any(keyword.arg is None for keyword in call.keywords) or any(
        isinstance(argument, ast.Starred) for argument in call.args
    )
