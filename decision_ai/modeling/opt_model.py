"""The model class of a model file: constraints, one objective, and the plan as text."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar, get_args

from decision_ai.client.schemas.components import Priority
from decision_ai.modeling.input_data import InputData
from decision_ai.modeling.variables import Variables

Data = TypeVar("Data", bound=InputData)
Vars = TypeVar("Vars", bound=Variables)
Method = TypeVar("Method", bound=Callable[..., Any])
Sense = Literal["minimize", "maximize"]


@dataclass(frozen=True, kw_only=True)
class ConstraintInfo:
    """What the decorator of a constraint says.

    Attributes:
        math: the formula in LaTeX.
        enabled: False takes the constraint out of the model.
        priority: `hard`, or the level A, B or C of a soft constraint.
        policy: True for a rule of the house, False for one of physics; only policy is offered for relaxation.
    """

    math: str
    enabled: bool
    priority: Priority
    policy: bool


@dataclass(frozen=True, kw_only=True)
class ObjectiveInfo:
    """What the decorator of the objective says."""

    sense: Sense
    math: str


def constraint(
    math: str = "", *, enabled: bool = True, priority: Priority = "hard", policy: bool = False
) -> Callable[[Method], Method]:
    """Mark a method as a constraint.

    The method takes `(self, data, v)` and returns one PuLP constraint, or yields `(index, constraint)` pairs.

    Raises:
        TypeError: if it stands without brackets, which would leave the method out of the model.
        ValueError: if `priority` is not hard, A, B or C.
    """
    if callable(math):
        raise TypeError("write @constraint() with brackets")
    if priority not in get_args(Priority):
        raise ValueError(f"a priority is 'hard', 'A', 'B' or 'C', not {priority!r}")
    info = ConstraintInfo(math=math, enabled=enabled, priority=priority, policy=policy)

    def mark(method: Method) -> Method:
        method.__decision_ai__ = info  # type: ignore[attr-defined]
        return method

    return mark


def objective(sense: Sense, math: str = "") -> Callable[[Method], Method]:
    """Mark the one method that returns the objective, a linear expression.

    Raises:
        TypeError: if it stands without brackets.
        ValueError: if `sense` is neither minimize nor maximize.
    """
    if callable(sense):
        raise TypeError("write @objective('minimize') or @objective('maximize') with brackets")
    if sense not in get_args(Sense):
        raise ValueError(f"the sense of an objective is 'minimize' or 'maximize', not {sense!r}")
    info = ObjectiveInfo(sense=sense, math=math)

    def mark(method: Method) -> Method:
        method.__decision_ai__ = info  # type: ignore[attr-defined]
        return method

    return mark


class OptModel(Generic[Data, Vars]):
    """Base of the model class: `class Knapsack(OptModel[KnapsackData, KnapsackVariables])`."""

    data_class: ClassVar[type[InputData]]
    variables_class: ClassVar[type[Variables]]
    constraints: ClassVar[dict[str, ConstraintInfo]]
    """Constraint id → what its decorator says, in the order of the file."""
    objective_id: ClassVar[str | None]
    """Name of the objective's method; None for a pure feasibility problem."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Read the type arguments and collect the marked methods.

        Raises:
            TypeError: if the type arguments are missing or there are two objectives.
        """
        super().__init_subclass__(**kwargs)
        cls.data_class, cls.variables_class = _type_arguments(cls)
        marked = {
            name: member.__decision_ai__
            for name, member in vars(cls).items()
            if hasattr(member, "__decision_ai__")
        }
        objectives = [name for name, info in marked.items() if isinstance(info, ObjectiveInfo)]
        if len(objectives) > 1:
            raise TypeError(f"{cls.__name__} has more than one objective: {', '.join(objectives)}")
        cls.objective_id = objectives[0] if objectives else None
        cls.constraints = {name: info for name, info in marked.items() if isinstance(info, ConstraintInfo)}

    def solution_to_str(self, data: Data, v: Vars) -> str:
        """The plan in plain words; `v` holds solved variables whose `.value()` is a number.

        Raises:
            NotImplementedError: if the model file does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define solution_to_str(self, data, v)")


def _type_arguments(cls: type) -> tuple[type[InputData], type[Variables]]:
    for base in getattr(cls, "__orig_bases__", ()):
        arguments = get_args(base)
        if len(arguments) == 2 and all(isinstance(argument, type) for argument in arguments):
            data, variables = arguments
            if not issubclass(data, InputData) or not issubclass(variables, Variables):
                raise TypeError(
                    f"{cls.__name__} is OptModel[YourData, YourVariables]: {data.__name__} must derive from "
                    f"InputData and {variables.__name__} from Variables"
                )
            return data, variables
    raise TypeError(f"write {cls.__name__} as OptModel[YourData, YourVariables]")
