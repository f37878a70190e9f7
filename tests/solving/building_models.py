"""Model files of one family and one constraint, to be built."""

import itertools
from collections.abc import Sequence

import pytest

from decision_ai.client.schemas.chat_messages.validation import FormulationErrorReport
from decision_ai.modeling.loading import load_model
from decision_ai.solving.blame import BuildFailure
from decision_ai.solving.building import BuiltModel, build
from decision_ai.solving.findings import PartName

NAMES = (f"model_{number}" for number in itertools.count())


def source(
    *,
    families: str = "x: dict[str, Var] = integer(over=lambda d: d.names, upper=9)",
    body: str = "return pulp.lpSum(v.x[i] for i in d.names) <= 4",
    mark: str = "@constraint()",
    objective: str = "return pulp.lpSum(d.worth[i] * v.x[i] for i in d.names)",
    text: str = "return ' '.join(f'{i}={v.x[i].value():g}' for i in d.names)",
) -> str:
    """A model file of one constraint."""
    families = "\n    ".join(families.splitlines())
    body = "\n        ".join(body.splitlines())
    return f'''
import pulp; from decision_ai import objective
from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, continuous, integer


class D(InputData):
    names: list[str] = ["a", "b"]
    worth: dict[str, float] = {{"a": 2, "b": 3}}
    size: int = 2


class V(Variables):
    {families}


class M(OptModel[D, V]):
    {mark}
    def rule(self, d, v):
        """Rule."""
        {body}

    @objective("maximize")
    def total(self, d, v):
        """Total."""
        {objective}

    def solution_to_str(self, d, v):
        {text}
'''


def built(data: str = "{}", focus: Sequence[PartName] = (), **parts: str) -> BuiltModel:
    model = load_model(source(**parts), next(NAMES))
    return build(model, model.data_class.model_validate_json(data), focus)


RULE = PartName(kind="constraint", id="rule")
FAMILY = PartName(kind="variable", id="x")


def failure(data: str = "{}", **parts: str) -> FormulationErrorReport:
    """The report of what does not build, the constraint and the family just changed."""
    with pytest.raises(BuildFailure) as caught:
        built(data, [RULE, FAMILY], **parts)
    return caught.value.report
