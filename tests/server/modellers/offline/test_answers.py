import pytest

from decision_ai_server.modellers.offline.answers import abilities, looked_up, not_understood
from decision_ai_server.modellers.offline.linking import link
from decision_ai_server.modellers.offline.meaning import Show
from decision_ai_server.modellers.offline.understanding import Subject, understand


@pytest.mark.parametrize(
    ("model", "question", "answer"),
    [
        ("knapsack", "how much does the cooler weigh?", "The weight of Cooler is 6.5 kilograms"),
        ("knapsack", "list the outdoor items", "3 items with category outdoor: Tent, Stove and Hammock"),
        ("knapsack", "how many kitchen items are there?", "There are 4 items with category kitchen"),
        ("knapsack", "is the tent an outdoor item?", "The category of Tent is outdoor"),
        ("staff_scheduling", "is Ada senior?", "The senior of Ada is yes"),
        ("harbour", "how many berths are there", "There are 3 berths"),
        ("harbour", "how long is Black Swan?", "The length of Black Swan is 180 (Metres"),
        (
            "harbour",
            "which vessel has the highest late fee?",
            "The largest late fee is 90 (Euros for each hour of delay), of Black Swan",
        ),
        ("harbour", "what is the total cargo of all vessels?", "The cargo of all 4 adds up to 960"),
        ("harbour", "what is the tariff of Petrel at North 1?", "The tariff of Petrel, North 1 is 420"),
        ("staff_scheduling", "on how many shifts is Ivo available?", "The available of Ivo has 7 entries"),
    ],
)
def test_values_are_looked_up(subjects: dict[str, Subject], model: str, question: str, answer: str) -> None:
    subject = subjects[model]
    (show,) = understand(question, subject).proposals[0].commands
    assert isinstance(show, Show)
    assert (looked_up(show, subject.vocabulary()) or "").startswith(answer)


def test_what_is_not_understood_is_said_in_one_line(subjects: dict[str, Subject]) -> None:
    vocabulary = subjects["knapsack"].vocabulary()
    text = not_understood(link("sing a song", vocabulary), vocabulary)
    assert "\n" not in text
    assert len(text) < 250
    assert "'at most 3 items'" in text


def test_a_whole_record_is_its_own_answer(subjects: dict[str, Subject]) -> None:
    subject = subjects["vrp_time_windows"]
    (show,) = understand("What time window does Gerda have?", subject).proposals[0].commands
    assert isinstance(show, Show)
    assert show.path == ("customers", "Gerda")
    assert looked_up(show, subject.vocabulary()) is None


def test_a_question_that_only_a_solve_can_answer_is_not_looked_up(subjects: dict[str, Subject]) -> None:
    for text in ("Which item is using up the capacity completely?", "which limits are tight in the plan?"):
        commands = [c for p in understand(text, subjects["knapsack"]).proposals for c in p.commands]
        assert not any(isinstance(c, Show) and c.what == "data" for c in commands), text


def test_the_examples_of_what_can_be_said_are_understood(subjects: dict[str, Subject]) -> None:
    for subject in subjects.values():
        for line in abilities(subject.vocabulary()).splitlines():
            if line.startswith("  "):
                proposals = understand(line.strip(), subject).proposals
                assert proposals, line
                assert proposals[0].question is None, line


def test_what_was_recognised_is_said(subjects: dict[str, Subject]) -> None:
    vocabulary = subjects["harbour"].vocabulary()
    text = not_understood(link("Petrel is 3 times faster", vocabulary), vocabulary)
    assert text.startswith("I did not understand")
    assert "Petrel (vessel)" in text
    assert "the number 3" in text
