"""Units of fields and variable families: how they are declared, read, multiplied and compared.

Physical units are pint's. Currencies, and things that are counted (pallets, shifts, people), are dimensions
of their own. Text is split here and only single names are looked up, so that no text of a stranger is
evaluated.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, Literal, TypeAlias

Dimension: TypeAlias = tuple[tuple[str, float], ...]
"""Base dimension → power, sorted, such as `(("[length]", 1), ("[time]", -1))`."""

MOST_CHARACTERS = 80
_MOST_POWER = 9
_TOKEN = re.compile(r"\s*(?:(?P<name>[^\W\d]\w*|[€$£¥%°]\w*)|(?P<number>-?\d+)|(?P<sign>\*\*|[-*·/^()]))")
_PER = re.compile(r"\s+(?:per|pro)\s+")
_SUPERSCRIPTS = str.maketrans({"²": "^2", "³": "^3"})
_MULTIPLIES = ("*", "·", "-")

_OTHER_CODES = (
    *("AUD", "BRL", "CAD", "CNY", "CZK", "DKK", "HKD", "HUF", "INR", "KRW", "MXN", "NOK", "NZD", "PLN"),
    *("SEK", "SGD", "TRY", "ZAR"),
)
_CURRENCIES = {
    "EUR": ("euro", "euros", "€"),
    "USD": ("US dollar", "US dollars", "$ dollar"),
    "GBP": ("pound sterling", "pounds sterling", "£"),
    "CHF": ("Swiss franc", "Swiss francs", ""),
    "JPY": ("yen", "yen", "¥"),
    **{code: (code, code, "") for code in _OTHER_CODES},
}
"""Code → one, several, and other names of it."""
_CURRENCY_NAMES = {
    name.casefold(): code
    for code, (one, several, others) in _CURRENCIES.items()
    for name in (code, one, several, *others.split())
} | {"dollars": "USD"}
_COUNTED = {
    **dict.fromkeys(
        ("piece", "pieces", "pc", "pcs", "item", "items", "unit", "units", "ea", "each"), "piece"
    ),
    **dict.fromkeys(("person", "persons", "people"), "person"),
    # pint takes these for typographic points, bags of cement and old measures of length
    **{
        name: name.removesuffix("s")
        for name in ["point", "points", "bag", "bags", "hand", "hands", "link", "links"]
    },
}
_PLURALS = {
    "person": "people",
    "foot": "feet",
    "inch": "inches",
    "metric_ton": "tonnes",
    "percent": "percent",
}
_SINGULARS = {"metric_ton": "tonne"}
_PURE = ("dimensionless", "count")


@dataclass(frozen=True)
class UnitMark:
    """What `unit(...)` leaves in an annotation."""

    text: str


def unit(text: str) -> UnitMark:
    """Declare what a data field is measured in.

    Write `weight: Annotated[float, unit("kg")]`. In a container the numbers carry it:
    `dict[str, Annotated[float, unit("EUR/kg")]]`.

    Args:
        text: names joined by `*`, `/` and powers, such as `kg`, `EUR/kg`, `m^2`, `pallet`.

    Raises:
        ValueError: if the text is not such an expression.
    """
    if not isinstance(text, str):
        raise ValueError(f"a unit is a text such as 'kg' or 'EUR/kg', not {text!r:.80}")
    _split(text)
    return UnitMark(text)


@dataclass(frozen=True)
class Unit:
    """A unit as a product of powers of named units; made by `parse_unit`."""

    factors: tuple[tuple[str, int], ...] = ()
    """Canonical name → power, sorted; empty for a plain number."""

    def __mul__(self, other: "Unit") -> "Unit":
        return _unit(_sum_of_powers(self.factors, other.factors, 1))

    def __truediv__(self, other: "Unit") -> "Unit":
        return _unit(_sum_of_powers(self.factors, other.factors, -1))

    def __pow__(self, power: int) -> "Unit":
        return _unit({name: own * power for name, own in self.factors})

    @property
    def dimension(self) -> Dimension:
        """What is measured."""
        powers: dict[str, float] = {}
        for name, power in self.factors:
            for base, own in _named(name).dimension:
                powers[base] = powers.get(base, 0) + own * power
        return tuple(sorted((base, power) for base, power in powers.items() if power))

    @property
    def scale(self) -> float:
        """How many base units it is."""
        try:
            return math.prod(_named(name).scale ** power for name, power in self.factors)
        except OverflowError:
            return math.inf

    def without_counts(self, *, below: bool) -> "Unit":
        """The unit without counted things above the line, and below it too where asked for."""
        return Unit(
            tuple(
                (name, power)
                for name, power in self.factors
                if _named(name).kind != "counted" or (power < 0 and not below)
            )
        )

    @property
    def text(self) -> str:
        """The unit in symbols, such as `EUR/kg`."""
        above = [_power_text(name, power) for name, power in self.factors if power > 0]
        below = [_power_text(name, -power) for name, power in self.factors if power < 0]
        under = f"({'·'.join(below)})" if len(below) > 1 else "".join(below)
        return f"{'·'.join(above) or '1'}/{under}" if below else "·".join(above)

    @property
    def words(self) -> str:
        """The unit in words, such as `euros per kilogram`; in symbols where words were long."""
        above = [name for name, power in self.factors if power > 0]
        if len(above) != 1 or any(abs(power) != 1 for _, power in self.factors):
            return self.text or "plain numbers"
        return " per ".join(
            [_named(above[0]).several, *(_named(name).one for name, power in self.factors if power < 0)]
        )


def parse_unit(text: str) -> Unit | None:
    """Read a unit; None for one that cannot be calculated with, such as degrees Celsius.

    Raises:
        ValueError: if the text is not a unit.
    """
    found = Unit()
    for name, power in _split(text):
        part = _lookup(name)
        if part is None:
            return None
        found = found * part**power
    return found


def conversion_factor(one: str, other: str) -> float | None:
    """How many of the other unit one unit is: 1000 for `t` and `kg`; None if they measure different things.

    Raises:
        ValueError: if one of the texts is not a unit.
    """
    first, second = parse_unit(one), parse_unit(other)
    if first is None or second is None:
        return 1.0 if one.strip() == other.strip() else None
    fits = first.dimension == second.dimension and second.scale > 0
    return first.scale / second.scale if fits else None


@dataclass(frozen=True)
class _Named:
    """One named unit."""

    kind: Literal["physical", "currency", "counted"]
    dimension: Dimension
    scale: float
    symbol: str
    one: str
    several: str


def _lookup(name: str) -> Unit | None:
    """The unit of one name, which may be written with its power: `m2`."""
    canonical = _canonical(name)
    if canonical is None and name[-1:] in ("2", "3") and _physical(name[:-1]) is not None:
        return _unit({str(_physical(name[:-1])): int(name[-1])})
    canonical = canonical or _counted_name(name)
    if canonical in _PURE:
        return Unit()
    return _unit({canonical: 1}) if _is_multiplicative(canonical) else None


def _canonical(name: str) -> str | None:
    """The one name of a unit that has several; None for a word of the user's own."""
    if name.casefold() in _CURRENCY_NAMES:
        return _CURRENCY_NAMES[name.casefold()]
    return _COUNTED.get(name.casefold()) or _physical(name) or _physical(name.lower())


