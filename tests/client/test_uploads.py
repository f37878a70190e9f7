import importlib.util
import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

from decision_ai.client.uploads import data_text, is_foreign, model_source
from decision_ai.errors import DataError, DecisionAIError
from decision_ai.examples import example
from decision_ai.modeling.input_data import InputData

MODEL = """from decision_ai import InputData, OptModel, Var, Variables, binary\r
\r
class Things(InputData):
    names: list[str]

class Choice(Variables):
    take: dict[str, Var] = binary(over=lambda data: data.names)

class Chooser(OptModel[Things, Choice]):
    pass
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "chooser.py"
    path.write_bytes(MODEL.encode())
    return path


def test_a_model_is_a_path_or_text_or_an_id(path: Path) -> None:
    assert model_source(path) == MODEL
    assert model_source(str(path)) == MODEL
    assert model_source(MODEL) == MODEL
    assert model_source("3f2b") is None


def test_a_model_class_is_found_in_its_file(path: Path) -> None:
    spec = importlib.util.spec_from_file_location("chooser", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, "chooser", module)
        spec.loader.exec_module(module)
        assert model_source(module.Chooser) == MODEL


def test_a_class_without_a_file_says_what_to_give_instead() -> None:
    names: dict[str, Any] = {"__name__": "notebook"}
    exec(MODEL, names)
    with pytest.raises(DecisionAIError, match="the file of class 'Chooser' cannot be found"):
        model_source(names["Chooser"])


def test_a_missing_file_and_a_broken_one_are_named(tmp_path: Path) -> None:
    with pytest.raises(DecisionAIError, match=r"model file '.*missing\.py' cannot be read: No such file"):
        model_source(str(tmp_path / "missing.py"))
    latin = tmp_path / "latin.py"
    latin.write_bytes(b"# caf\xe9\n")
    with pytest.raises(DecisionAIError, match="is not UTF-8 at byte 5"):
        model_source(latin)


class Bag(InputData):
    limit: float


def test_data_are_an_object_a_dictionary_a_file_text_or_an_id(tmp_path: Path) -> None:
    path = tmp_path / "bag.json"
    path.write_text('{"limit": 4}')
    assert data_text(Bag(limit=4)) == '{"limit":4.0}'
    assert data_text({"limit": 4}) == '{"limit":4}'
    assert data_text(path) == data_text(str(path)) == '{"limit": 4}'
    assert data_text('{"limit": 4}') == '{"limit": 4}'
    assert data_text("data-0123") is None


KNAPSACK = example("knapsack")[0]
ITEM = {"weight": 7.5, "value": 30, "category": "outdoor"}


def test_tables_are_read_onto_the_classes_of_the_model(tmp_path: Path) -> None:
    folder = tmp_path / "plant"
    folder.mkdir()
    (folder / "items.csv").write_text("item;weight;value;category\nTent;7,5;30;outdoor\n")
    (folder / "parameters.csv").write_text("capacity\n30\n")
    records = [{"item": "Tent", **ITEM}]
    (tmp_path / "data.json").write_text(json.dumps({"capacity": 30, "items": records}))
    expected = {"capacity": 30, "items": {"Tent": ITEM}}
    forms: list[Any] = [
        folder,
        f"{folder}/",
        str(tmp_path / "data.json"),
        {"capacity": 30, "items": pd.DataFrame([ITEM], index=["Tent"])},
        {"capacity": 30, "items": pl.DataFrame(records)},
        {"capacity": 30, "items": records},
        json.dumps({"capacity": 30, "items": records}),
    ]
    for form in forms:
        text = data_text(form, KNAPSACK)
        assert text is not None
        assert json.loads(text) == expected
    with pytest.raises(DataError, match="give the model too"):
        data_text(folder)


def test_the_model_is_only_fetched_where_it_is_needed(tmp_path: Path) -> None:
    def fetch() -> str:
        raise AssertionError("not needed")

    assert data_text({"capacity": 30, "items": {"Tent": ITEM}}, fetch) is not None
    assert data_text("data-0123456789abcdef", fetch) is None
    with pytest.raises(DecisionAIError, match=r"missing\.xlsx"):
        data_text(tmp_path / "missing.xlsx", KNAPSACK)


def test_broken_data_are_found_before_they_are_sent(tmp_path: Path) -> None:
    path = tmp_path / "bag.json"
    path.write_text('{"limit": 4, "limit": 5}')
    with pytest.raises(DataError, match=r"the data in '.*bag\.json': the key 'limit' occurs twice"):
        data_text(path)
    with pytest.raises(DataError, match="NaN"):
        data_text('{"limit": NaN}')


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_file_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bag.json"
    path.write_text(text)
    with pytest.raises(DataError, match=r"the data in '.*bag\.json' are empty"):
        data_text(path)


@pytest.mark.parametrize("thing", [5, None, ["x"], b"{}"])
def test_what_is_neither_a_model_nor_data_is_named(thing: Any) -> None:
    with pytest.raises(TypeError, match="a model is a path"):
        model_source(thing)
    with pytest.raises(TypeError, match="data are an InputData object"):
        data_text(thing)


def test_scripts_and_solvers_files_are_foreign(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import pulp\n", encoding="utf-8")
    assert is_foreign(script)
    assert is_foreign(str(script))
    assert is_foreign("plan.mps.gz")
    script.write_text("import pulp\nimport decision_ai\n", encoding="utf-8")
    assert not is_foreign(script)
    assert not is_foreign("import pulp\nx = 1\n")
    assert not is_foreign("model-1")
