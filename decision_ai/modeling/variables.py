"""Variable families, declared rather than built, so that the file is the same under PuLP 3 and PuLP 4."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from decision_ai.modeling.units import unit as check_unit

Var: TypeAlias = Any
"""One decision variable inside a model file; the solver's own object, hence untyped here."""

Domain: TypeAlias = Literal["binary", "integer", "continuous"]
Bound: TypeAlias = float | Callable[..., float | None] | None
"""A number, a function of (data) or of (data, index components ...), or None for no bound."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """The declaration of one variable family.

    Attributes:
        domain: what values a member takes.
        over: index set as a function of the data (an iterable of labels or of tuples); None = one scalar.
        lower: lower bound of a member; None = none.
        upper: upper bound of a member; None = none.
        math: the family in a formula, such as `x_{i}`.
        enabled: False fixes every member at zero.
        unit: what a member is measured in, such as `kg`; empty for none.
    """

    domain: Domain
    over: Callable[[Any], Iterable[Any]] | None
    lower: Bound
    upper: Bound
    math: str
    enabled: bool
    unit: str


def binary(
    *,
    over: Callable[[Any], Iterable[Any]] | None = None,
    math: str = "",
    enabled: bool = True,
    unit: str = "",
) -> Any:
    """Declare a family of 0/1 variables, one per element of `over(data)`, or one scalar without it."""
    return _family("binary", over, (0, 1), math, enabled, unit)


def integer(
    *,
    over: Callable[[Any], Iterable[Any]] | None = None,
    lower: Bound = 0,
    upper: Bound = None,
    math: str = "",
    enabled: bool = True,
    unit: str = "",
) -> Any:
    """Declare a family of integer variables, non-negative unless `lower` says otherwise."""
    return _family("integer", over, (lower, upper), math, enabled, unit)


def continuous(
    *,
    over: Callable[[Any], Iterable[Any]] | None = None,
    lower: Bound = 0,
    upper: Bound = None,
    math: str = "",
    enabled: bool = True,
    unit: str = "",
) -> Any:
    """Declare a family of real variables, non-negative unless `lower` says otherwise."""
    return _family("continuous", over, (lower, upper), math, enabled, unit)


def _family(
    domain: Domain,
    over: Callable[[Any], Iterable[Any]] | None,
    bounds: tuple[Bound, Bound],
    math: str,
    enabled: bool,
    unit: str,
) -> Family:
    if over is not None and not callable(over):
        raise TypeError(
            f"`over` is a function of the data, such as lambda data: data.items, not {over!r:.60}"
        )
    if unit:
        check_unit(unit)
    lower, upper = bounds
    return Family(domain=domain, over=over, lower=lower, upper=upper, math=math, enabled=enabled, unit=unit)


class Variables(BaseModel):
    """Base of the variables class of a model file: every field is declared by a family function.

    A field without `over` is a scalar, else a dict by label (by tuple for several indices).
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, use_attribute_docstrings=True)

    families: ClassVar[dict[str, Family]] = {}
    """Family id → declaration, in the order of the file."""

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Collect the declared families.

        Raises:
            TypeError: if a field is not declared by `binary`, `integer` or `continuous`.
        """
        super().__pydantic_init_subclass__(**kwargs)
        families: dict[str, Family] = {}
        for name, field in cls.model_fields.items():
            if not isinstance(field.default, Family):
                raise TypeError(
                    f"variable family {name!r} of {cls.__name__} must be declared with "
                    "binary(...), integer(...) or continuous(...)"
                )
            families[name] = field.default
        cls.families = families
