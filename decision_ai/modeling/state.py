"""The state of a session as its owner sees it, and the diffs that an edited state means."""

from collections.abc import Mapping
from dataclasses import dataclass

from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ModelChanges,
    ObjectiveDiff,
    OptInputDataDiff,
    OptInputDataSnapshot,
    VariableDiff,
)
from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai.client.schemas.constraint import Constraint
from decision_ai.client.schemas.objective import Objective
from decision_ai.client.schemas.variable import Variable
from decision_ai.errors import DataError
from decision_ai.modeling.keywords import with_keyword
from decision_ai.modeling.notations import notations
from decision_ai.modeling.program import Program
from decision_ai.modeling.snapshots import read_constraint_code, read_objective_code, read_variable_code
from decision_ai.solving.findings import PartKind

PartKey = tuple[PartKind, str]

_READ_ONLY = (
    "id",
    "opt_model_id",
    "created_at",
    "updated_at",
    "py_class_name_of_model",
    "py_class_name_of_input_data",
    "executive_summary",
    "opt_model_notations",
    "input_data_classes",
)
_DERIVED = ("math_formulation", "description")


@dataclass(frozen=True, kw_only=True)
class SessionFacts:
    """What a session's state says besides the model.

    Attributes:
        id: the session's id.
        opt_model_id: the base model's id.
        opt_input_data_id: the present data's id.
        created_at: milliseconds since 1970.
        updated_at: milliseconds since 1970.
        reasoning_enabled: whether the session shows reasoning.
    """

    id: str
    opt_model_id: str
    opt_input_data_id: str
    created_at: int
    updated_at: int
    reasoning_enabled: bool | None = None


def session_state(
    base: Program, current: Program, facts: SessionFacts, incompatible: Mapping[PartKey, str] | None = None
) -> ChatSessionState:
    """The state of a session.

    Args:
        base: the program the session started from; what it does not have is the user's.
        current: the program agreed on so far.
        facts: ids and times.
        incompatible: (kind, id) → why the part does not build on the present data.
    """
    reasons = incompatible or {}
    return ChatSessionState(
        id=facts.id,
        opt_model_id=facts.opt_model_id,
        opt_input_data_id=facts.opt_input_data_id,
        created_at=facts.created_at,
        updated_at=facts.updated_at,
        reasoning_enabled=facts.reasoning_enabled,
        py_class_name_of_model=current.model_class,
        py_class_name_of_input_data=current.main_data_class,
        executive_summary=executive_summary(base, current),
        constraints=_constraints(base, current, reasons),
        variables=_variables(base, current, reasons),
        objective=_objective(base, current, reasons),
        opt_model_notations=notations(current),
        input_data_classes=current.data_schema_snapshot().input_data_classes,
    )


def executive_summary(base: Program, current: Program) -> str:
    """What the model decides and how large it is, in a few sentences."""
    sentences = [_sentence(current.docstring.partition("\n\n")[0] or f"The model is {current.model_class}")]
    if current.objective is None:
        sentences.append("It has no objective and looks for any feasible plan.")
    else:
        purpose = _sentence(current.objective.description or current.objective.id)
        sentences.append(f"It {current.objective.sense}s: {purpose}")
    families = _count(len(current.variables), "variable family", "variable families")
    constraints = _count(len(current.constraints), "constraint", "constraints")
    parts = current.constraints.values()
    remarks = [
        (sum(part.id not in base.constraints for part in parts), "added in the chat"),
        (sum(not part.enabled for part in parts), "switched off"),
        (sum(part.priority != "hard" for part in parts), "soft"),
    ]
    said = ", ".join(f"{number} {remark}" for number, remark in remarks if number)
    sentences.append(f"It has {families} and {constraints}" + (f" ({said})." if said else "."))
    return " ".join(sentences)


def state_changes(
    before: ChatSessionState,
    after: ChatSessionState,
    program: Program,
    *,
    json_data: tuple[str, str] | None = None,
) -> list[ModelChanges]:
    """The diffs that lead from one state to the edited one: data, variables, constraints, objective.

    Args:
        before: the state as it was fetched.
        after: the same, edited: switches, priorities and code may change, parts may come and go, other data
            may be named.
        program: the program `before` was made from.
        json_data: the data that `before` and `after` name, as JSON text; needed where they name different
            ones.

    Raises:
        DataError: if a field was edited that only the program or the server sets.
        ProgramError: if edited code is not one part of its kind.
    """
    for name in _READ_ONLY:
        if getattr(before, name) != getattr(after, name):
            raise DataError(
                f"the field {name!r} of a session's state is read-only; put it back and edit the parts"
            )
    changes: list[ModelChanges] = [*_data_changes(before, after, json_data)]
    for id in _ids(before.variables, after.variables):
        changes.extend(_variable_changes(id, before.variables.get(id), after.variables.get(id), program))
    for id in _ids(before.constraints, after.constraints):
        changes.extend(
            _constraint_changes(id, before.constraints.get(id), after.constraints.get(id), program)
        )
    changes.extend(_objective_changes(before.objective, after.objective, program))
    return changes


