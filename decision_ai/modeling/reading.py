"""Reads the parts out of an outline; nothing is executed."""

import ast
import inspect
from dataclasses import dataclass
from typing import Any, Literal, get_args

from decision_ai.client.schemas.components import Priority
from decision_ai.modeling.annotations import annotation_unit
from decision_ai.modeling.opt_model import Sense
from decision_ai.modeling.outline import ClassSite, Member, Outline, base_name
from decision_ai.modeling.parts import (
    ConstraintPart,
    DataClassPart,
    FieldPart,
    ObjectivePart,
    VariablePart,
)
from decision_ai.modeling.refusals import Component, refusal
from decision_ai.modeling.variables import Domain

MethodKind = Literal["constraint", "objective"]

RESERVED_MODEL_NAMES = frozenset(
    {"constraints", "data_class", "variables_class", "objective_id", "solution_to_str", "load_input_data"}
)
"""Names of the model class that are not free for a constraint or the objective."""

RESERVED_VARIABLE_NAMES = frozenset({"families"})
"""Names of the variables class that are not free for a family."""

_PARAMETERS: dict[Component, tuple[str, ...]] = {"constraint": ("math",), "objective": ("sense", "math")}
_DOMAINS = get_args(Domain)


@dataclass(frozen=True)
class MainClasses:
    """The three classes that make a model."""

    data: ClassSite
    variables: ClassSite
    model: ClassSite


def read_main_classes(outline: Outline) -> MainClasses:
    """The model class and the two classes it names.

    Raises:
        ProgramError: if there is not exactly one model class, or its type arguments are not in the file.
    """
    models = outline.of_kind("model")
    if len(models) != 1:
        found = ", ".join(site.name for site in models) or "none"
        raise refusal(
            "model_class",
            f"the file needs one class that derives from OptModel[YourData, YourVariables]; found {found}",
        )
    model = models[0]
    names = _type_arguments(model.node)
    data, variables = (outline.classes.get(name) for name in names) if len(names) == 2 else (None, None)
    if data is None or variables is None or (data.kind, variables.kind) != ("data", "variables"):
        raise refusal(
            "model_class",
            f"write {model.name} as OptModel[YourData, YourVariables] with an InputData and a Variables "
            "class of this file",
            line=model.node.lineno,
        )
    return MainClasses(data, variables, model)


def read_data_class(outline: Outline, site: ClassSite) -> DataClassPart:
    """One input-data class with its own and inherited fields."""
    fields = {
        member.name: FieldPart(
            name=member.name,
            annotation=outline.source.segment(member.node.annotation),
            description=_clean(member.docstring),
            unit=annotation_unit(member.node.annotation),
        )
        for ancestor in outline.lineage(site.name)
        for member in ancestor.members
        if member.name is not None and isinstance(member.node, ast.AnnAssign) and is_field(member)
    }
    description = ast.get_docstring(site.node) or ""
    return DataClassPart(name=site.name, code=outline.code(site).text, fields=fields, description=description)


def is_field(member: Member) -> bool:
    """Whether a member is a field in the eyes of pydantic."""
    if not isinstance(member.node, ast.AnnAssign) or member.name is None or member.name.startswith("_"):
        return False
    return member.name != "model_config" and base_name(member.node.annotation) != "ClassVar"


def read_variable(outline: Outline, member: Member) -> VariablePart:
    """One variable family.

    Raises:
        ProgramError: if it is not declared by `binary`, `integer` or `continuous` with literal switches.
    """
    name = member.name or ""
    call = family_call(member)
    domain = None if call is None else base_name(call.func)
    if call is None or domain not in _DOMAINS:
        raise refusal(
            "not_a_family",
            f"variable family {name!r} must be declared with binary(...), integer(...) or continuous(...)",
            component="variable",
            component_id=name,
            line=member.span.first,
        )
    said = {
        keyword.arg: _literal(keyword.value, "variable", name, keyword.arg)
        for keyword in call.keywords
        if keyword.arg in ("math", "enabled", "unit")
    }
    _check_switches(said, "variable", name, member.span.first)
    return VariablePart(
        id=name,
        code=outline.code(member).text,
        math=said.get("math", ""),
        description=_clean(member.docstring),
        domain=domain,  # type: ignore[arg-type]  # one of its arguments, checked above
        enabled=said.get("enabled", True),
        line=member.span.first,
        unit=said.get("unit", ""),
    )


