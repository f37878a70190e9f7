from typing import Any

import pytest

from decision_ai.modeling.input_data import InputData
from decision_ai.modeling.opt_model import OptModel, constraint, objective
from decision_ai.modeling.variables import Variables

pytestmark = pytest.mark.core


class Data(InputData):
    n: int


class Vars(Variables):
    pass


def test_marked_methods_are_collected_in_order() -> None:
    class Model(OptModel[Data, Vars]):
        @constraint("m", enabled=False, priority="A", policy=True)
        def second(self, data: Any, v: Any) -> Any: ...

        @constraint()
        def first(self, data: Any, v: Any) -> Any: ...

        @objective("minimize")
        def cost(self, data: Any, v: Any) -> Any: ...

    assert (Model.data_class, Model.variables_class, Model.objective_id) == (Data, Vars, "cost")
    assert list(Model.constraints) == ["second", "first"]
    info = Model.constraints["second"]
    assert (info.math, info.enabled, info.priority, info.policy) == ("m", False, "A", True)
    with pytest.raises(NotImplementedError, match="Model must define solution_to_str"):
        Model().solution_to_str(Data(n=1), Vars())


def test_type_arguments_are_needed() -> None:
    with pytest.raises(TypeError, match="write Model as OptModel"):
        type("Model", (OptModel,), {})


def test_two_objectives_are_refused() -> None:
    with pytest.raises(TypeError, match="more than one objective: a, b"):

        class Model(OptModel[Data, Vars]):
            @objective("minimize")
            def a(self, data: Any, v: Any) -> Any: ...

            @objective("maximize")
            def b(self, data: Any, v: Any) -> Any: ...


def test_decorators_refuse_other_words() -> None:
    with pytest.raises(ValueError, match="a priority is 'hard', 'A', 'B' or 'C'"):
        constraint(priority="D")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'minimize' or 'maximize'"):
        objective("max")  # type: ignore[arg-type]
