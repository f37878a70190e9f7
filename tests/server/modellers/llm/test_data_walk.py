"""Fields are told from labels by the classes of the model file."""

import json

from decision_ai.examples import example
from decision_ai_server.modellers.llm.data_walk import DataWalk

NESTED = """
from decision_ai import InputData, OptModel, Variables

class Part(InputData):
    name: str
    tags: list[str] = []

class Main(InputData):
    parts: list[Part]
    by_day: dict[str, dict[str, float]] = {}
    note: str | None = None

class V(Variables):
    pass

class M(OptModel[Main, V]):
    def solution_to_str(self, data, v):
        return ""
"""


def test_places_carry_patterns_of_paths() -> None:
    data = {"parts": [{"name": "n", "tags": ["t"]}], "by_day": {"Mon": {"a": 1.5}}, "note": None}
    found = {place.path: place.value for place in DataWalk(NESTED).places(data)}

    assert found["parts.*.name"] == "n"
    assert found["parts.*.tags.*"] == "t"
    assert found["by_day.*.*"] == 1.5
    assert found["note"] is None


def test_labels_are_keys_of_maps_and_texts() -> None:
    data = {"parts": [{"name": "n", "tags": ["t"]}], "by_day": {"Mon": {"a": 1.5}}, "note": "free text"}
    assert list(DataWalk(NESTED).labels(data)) == ["n", "t", "Mon", "a", "free text"]


def test_a_key_that_no_class_knows_is_a_label() -> None:
    assert list(DataWalk(NESTED).labels({"parts": [], "secret": {"name": "n"}})) == ["secret", "name", "n"]


def test_an_example_gives_its_items_and_categories() -> None:
    source, text = example("knapsack")
    labels = set(DataWalk(source).labels(json.loads(text)))

    assert {"Tent", "outdoor"} <= labels
    assert not {"items", "weight", "capacity"} & labels