def _counted_name(word: str) -> str:
    """`pallet` of `Pallets`: things that are counted, in the singular."""
    word = word.casefold()
    if re.search(r"(x|ch|sh|ss)es$", word):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _physical(name: str) -> str | None:
    """Pint's name of a unit it knows."""
    found = _registry().parse_unit_name({"%": "percent"}.get(name, name)) if name else ()
    return "".join(found[0][:2]) if found else None


@lru_cache(maxsize=1000)
def _named(name: str) -> _Named:
    if name in _CURRENCIES:
        one, several, _ = _CURRENCIES[name]
        return _Named("currency", ((f"[{name}]", 1),), 1.0, name, one, several)
    if _counted_word(name):
        ending = "es" if re.search(r"(x|ch|sh|ss)$", name) else "s"
        several = _PLURALS.get(name, name + ending)
        return _Named("counted", ((f"[{name}]", 1),), 1.0, name, name, several)
    quantity = _registry().Quantity(1, name)
    dimension = tuple(sorted((str(base), float(power)) for base, power in quantity.dimensionality.items()))
    spoken = name.replace("_", " ")
    return _Named(
        "physical",
        dimension,
        float(quantity.to_base_units().magnitude),
        str(_registry().get_symbol(name)),
        _SINGULARS.get(name, spoken),
        _PLURALS.get(name, spoken if spoken.endswith("s") else f"{spoken}s"),
    )


