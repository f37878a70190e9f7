from typing import Any

import pytest

from decision_ai.modeling.variables import Var, Variables, binary, continuous, integer

pytestmark = pytest.mark.core


def test_families_are_collected_in_order() -> None:
    class First(Variables):
        b: dict[str, Var] = binary(over=lambda data: data, math="b_i")

    class Both(First):
        n: Var = integer(upper=3)
        c: Var = continuous(lower=None, enabled=False, unit="kg")

    said = {id: (f.domain, f.lower, f.upper, f.math, f.enabled) for id, f in Both.families.items()}
    assert said == {
        "b": ("binary", 0, 1, "b_i", True),
        "n": ("integer", 0, 3, "", True),
        "c": ("continuous", None, None, "", False),
    }
    assert First.families.keys() == {"b"}
    assert [family.unit for family in Both.families.values()] == ["", "", "kg"]


@pytest.mark.parametrize("declare", [binary, integer, continuous])
def test_a_unit_that_is_none_is_refused(declare: Any) -> None:
    with pytest.raises(ValueError, match="not a unit"):
        declare(unit="3 kg")


@pytest.mark.parametrize("default", [1, None])
def test_a_field_that_is_no_family_is_refused(default: Any) -> None:
    with pytest.raises(TypeError, match="'x' of Wrong must be declared"):
        type("Wrong", (Variables,), {"__annotations__": {"x": Any}, "x": default, "__module__": __name__})
