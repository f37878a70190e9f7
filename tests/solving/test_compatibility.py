"""New data under an old model: which parts build, and why the others do not."""

import pytest
from building_models import NAMES, source

from decision_ai.modeling.loading import load_model
from decision_ai.solving.blame import BuildFailure
from decision_ai.solving.compatibility import incompatible_parts
from decision_ai.solving.findings import IncompatiblePart

pytestmark = pytest.mark.core

FAMILIES = (
    "x: dict[str, Var] = integer(over=lambda d: d.names, upper=lambda d, i: d.worth[i])\n"
    "y: dict[str, Var] = binary(over=lambda d: d.names)"
)
OTHER = """    @constraint(enabled=False)
    def other(self, d, v):
        return v.x['a'] <= 1

    @objective"""


def parts(data: str, **changed: str) -> list[IncompatiblePart]:
    text = source(**{"families": FAMILIES, "body": "return v.y['a'] <= 1", **changed})
    model = load_model(text.replace("    @objective", OTHER, 1), next(NAMES))
    return incompatible_parts(model, model.data_class.model_validate_json(data))


def test_everything_fits() -> None:
    assert parts("{}") == []


def test_users_of_a_family_that_does_not_build_name_it() -> None:
    assert [part.model_dump() for part in parts('{"worth": {"a": 1}}')] == [
        {"kind": "variable", "id": "x", "reason": "there is no key 'b'"},
        {
            "kind": "constraint",
            "id": "other",
            "reason": "it uses the variable family 'x', which does not build: there is no key 'b'",
        },
        {
            "kind": "objective",
            "id": "total",
            "reason": "it uses the variable family 'x', which does not build: there is no key 'b'",
        },
    ]


def test_each_part_alone_with_the_hint() -> None:
    found = parts(
        '{"names": ["aa", "b"], "worth": {"aa": 1, "b": 1}}', objective="return pulp.lpSum(v.x.values())"
    )

    assert [(part.kind, part.id) for part in found] == [("constraint", "rule"), ("constraint", "other")]
    assert found[0].reason == ("y['a']: the family has no such member; it has y['aa'] (did you mean 'aa'?)")


def test_what_comes_to_nothing_is_compatible() -> None:
    body = "return pulp.lpSum(v.y.values()) <= 1"
    (part,) = parts('{"names": [], "worth": {}}', body=body)
    assert part.id == "other"  # it names a member that is gone


def test_the_objective_alone() -> None:
    (part,) = parts("{}", objective="return v.x['a'] * d.worth['c']")
    assert (part.kind, part.id) == ("objective", "total")


def test_a_model_class_that_cannot_be_made() -> None:
    text = source().replace(
        "    @constraint()", "    def __init__(self):\n        nothing\n\n    @constraint()", 1
    )
    model = load_model(text, next(NAMES))
    with pytest.raises(BuildFailure):
        incompatible_parts(model, model.data_class())
