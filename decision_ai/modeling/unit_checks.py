"""Calculating with amounts, and which of them do not fit together."""

from dataclasses import dataclass, replace

from decision_ai.modeling.unit_shapes import Amount, Shape
from decision_ai.modeling.units import Unit

_CLOSE = 1e-6
_TIME = (("[time]", 1.0),)


def times(one: Amount, other: Amount) -> Amount:
    """The product."""
    unit = (one.unit or Unit()) * (other.unit or Unit())
    return _combined(one, other, unit, _product(one.factor, other.factor))


def divided(one: Amount, other: Amount) -> Amount:
    """The quotient."""
    unit = (one.unit or Unit()) / (other.unit or Unit())
    inverse = 1 / other.factor if other.factor else None
    return _combined(one, other, unit, _product(one.factor, inverse))


def powered(base: Amount, power: int) -> Amount:
    """A whole power."""
    return replace(base, unit=None if base.unit is None else base.unit**power, factor=None)


def added(one: Amount, other: Amount) -> Amount:
    """The sum of two amounts that fit."""
    if one.unit is None and other.unit is None:
        return Amount(None, loose=True, factor=None)
    if one.unit is None or other.unit is None:
        return other if one.unit is None else one
    if one.unit.scale != other.unit.scale:  # one of them was converted
        return replace(other if one.factor != 1 else one, loose=True, factor=None)
    factor = one.factor if one.factor == other.factor else None
    return replace(one, loose=one.loose or other.loose, factor=factor)


@dataclass(frozen=True)
class Misfit:
    """Two units that do not fit: both in words, and the end of the sentence about them."""

    one: str
    other: str
    ending: str


def misfit(one: Shape, other: Shape) -> Misfit | None:
    """What keeps two amounts from being added or compared; None if nothing does.

    A plain number fits anything. Things that are counted are let through where they only multiply: kilograms
    of 3 pieces are kilograms, and a 0/1 choice may stand for one piece. A number written beside things that
    are counted, or beside a time, may be a rate: 10 pieces for each pallet, 8 hours for each person or day.
    """
    if not isinstance(one, Amount) or not isinstance(other, Amount):
        return None
    if one.unit is None or other.unit is None:
        return None
    ending = _ending(one, other, one.unit, other.unit)
    return None if ending is None else Misfit(one.unit.words, other.unit.words, ending)


def _ending(one: Amount, other: Amount, first: Unit, second: Unit) -> str | None:
    rate = _written(one) or _written(other)
    if first.dimension != second.dimension:
        counts = _single(first) and _single(second)
        loose = one.loose or other.loose
        first, second = (unit.without_counts(below=loose) for unit in (first, second))
        if not first.factors and not second.factors:
            return "" if counts and not rate else None
        if first.dimension != second.dimension:
            return None if rate and not (first.factors and second.factors) else ""
    if rate and first.dimension == _TIME:
        return None
    return _other_scale(first, second, one.factor, other.factor)


def _other_scale(first: Unit, second: Unit, factor: float | None, other_factor: float | None) -> str | None:
    ratio = first.scale / second.scale if second.scale else 0
    if factor is None or not other_factor or abs(ratio - 1) < _CLOSE:
        return None
    if abs(factor / other_factor / ratio - 1) < _CLOSE if ratio else True:
        return None
    large, small, many = (first, second, ratio) if ratio > 1 else (second, first, 1 / ratio)
    return f", without the factor {many:.10g} between {small.text} and {large.text}"


def _written(amount: Amount) -> bool:
    """Whether a number is written in it that may convert it, or be a rate."""
    return amount.factor is not None and abs(amount.factor - 1) > _CLOSE


def _single(unit: Unit) -> bool:
    return len(unit.factors) == 1 and unit.factors[0][1] == 1


def _combined(one: Amount, other: Amount, unit: Unit, factor: float | None) -> Amount:
    plain = one.unit is None and other.unit is None
    return Amount(None if plain else unit, loose=one.loose or other.loose, factor=factor)


def _product(one: float | None, other: float | None) -> float | None:
    product = one * other if one is not None and other is not None else None
    return product or None
