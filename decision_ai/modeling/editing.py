"""Applies one diff to an outline: finds the part, checks it is as the diff says, and makes the splices."""

import ast
from collections.abc import Callable, Collection
from dataclasses import dataclass

from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ObjectiveDiff,
    OptInputDataSchemaDiff,
    VariableDiff,
)
from decision_ai.errors import ProgramError
from decision_ai.modeling.layout import Code, block_unit, dedented_text
from decision_ai.modeling.outline import ClassSite, Member, Outline, members_of, piece_outline
from decision_ai.modeling.parts import ConstraintPart, ObjectivePart, VariablePart
from decision_ai.modeling.reading import (
    RESERVED_MODEL_NAMES,
    RESERVED_VARIABLE_NAMES,
    MainClasses,
    method_kind,
    read_constraint,
    read_objective,
    read_variable,
)
from decision_ai.modeling.refusals import Component, refusal, unknown
from decision_ai.modeling.source import SourceText, Splice, parse_python


@dataclass(frozen=True)
class NewPart:
    """Code of a diff, checked to be exactly one part of its kind."""

    name: str
    code: Code
    part: ConstraintPart | VariablePart | ObjectivePart | None
    """What the code says; None for an input-data class."""


def constraint_splices(outline: Outline, main: MainClasses, change: ConstraintDiff) -> list[Splice]:
    """The splices of a `ConstraintDiff`."""
    old = None
    constraints = [member for member in main.model.members if method_kind(member) == "constraint"]
    if change.removed is not None:
        old = _present(outline, constraints, "constraint", change.removed.constraint_id, change.removed.code)
    new = None
    if change.added is not None:
        new = new_part("constraint", change.added.code, change.added.constraint_id)
        _check_free(new.name, main.model, old, "constraint")
    return _member_splices(outline, main.model, old, new, constraints[-1:])


def objective_splices(outline: Outline, main: MainClasses, change: ObjectiveDiff) -> list[Splice]:
    """The splices of an `ObjectiveDiff`."""
    old = None
    objectives = [member for member in main.model.members if method_kind(member) == "objective"]
    if change.removed is not None:
        if not objectives:
            raise unknown("objective", "objective", [])
        name = objectives[0].name or ""
        old = _present(outline, objectives, "objective", name, change.removed.code)
    new = None
    if change.added is not None:
        new = new_part("objective", change.added.code)
        if old is None and objectives:
            raise refusal(
                "id_taken",
                "the model has an objective already; a change of it names the old one as removed",
                component="objective",
                component_id=objectives[0].name,
            )
        _check_free(new.name, main.model, old, "objective")
    constraints = [member for member in main.model.members if method_kind(member) == "constraint"]
    return _member_splices(outline, main.model, old, new, constraints[-1:])


def variable_splices(outline: Outline, main: MainClasses, change: VariableDiff) -> list[Splice]:
    """The splices of a `VariableDiff`."""
    old, site = None, main.variables
    lineage = outline.lineage(main.variables.name)
    if change.removed is not None:
        name = change.removed.variable_id
        site = next((ancestor for ancestor in lineage if ancestor.member(name)), site)
        families = [member for ancestor in lineage for member in ancestor.members if member.name is not None]
        old = _present(outline, families, "variable", name, change.removed.code)
    new = None
    if change.added is not None:
        new = new_part("variable", change.added.code, change.added.variable_id)
        for ancestor in lineage:
            _check_free(new.name, ancestor, old, "variable")
    fields = [member for member in site.members if member.name is not None]
    return _member_splices(outline, site, old, new, fields[-1:])


def schema_splices(outline: Outline, main: MainClasses, change: OptInputDataSchemaDiff) -> list[Splice]:
    """The splices of an `OptInputDataSchemaDiff`, which names the whole set of classes twice."""
    present = outline.of_kind("data")
    if change.removed is None or change.added is None:
        raise refusal(
            "whole_set",
            "a change of the input-data classes names all classes before (removed) and after (added)",
            component="input_data",
        )
    # In any order: a class of the diff may have found another place in the file than in the diff.
    before = sorted(str(_canonical(code)) for code in change.removed.input_data_classes)
    if before != sorted(outline.code(site).canonical() for site in present):
        raise _stale("input_data", main.data.name)
    after = [new_part("input_data", code) for code in change.added.input_data_classes]
    names = [part.name for part in after]
    if len(set(names)) != len(names) or main.data.name not in names:
        raise refusal(
            "main_class",
            f"the new input-data classes must be {main.data.name!r} and others, each once",
            component="input_data",
            component_id=main.data.name,
        )
    deleted = [outline.source.deletion(site.span) for site in present if site.name not in names]
    return [*deleted, *_class_splices(outline, main, after)]


def removal_splices(
    outline: Outline, main: MainClasses, *, families: Collection[str], methods: Collection[str]
) -> list[Splice]:
    """The splices that take several parts out at once; a class that loses all its members keeps `pass`."""
    splices: list[Splice] = []
    lineage = [(site, families) for site in outline.lineage(main.variables.name)]
    for site, names in [*lineage, (main.model, methods)]:
        leaving = [member for member in site.members if member.name in names]
        if leaving and len(leaving) == len(site.members):
            splices.append(_emptied(outline, leaving.pop(0)))
        splices += [outline.source.deletion(member.span) for member in leaving]
    return splices


def new_part(component: Component, code: str, expected_id: str | None = None) -> NewPart:
    """Check that code is one part of its kind and nothing else; comments around it are dropped.

    Raises:
        ProgramError: if it is not, or has another id than the diff says.
    """
    try:
        source = SourceText(dedented_text(code))
        members = members_of(parse_python(source).body, source)
    except ProgramError as error:
        report = error.report.model_copy(update={"component": component, "component_id": expected_id})
        raise ProgramError(report) from None
    if len(members) != 1 or members[0].name is None:
        raise _not_one_part(component, expected_id)
    part = _checked_part(component, source, members[0])
    if expected_id is not None and part.name != expected_id:
        raise refusal(
            "id_mismatch",
            f"the diff says {expected_id!r} but its code defines {part.name!r}",
            component=component,
            component_id=expected_id,
        )
    return part


