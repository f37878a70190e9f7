import math
from typing import Any

import pytest

from decision_ai.modeling.importing.pulp_algebra import NotRead
from decision_ai.modeling.importing.recorder import Recorder

pytestmark = pytest.mark.core


@pytest.fixture
def pulp() -> Any:
    return Recorder().module()


def test_categories_and_bounds(pulp: Any) -> None:
    x = pulp.LpVariable("a-b [c]", -math.inf, 4, pulp.LpInteger)
    assert (x.name, x.lowBound, x.upBound, x.cat, x.isInteger(), x.isFree()) == (
        "a_b__c_",
        None,
        4,
        "Integer",
        True,
        False,
    )
    x.cat = "Binary"
    assert (x.lowBound, x.upBound, x.isBinary(), x.isConstant()) == (0, 1, True, False)
    x.positive()
    assert x.isPositive()
    assert x.getUb() is None
    for wrong in (math.nan, math.inf):
        with pytest.raises(pulp.PulpError, match="a bound is"):
            x.lowBound = wrong
    with pytest.raises(NotRead, match="column-wise"):
        pulp.LpVariable("y", e=x)


def test_values_are_those_the_script_gives(pulp: Any) -> None:
    x = pulp.LpVariable("x", 0, 9)
    assert x.value() is None
    assert pulp.value(2 * x + 1) is None
    assert not x.setInitialValue(12, check=False)
    with pytest.raises(ValueError, match="not within its bounds"):
        x.setInitialValue(12)
    assert x.setInitialValue(3)
    assert bool(x)
    assert pulp.value(2 * x + 1) == 7
    assert pulp.value(5) == 5
    x.fixValue()
    assert (x.lowBound, x.upBound, x.isFixed()) == (3, 3, True)
    x.unfixValue()
    assert (x.getLb(), x.getUb()) == (0, 9)