def _data_changes(
    before: ChatSessionState, after: ChatSessionState, json_data: tuple[str, str] | None
) -> list[OptInputDataDiff]:
    if before.opt_input_data_id == after.opt_input_data_id:
        return []
    if json_data is None:
        raise DataError(f"the input data {after.opt_input_data_id!r} are not known; upload them first")
    removed, added = (
        OptInputDataSnapshot(opt_input_data_id=state.opt_input_data_id, json_data=text)
        for state, text in zip((before, after), json_data, strict=True)
    )
    return [OptInputDataDiff(removed=removed, added=added)]


def _constraint_changes(
    id: str, before: Constraint | None, after: Constraint | None, program: Program
) -> list[ConstraintDiff]:
    removed = None if before is None else program.snapshot("constraint", id)
    if after is None:
        return [ConstraintDiff(removed=removed)]
    code = _edited_code(f"constraints[{id!r}]", before, after)
    code = read_constraint_code(code).code
    was = before or Constraint()
    if after.enabled != was.enabled:
        code = with_keyword(code, "enabled", after.enabled, True)
    if after.priority != was.priority:
        code = with_keyword(code, "priority", after.priority, "hard")
    if removed is not None and code == removed.code:
        return []
    added = read_constraint_code(code)
    if added.constraint_id != id:
        raise DataError(f"constraints[{id!r}]: its code defines {added.constraint_id!r}; use one name")
    return [ConstraintDiff(removed=removed, added=added)]


def _variable_changes(
    id: str, before: Variable | None, after: Variable | None, program: Program
) -> list[VariableDiff]:
    removed = None if before is None else program.snapshot("variable", id)
    if after is None:
        return [VariableDiff(removed=removed)]
    code = _edited_code(f"variables[{id!r}]", before, after)
    code = read_variable_code(code).code
    if after.enabled != (before or Variable()).enabled:
        code = with_keyword(code, "enabled", after.enabled, True)
    if removed is not None and code == removed.code:
        return []
    added = read_variable_code(code)
    if added.variable_id != id:
        raise DataError(f"variables[{id!r}]: its code defines {added.variable_id!r}; use one name")
    return [VariableDiff(removed=removed, added=added)]


def _objective_changes(before: Objective, after: Objective, program: Program) -> list[ObjectiveDiff]:
    if before == after:
        return []
    removed = program.objective_snapshot()
    if after.code is None:
        return [ObjectiveDiff(removed=removed)]
    if before.code == after.code:
        raise _read_only_part("objective")
    return [ObjectiveDiff(removed=removed, added=read_objective_code(after.code))]


def _edited_code(place: str, before: Constraint | Variable | None, after: Constraint | Variable) -> str:
    """The code of an edited part, refused if something was edited that follows from it."""
    if after.code is None:
        raise DataError(f"{place} has no code; write its code or delete the entry")
    if before is None:
        return after.code
    free = {"code", "enabled", "priority", *(() if before.code == after.code else _DERIVED)}
    if before.model_dump(exclude=free) != after.model_dump(exclude=free):
        raise _read_only_part(place)
    return after.code


def _read_only_part(place: str) -> DataError:
    return DataError(
        f"{place}: only code, enabled and priority can be edited; formula and description stand in the code"
    )


def _ids(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    return list(dict.fromkeys([*before, *after]))


def _constraints(base: Program, current: Program, reasons: Mapping[PartKey, str]) -> dict[str, Constraint]:
    return {
        id: Constraint(
            code=part.code,
            math_formulation=part.math,
            description=part.description,
            is_user_constraint=id not in base.constraints,
            incompatible=("constraint", id) in reasons,
            incompatibility_reason=reasons.get(("constraint", id)),
            enabled=part.enabled,
            priority=part.priority,
        )
        for id, part in current.constraints.items()
    }


def _variables(base: Program, current: Program, reasons: Mapping[PartKey, str]) -> dict[str, Variable]:
    return {
        id: Variable(
            code=part.code,
            math_formulation=part.math,
            description=part.description,
            is_user_variable=id not in base.variables,
            incompatible=("variable", id) in reasons,
            incompatibility_reason=reasons.get(("variable", id)),
            enabled=part.enabled,
        )
        for id, part in current.variables.items()
    }


def _objective(base: Program, current: Program, reasons: Mapping[PartKey, str]) -> Objective:
    was = None if base.objective is None else base.objective.code
    part = current.objective
    if part is None:
        return Objective(is_user_objective=was is not None)
    return Objective(
        code=part.code,
        math_formulation=part.math,
        description=part.description,
        is_user_objective=part.code != was,
        incompatible=("objective", part.id) in reasons,
        incompatibility_reason=reasons.get(("objective", part.id)),
    )


def _sentence(text: str) -> str:
    joined = " ".join(text.split())
    return joined if joined.endswith((".", "!", "?")) else joined + "."


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
