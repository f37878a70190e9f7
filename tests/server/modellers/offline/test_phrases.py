import pytest

from decision_ai_server.modellers.offline.understanding import Subject, understand


@pytest.mark.parametrize(
    ("model", "text", "reading"),
    [
        ("knapsack", "pick at most 4 items", "At most 4 items are chosen."),
        (
            "knapsack",
            "All the outdoor things together must not weigh more than 12 kg",
            "The total weight of the chosen items with category outdoor is at most 12 kilograms.",
        ),
        (
            "harbour",
            "raise all tariffs by 10%",
            "The tariff of every vessel for every berth is multiplied by 1.1.",
        ),
        ("harbour", "switch off one_berth", "The rule one_berth is switched off."),
        ("knapsack", "the tent and the stove not together", "Tent and Stove are not both chosen."),
        ("knapsack", "exactly one media item", "Exactly 1 item with category media is chosen."),
        (
            "knapsack",
            "set the weight of the tent to 3",
            "The weight of Tent becomes 3 (was 7.5), in kilograms.",
        ),
        (
            "production_planning",
            "the demand for dogwood in june is 260",
            "The demand of Dogwood for Jun becomes 260 (was 200), in units.",
        ),
        (
            "production_planning",
            "limit the stock of Alder to 100 in each month",
            "The stock of Alder is at most 100, for each month.",
        ),
        ("harbour", "undo the last two", "Take back the last 2 changes."),
        (
            "staff_scheduling",
            "Cleo must work on Sunday",
            "At least one shift with day Sun has to be chosen for Cleo (work).",
        ),
    ],
)
def test_readings(subjects: dict[str, Subject], model: str, text: str, reading: str) -> None:
    assert understand(text, subjects[model]).proposals[0].reading == reading
