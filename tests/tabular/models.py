"""What the tests of reading share."""

from datetime import datetime


def moment(year: int, month: int, day: int, hour: int = 0) -> datetime:
    """A date as Excel and pandas have it: without a time zone."""
    return datetime(year, month, day, hour)  # noqa: DTZ001 - so it comes out of a workbook


EXAMPLE = '''"""Items to choose from."""
from datetime import date
from typing import Annotated, Literal
from decision_ai import InputData, OptModel, Var, Variables, continuous, unit


class Item(InputData):
    weight: Annotated[float, unit("kg")]
    value: float
    mode: Literal["road", "rail"] = "road"
    fragile: bool = False
    due: date | None = None
    tags: list[str] = []
    at: tuple[float, float] = (0.0, 0.0)
    demand: dict[str, float] = {}


class Depot(InputData):
    x: float
    y: float = 0.0


class Data(InputData):
    """The data."""
    capacity: Annotated[float, unit("kg")]
    count: int = 3
    depot: Depot = Depot(x=0)
    items: dict[str, Item]
    cost: dict[str, dict[str, float]] = {}
    price: dict[str, float] = {}
    bonus: dict[str, float] = {}
    months: list[str] = []
    able: dict[str, list[str]] = {}
    arcs: list[tuple[str, str]] = []
    spots: dict[str, tuple[float, float]] = {}
    places: list[Depot] = []
    stops: dict[str, list[Depot]] = {}
    matrix: list[list[float]] = []
    by_year: dict[int, float] = {}
    allowed: set[str] = set()
    odd: dict[str, int | Depot] = {}
    cube: dict[str, dict[str, dict[str, float]]] = {}


class Choice(Variables):
    x: Var = continuous()


class Model(OptModel[Data, Choice]):
    def solution_to_str(self, data, v) -> str:
        return ""
'''
