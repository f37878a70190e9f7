import pytest

from decision_ai_server.modellers.offline.linking import link
from decision_ai_server.modellers.offline.understanding import Subject


@pytest.mark.parametrize(
    ("model", "text", "labels"),
    [
        ("staff_scheduling", "Cleo on the Saturday early shift", [("Cleo",), ("Sat-early",)]),
        ("staff_scheduling", "seniors on Sunday", None),
        ("harbour", "the Black Swan and O'Brien at North 2", [("Black Swan",), ("O'Brien",), ("North 2",)]),
        ("harbour", "at most 2 vessels", []),
        ("production_planning", "Cedar may be made in may", [("Cedar",)]),
        ("production_planning", "Cedar in May", [("Cedar",), ("May",)]),
        ("knapsack", "kitchen items", [("Kettle", "Toaster", "Cooler", "Mixer")]),
    ],
)
def test_labels(
    subjects: dict[str, Subject], model: str, text: str, labels: list[tuple[str, ...]] | None
) -> None:
    spans = link(text, subjects[model].vocabulary()).labels
    if labels is None:
        assert [len(span.labels) for span in spans] == [4, 2]
    else:
        assert [span.labels for span in spans] == labels


@pytest.mark.parametrize(
    ("typed", "read"),
    [("categroy", "category"), ("exclud", None), ("last", None), ("laddr", "ladder"), ("tnet", None)],
)
def test_only_clear_slips_are_corrected(subjects: dict[str, Subject], typed: str, read: str | None) -> None:
    corrections = link(f"the {typed} there", subjects["knapsack"].vocabulary()).corrections
    assert dict(corrections).get(typed) == read


def test_longer_marks_swallow_shorter_ones(subjects: dict[str, Subject]) -> None:
    marks = link("no more than two", subjects["knapsack"].vocabulary()).marks
    assert [mark.kind for mark in marks] == ["at_most"]