_NOUNS: dict[Component, str] = {
    "constraint": "method decorated with @constraint(...)",
    "objective": "method decorated with @objective(...)",
    "variable": "annotated assignment, followed by at most one string that describes it",
    "input_data": "class",
}
_READERS: dict[Component, Callable[[Outline, Member], ConstraintPart | VariablePart | ObjectivePart]] = {
    "constraint": read_constraint,
    "objective": read_objective,
    "variable": read_variable,
}


def _checked_part(component: Component, source: SourceText, member: Member) -> NewPart:
    outline = piece_outline(source)
    if component == "input_data":
        right_kind = isinstance(member.node, ast.ClassDef)
    elif component == "variable":
        right_kind = isinstance(member.node, ast.AnnAssign)
    else:
        right_kind = method_kind(member) == component
    if not right_kind:
        raise _not_one_part(component, member.name)
    reader = _READERS.get(component)
    part = None if reader is None else reader(outline, member)
    return NewPart(member.name or "", outline.code(member), part)


def _present(
    outline: Outline, members: list[Member], component: Component, part_id: str, code: str
) -> Member:
    """The member a diff removes or replaces, which must be as the diff says."""
    member = next((member for member in members if member.name == part_id), None)
    if member is None:
        raise unknown(component, part_id, [member.name for member in members if member.name is not None])
    if _canonical(code) != outline.code(member).canonical():
        raise _stale(component, part_id)
    return member


def _canonical(code: str) -> str | None:
    """Code of a diff as it is compared; None if it cannot be read, which equals no part."""
    try:
        source = SourceText(dedented_text(code))
        member = members_of(parse_python(source).body, source)[0]
    except (ProgramError, IndexError):
        return None
    outline = piece_outline(source)
    return outline.code(member).canonical()


def _check_free(name: str, site: ClassSite, old: Member | None, component: Component) -> None:
    reserved = RESERVED_MODEL_NAMES if site.kind == "model" else RESERVED_VARIABLE_NAMES
    taken = {member.name for member in site.members if member is not old}
    if name in taken | reserved:
        raise refusal(
            "id_taken",
            f"the name {name!r} is taken in class {site.name!r}; choose another",
            component=component,
            component_id=name,
        )


def _member_splices(
    outline: Outline, site: ClassSite, old: Member | None, new: NewPart | None, after: list[Member]
) -> list[Splice]:
    """Replace `old` by `new`, delete it, or put `new` behind `after` (else at the end of the class)."""
    source = outline.source
    if old is not None and new is not None:
        return [_replacement(outline, old, new)]
    if old is not None:
        return [deletion(outline, site, old)]
    if new is None:
        raise refusal("empty_diff", "the diff neither adds nor removes anything")
    prefix = source.indent(site.members[0].span.first)
    code = new.code.laid_out(prefix, outline.unit, source.newline)
    only = site.members[-1]
    if isinstance(only.node, ast.Pass) and source.lines[only.span.first - 1].strip() == "pass":
        return [Splice(source.start(only.span.first), source.end(only.span.last), code)]
    gap = source.newline * (1 if site.kind == "variables" else 2)
    end = source.end((after or site.members)[-1].span.last)
    return [Splice(end, end, gap + code)]


def deletion(outline: Outline, site: ClassSite, member: Member) -> Splice:
    """Delete a member; the last one of a class leaves `pass`."""
    if len(site.members) == 1:
        return _emptied(outline, member)
    return outline.source.deletion(member.span)


def _emptied(outline: Outline, member: Member) -> Splice:
    """Put `pass` in the place of a member."""
    source, span = outline.source, member.span
    text = (source.indent(span.first) + "pass").encode()
    return Splice(source.start(span.first), source.end(span.last), text)


def _replacement(outline: Outline, old: Member | ClassSite, new: NewPart) -> Splice:
    source, span = outline.source, old.span
    unit = block_unit(old.node, source) or outline.unit
    code = new.code.laid_out(source.indent(span.first), unit, source.newline)
    return Splice(source.start(span.first), source.end(span.last), code)


def _class_splices(outline: Outline, main: MainClasses, after: list[NewPart]) -> list[Splice]:
    """Replace changed classes in place; put a new one before the next class of the list that exists."""
    source, splices = outline.source, []
    before, waiting = main.data, b""
    blank = source.newline * 3
    for part in reversed(after):
        site = outline.classes.get(part.name)
        if site is None:
            waiting = part.code.laid_out("", outline.unit, source.newline) + blank + waiting
            continue
        splices.append(Splice(source.start(before.span.first), source.start(before.span.first), waiting))
        before, waiting = site, b""
        if outline.code(site).canonical() != part.code.canonical():
            splices.append(_replacement(outline, site, part))
    splices.append(Splice(source.start(before.span.first), source.start(before.span.first), waiting))
    return [splice for splice in splices if splice.text or splice.start != splice.end]


def _stale(component: Component, part_id: str) -> ProgramError:
    return refusal(
        "stale",
        f"{component.replace('_', ' ')} {part_id!r} is not as the diff says it was; "
        "start again from the present one",
        component=component,
        component_id=part_id,
    )


def _not_one_part(component: Component, part_id: str | None) -> ProgramError:
    return refusal(
        "not_one_part",
        f"the new code must be exactly one {_NOUNS[component]}",
        component=component,
        component_id=part_id,
    )