def _counted_word(name: str) -> bool:
    return name in _COUNTED or _physical(name) is None


def _is_multiplicative(name: str) -> bool:
    if name in _CURRENCIES or _counted_word(name):
        return True
    return bool(_registry().Quantity(1, name)._is_multiplicative)


@cache
def _registry() -> Any:
    # Loaded on first use: it takes half a second.
    return import_module("pint").UnitRegistry(cache_folder=None)


def _split(text: str) -> list[tuple[str, int]]:
    """The names of a unit with their powers, as written."""
    tokens = _tokens(text)
    parts, rest = _product(tokens, 1)
    if rest:
        raise _not_a_unit(text)
    if any(abs(power) > _MOST_POWER for _, power in parts):
        raise ValueError(f"a unit has powers up to {_MOST_POWER}: {text!r:.80}")
    return parts


def _tokens(text: str) -> list[str]:
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"a unit has at most {MOST_CHARACTERS} characters, not {len(text)}")
    text = _PER.sub("/", text.strip().translate(_SUPERSCRIPTS))
    tokens, position = [], 0
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None:
            raise _not_a_unit(text)
        tokens.append(found[0].strip())
        position = found.end()
    if not tokens:
        raise _not_a_unit(text)
    return tokens


def _product(tokens: list[str], sign: int) -> tuple[list[tuple[str, int]], list[str]]:
    """Factors up to a closing bracket or the end, and the tokens after them."""
    parts: list[tuple[str, int]] = []
    here = sign
    while tokens and tokens[0] != ")":
        inner, tokens = _factor(tokens, here)
        parts += inner
        here = sign
        if tokens and (tokens[0] in _MULTIPLIES or tokens[0] == "/"):
            here = -sign if tokens[0] == "/" else sign
            tokens = tokens[1:]
            if not tokens:
                raise _not_a_unit("it ends with a sign")
    return parts, tokens


def _factor(tokens: list[str], sign: int) -> tuple[list[tuple[str, int]], list[str]]:
    first, rest = tokens[0], tokens[1:]
    if first == "(":
        inner, rest = _product(rest, sign)
        if not rest:
            raise _not_a_unit("a bracket is not closed")
        rest = rest[1:]
    elif first == "1":
        inner = []
    elif _is_name(first):
        inner = [(first, sign)]
    else:
        raise _not_a_unit(first)
    power, rest = _power(rest)
    return [(name, own * power) for name, own in inner], rest


def _power(tokens: list[str]) -> tuple[int, list[str]]:
    if len(tokens) < 2 or tokens[0] not in ("^", "**"):
        return 1, tokens
    try:
        power = int(tokens[1])
    except ValueError:
        raise _not_a_unit(tokens[1]) from None
    return power, tokens[2:]


def _is_name(token: str) -> bool:
    return token[0].isalpha() or token[0] in "_€$£¥%°"


def _not_a_unit(text: str) -> ValueError:
    return ValueError(f"not a unit: {text!r:.80}; write it like 'kg', 'EUR/kg', 'm^2' or 'pallet'")


def _sum_of_powers(
    one: tuple[tuple[str, int], ...], other: tuple[tuple[str, int], ...], sign: int
) -> Mapping[str, int]:
    powers = dict(one)
    for name, power in other:
        powers[name] = powers.get(name, 0) + sign * power
    return powers


def _unit(powers: Mapping[str, int]) -> Unit:
    return Unit(tuple(sorted((name, power) for name, power in powers.items() if power)))


def _power_text(name: str, power: int) -> str:
    symbol = _named(name).symbol
    return symbol if power == 1 else f"{symbol}^{power}"
