"""Numbers are numbers: what a data class would take for one is refused, with its place."""

import itertools

import pytest

from decision_ai.modeling.loading import load_model
from decision_ai.modeling.opt_model import OptModel
from decision_ai.solving.input_data import WrongData, read_input

pytestmark = pytest.mark.core

NAMES = (f"data_{number}" for number in itertools.count())
PROGRAM = """
from datetime import date
from enum import Enum
from typing import Annotated
from pydantic import BeforeValidator
from decision_ai import InputData, OptModel, Var, Variables, constraint, integer


class Kind(Enum):
    A = "a"


class Part(InputData):
    cost: float = 1.0
    size: int = 1
    on: bool = False
    day: date = date(2024, 1, 1)
    kind: Kind = Kind.A
    either: int | str = 1
    read: Annotated[float, BeforeValidator(lambda text: float(str(text).removesuffix(" kg")))] = 1.0
    label: str = ""


class D(InputData):
    parts: dict[int, Part] = {}
    pair: tuple[int, float] = (1, 1.0)


class V(Variables):
    x: Var = integer(upper=9)


class M(OptModel[D, V]):
    @constraint()
    def cap(self, d, v):
        return v.x <= 1
"""


def model() -> type[OptModel]:  # type: ignore[type-arg]
    return load_model(PROGRAM, next(NAMES))


def refusal(part: str) -> str:
    with pytest.raises(WrongData) as caught:
        read_input(model(), f'{{"parts": {{"1": {part}}}}}')
    return caught.value.validation.error


@pytest.mark.parametrize(
    ("part", "place"),
    [
        ('{"cost": true}', "parts.1.cost: "),
        ('{"size": true}', "parts.1.size: "),
        ('{"size": false}', "parts.1.size: "),
        ('{"cost": "3"}', "parts.1.cost: "),
        ('{"size": "3"}', "parts.1.size: "),
        ('{"cost": null}', "parts.1.cost: "),
        ('{"size": 1.5}', "parts.1.size: "),
        ('{"kind": "b"}', "parts.1.kind: "),
        ('{"colour": 1}', "parts.1.colour: "),
    ],
)
def test_refused(part: str, place: str) -> None:
    error = refusal(part)
    assert error.startswith(place)
    assert len(error.splitlines()) == 1


def test_the_value_is_told() -> None:
    assert refusal('{"cost": true}') == "parts.1.cost: Input should be a valid number (got True)"


@pytest.mark.parametrize(
    "part",
    [
        '{"cost": 3}',
        '{"size": 3.0}',
        '{"on": 1}',
        '{"on": true}',
        '{"day": "2024-05-06"}',
        '{"kind": "a"}',
        '{"either": "three"}',
        '{"either": 3}',
        '{"read": "3 kg"}',
        '{"label": "3"}',
    ],
)
def test_accepted(part: str) -> None:
    data = read_input(model(), f'{{"parts": {{"1": {part}}}, "pair": [2, 3]}}')
    assert list(data.parts) == [1]
    assert data.pair == (2, 3)


def test_of_many_wrong_fields_the_first() -> None:
    parts = ", ".join(f'"{number}": {{"cost": true}}' for number in range(30))
    with pytest.raises(WrongData) as caught:
        read_input(model(), f'{{"parts": {{{parts}}}}}')
    lines = caught.value.validation.error.splitlines()
    assert (len(lines), lines[-1]) == (21, "and 10 more")
