import inspect
import sys

import pytest

from decision_ai.errors import ProgramError
from decision_ai.modeling.loading import load_model

pytestmark = pytest.mark.core


def test_a_program_loads_with_docstrings_source_and_forward_references(variant: str) -> None:
    text = variant.replace('print("the owner\'s own code")', "").replace(
        "items: dict[str, Item]", "items: 'dict[str, Item]'"
    )
    model = load_model(text, "loaded_pack")
    assert model.__name__ == "Pack"
    assert list(model.constraints) == ["capacity", "few"]
    assert model.objective_id == "value"
    assert model.data_class.model_fields["capacity"].description == "Kilograms the backpack carries."
    assert "dict[str, Item]" in inspect.getsource(model.data_class)
    data = model.data_class.model_validate({"capacity": 1, "items": {"a": {"weight": 1, "value": 2}}})
    assert data.model_dump() == {"capacity": 1.0, "items": {"a": {"weight": 1.0, "value": 2.0}}}
    assert list(model.variables_class.families) == ["pack", "slack"]


@pytest.mark.parametrize(
    ("old", "new", "component", "id", "words"),
    [
        ("LIMIT = 7", "LIMIT = 1 / 0", "program", None, "ZeroDivisionError"),
        ("LIMIT = 7", "raise SystemExit(3)", "program", None, "SystemExit: 3"),
        ("LIMIT = 7", "raise ValueError", "program", None, "ValueError: no message"),
        ("dict[str, Item]", "dict[str, Itm]", "input_data", "PackData", "Itm"),
        ("continuous()", "continuous(low=1)", "variable", "slack", "low"),
        ("return i", "return (", "program", None, "SyntaxError"),
    ],
)
def test_an_error_at_import_names_its_part(
    source: str, old: str, new: str, component: str, id: str | None, words: str
) -> None:
    text = source.replace('print("the owner\'s own code")', "")
    changed = text.replace(old, new) if old in text else text + new
    with pytest.raises(ProgramError, match=words) as caught:
        load_model(changed, "loaded_broken")
    report = caught.value.report
    assert (report.component, report.component_id) == (component, id)
    assert report.line is not None
    assert report.source_line == changed.split("\n")[report.line - 1].strip()
    assert "loaded_broken" not in sys.modules


def test_a_program_without_a_model_is_refused() -> None:
    with pytest.raises(ProgramError, match="exactly one OptModel class; found none"):
        load_model("from decision_ai import OptModel", "loaded_empty")
