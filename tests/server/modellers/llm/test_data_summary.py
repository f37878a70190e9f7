"""The data in brief: nothing but sizes, ranges and a few labels."""

import json

import pytest

from decision_ai.examples import EXAMPLES, example
from decision_ai_server.modellers.llm.data_summary import data_summary


def test_the_knapsack_in_five_lines() -> None:
    source, text = example("knapsack")
    lines = data_summary(source, json.loads(text)).splitlines()

    assert lines[0] == "capacity: 30.0"
    assert lines[1].startswith("items: map over 12 keys: 'Kettle', 'Toaster'")
    assert lines[2] == "items.*.weight: 12 numbers, min 1.5, median 4.6, max 9.0"
    assert lines[4] == "items.*.category: 4 texts: 'kitchen', 'outdoor', 'tools', 'media'"


def test_numbers_can_be_left_out() -> None:
    source, text = example("knapsack")
    lines = data_summary(source, json.loads(text), ranges=False).splitlines()
    assert [line.partition(":")[0] for line in lines] == ["items", "items.*.category"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_has_a_short_summary(name: str) -> None:
    source, text = example(name)
    summary = data_summary(source, json.loads(text))
    assert 0 < len(summary) < 1_600
    assert all(": " in line for line in summary.splitlines())


def test_large_sets_show_their_first_labels() -> None:
    source, _ = example("knapsack")
    items = {f"thing {n}": {"weight": n, "value": 1, "category": "x" * 100} for n in range(1000)}
    summary = data_summary(source, {"capacity": 3, "items": items})

    assert "1000 keys: 'thing 0', 'thing 1', 'thing 2', 'thing 3', 'thing 4', …" in summary
    assert f"'{'x' * 60}…'" in summary
    assert len(summary) < 500


def test_lists_flags_and_gaps() -> None:
    source, _ = example("staff_scheduling")
    data = {
        "gap_weight": None,
        "employees": {"A": {"senior": True}, "B": {"senior": False}},
        "available": {"A": ["m"], "B": ["m", "n"]},
    }
    summary = data_summary(source, data)

    assert "gap_weight: 1 without a value" in summary
    assert "employees.*.senior: 1 of 2 true" in summary
    assert "available.*: 2 lists of 1 to 2" in summary