def read_constraint(outline: Outline, member: Member) -> ConstraintPart:
    """One constraint.

    Raises:
        ProgramError: if its decorator says something that is not a literal or not allowed.
    """
    name = member.name or ""
    said = _decorator_arguments(member, "constraint")
    priority = said.get("priority", "hard")
    if priority not in get_args(Priority):
        raise refusal(
            "decorator",
            f"the priority of constraint {name!r} must be 'hard', 'A', 'B' or 'C', not {priority!r}",
            component="constraint",
            component_id=name,
            line=member.span.first,
        )
    return ConstraintPart(
        id=name,
        code=outline.code(member).text,
        math=said.get("math", ""),
        description=_docstring(member),
        enabled=said.get("enabled", True),
        priority=priority,
        policy=said.get("policy", False),
        line=member.span.first,
    )


def read_objective(outline: Outline, member: Member) -> ObjectivePart:
    """The objective.

    Raises:
        ProgramError: if its decorator says something that is not a literal or not allowed.
    """
    name = member.name or ""
    said = _decorator_arguments(member, "objective")
    sense = said.get("sense")
    if sense is None or sense not in get_args(Sense):
        raise refusal(
            "decorator",
            f"the sense of objective {name!r} must be 'minimize' or 'maximize', not {sense!r}",
            component="objective",
            component_id=name,
            line=member.span.first,
        )
    return ObjectivePart(
        id=name,
        code=outline.code(member).text,
        math=said.get("math", ""),
        description=_docstring(member),
        sense=sense,
        line=member.span.first,
    )


def method_kind(member: Member) -> MethodKind | None:
    """What a method is decorated as, if it is a part."""
    for decorator in getattr(member.node, "decorator_list", []):
        name = base_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if name == "constraint":
            return "constraint"
        if name == "objective":
            return "objective"
    return None


def decorator_call(member: Member) -> ast.Call | None:
    """The call in the decorator that makes a method a part; None if it is not called or not there."""
    for decorator in getattr(member.node, "decorator_list", []):
        if isinstance(decorator, ast.Call) and base_name(decorator.func) in ("constraint", "objective"):
            return decorator
    return None


def family_call(member: Member) -> ast.Call | None:
    """The call that declares a variable family."""
    value = member.node.value if isinstance(member.node, ast.AnnAssign) else None
    return value if isinstance(value, ast.Call) else None


def _decorator_arguments(member: Member, component: MethodKind) -> dict[str, Any]:
    name, call = member.name or "", decorator_call(member)
    if call is None or isinstance(member.node, ast.AsyncFunctionDef):
        raise refusal(
            "decorator",
            f"write @{component}(...) with parentheses on the plain method {name!r}",
            component=component,
            component_id=name,
            line=member.span.first,
        )
    said: dict[str, Any] = {}
    allowed = (
        *_PARAMETERS[component],
        *(("enabled", "priority", "policy") if component == "constraint" else ()),
    )
    positional = zip(_PARAMETERS[component], call.args, strict=False)
    for key, value in [*positional, *((keyword.arg or "**", keyword.value) for keyword in call.keywords)]:
        if key not in allowed or key in said or len(call.args) > len(_PARAMETERS[component]):
            raise refusal(
                "decorator",
                f"@{component} of {name!r} takes {', '.join(allowed)}, each once",
                component=component,
                component_id=name,
                line=call.lineno,
            )
        said[key] = _literal(value, component, name, key)
    _check_switches(said, component, name, call.lineno)
    return said


def _check_switches(
    said: dict[str | None, Any] | dict[str, Any], component: Component, name: str, line: int
) -> None:
    types: dict[str, type] = {"math": str, "enabled": bool, "policy": bool, "unit": str}
    for key, value in said.items():
        if key in types and not isinstance(value, types[key]):
            raise refusal(
                "decorator",
                f"{key} of {component} {name!r} must be a {types[key].__name__}, not {value!r}",
                component=component,
                component_id=name,
                line=line,
            )


def _literal(expression: ast.expr, component: Component, name: str, key: str | None) -> Any:
    """The value of a literal; strings may be joined with `+`."""
    try:
        if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Add):
            sides = (expression.left, expression.right)
            left, right = (_literal(side, component, name, key) for side in sides)
            if isinstance(left, str) and isinstance(right, str):
                return left + right
        return ast.literal_eval(expression)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise refusal(
            "decorator",
            f"{key} of {component} {name!r} must be written out, not computed",
            component=component,
            component_id=name,
            line=expression.lineno,
        ) from None


def _type_arguments(node: ast.ClassDef) -> list[str]:
    for base in node.bases:
        if isinstance(base, ast.Subscript) and isinstance(base.slice, ast.Tuple):
            return [base_name(argument) or "" for argument in base.slice.elts]
    return []


def _docstring(member: Member) -> str:
    return (ast.get_docstring(member.node) if isinstance(member.node, ast.FunctionDef) else None) or ""


def _clean(docstring: str | None) -> str:
    return inspect.cleandoc(docstring or "").strip()
