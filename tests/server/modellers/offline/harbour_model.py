"""Moor every vessel at a berth and man the cranes, at the lowest cost."""

import pulp

from decision_ai import (
    InputData,
    OptModel,
    Var,
    Variables,
    binary,
    constraint,
    continuous,
    integer,
    objective,
)


class Vessel(InputData):
    length: float
    """Metres from bow to stern."""
    cargo: int
    """Containers on board."""
    flag: str
    """Country of registration."""
    tanker: bool
    """Whether it carries oil."""
    late_fee: float
    """Euros for each hour of delay."""


class Berth(InputData):
    name: str
    """What the pilots call it."""
    depth: float
    """Metres of water."""
    quay: str
    """Side of the harbour."""


class HarbourData(InputData):
    cranes_on_duty: int
    """Cranes with a crew today."""
    berths: list[Berth]
    """In order from the sea."""
    vessels: dict[str, Vessel]
    tariff: dict[str, dict[str, float]]
    """Euros for a vessel at a berth."""


class HarbourVariables(Variables):
    moor: dict[tuple[str, str], Var] = binary(
        over=lambda data: [(s, b.name) for s in data.vessels for b in data.berths]
    )
    """1 if the vessel lies at the berth."""
    cranes: dict[str, Var] = integer(over=lambda data: data.vessels, upper=4)
    """Cranes that unload the vessel."""
    delay: dict[str, Var] = continuous(over=lambda data: data.vessels, upper=48)
    """Hours of delay."""


class Harbour(OptModel[HarbourData, HarbourVariables]):
    @constraint(r"\sum_b moor_{s,b} = 1 \quad \forall s")
    def one_berth(self, data, v):
        """Every vessel lies at exactly one berth."""
        for s in data.vessels:
            yield s, pulp.lpSum(v.moor[s, b.name] for b in data.berths) == 1

    @constraint(r"\sum_s moor_{s,b} \le 2 \quad \forall b")
    def berth_room(self, data, v):
        """No berth takes more than two vessels."""
        for b in data.berths:
            yield b.name, pulp.lpSum(v.moor[s, b.name] for s in data.vessels) <= 2

    @constraint(r"\sum_s cranes_s \le K")
    def crew(self, data, v):
        """Only cranes with a crew unload."""
        return pulp.lpSum(v.cranes[s] for s in data.vessels) <= data.cranes_on_duty

    @constraint(r"10 cranes_s + delay_s \ge cargo_s / 10 \quad \forall s")
    def unload(self, data, v):
        """What the cranes do not unload in time is delay."""
        for s, vessel in data.vessels.items():
            yield s, 10 * v.cranes[s] + v.delay[s] >= vessel.cargo / 10

    @objective("minimize", r"\sum_{s,b} t_{s,b} moor_{s,b} + \sum_s f_s delay_s")
    def cost(self, data, v):
        """Tariffs and late fees, in euros."""
        tariffs = pulp.lpSum(
            data.tariff[s][b.name] * v.moor[s, b.name] for s in data.vessels for b in data.berths
        )
        return tariffs + pulp.lpSum(vessel.late_fee * v.delay[s] for s, vessel in data.vessels.items())

    def solution_to_str(self, data, v) -> str:
        """Who lies where."""
        return "\n".join(f"{s} at {b}" for (s, b), var in v.moor.items() if var.value() > 0.5)
