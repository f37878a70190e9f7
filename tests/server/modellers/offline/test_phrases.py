import pytest

from decision_ai_server.modellers.offline.phrases import listed
from decision_ai_server.modellers.offline.understanding import Subject, understand


@pytest.mark.parametrize(
    ("model", "text", "reading"),
    [
        ("knapsack", "pick at most 4 items", "At most 4 of 'take' may be chosen."),
        (
            "knapsack",
            "All the outdoor things together must not weigh more than 12 kg",
            "The total weight of 'take' for items where category is outdoor is at most 12.",
        ),
        (
            "harbour",
            "raise all tariffs by 10%",
            "'tariff' of every vessel and every berth is multiplied by 1.1.",
        ),
        ("harbour", "switch off one_berth", "The rule 'one_berth' is switched off."),
        ("harbour", "undo the last two", "Take back the last 2 changes."),
        (
            "staff_scheduling",
            "Cleo must work on Sunday",
            "At least one of 'work' for employee Cleo and shifts where day is Sun has to be chosen.",
        ),
    ],
)
def test_readings(subjects: dict[str, Subject], model: str, text: str, reading: str) -> None:
    assert understand(text, subjects[model]).proposals[0].reading == reading


def test_long_lists_are_cut() -> None:
    assert listed(["a", "b"]) == "a and b"
    assert listed([str(number) for number in range(12)]).endswith("7 and 4 more")
