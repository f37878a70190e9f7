import pytest

from decision_ai_server.modellers.offline.answers import abilities, looked_up, not_understood
from decision_ai_server.modellers.offline.linking import link
from decision_ai_server.modellers.offline.meaning import Show
from decision_ai_server.modellers.offline.understanding import Subject, understand


@pytest.mark.parametrize(
    ("model", "question", "answer"),
    [
        ("knapsack", "how much does the cooler weigh?", "items.weight of Cooler is 6.5"),
        ("harbour", "how long is Black Swan?", "vessels.length of Black Swan is 180"),
        (
            "harbour",
            "which vessel has the highest late fee?",
            "The largest vessels.late_fee is 90, of Black Swan",
        ),
        ("harbour", "what is the total cargo of all vessels?", "The vessels.cargo of all 4 add up to 960"),
        ("harbour", "what is the tariff of Petrel at North 1?", "tariff of Petrel, North 1 is 420"),
        ("staff_scheduling", "on how many shifts is Ivo available?", "available of Ivo has 7 entries"),
    ],
)
def test_values_are_looked_up(subjects: dict[str, Subject], model: str, question: str, answer: str) -> None:
    subject = subjects[model]
    (show,) = understand(question, subject).proposals[0].commands
    assert isinstance(show, Show)
    assert (looked_up(show, subject.vocabulary()) or "").startswith(answer)


def test_a_whole_record_is_its_own_answer(subjects: dict[str, Subject]) -> None:
    subject = subjects["vrp_time_windows"]
    (show,) = understand("What time window does Gerda have?", subject).proposals[0].commands
    assert isinstance(show, Show)
    assert show.path == ("customers", "Gerda")
    assert looked_up(show, subject.vocabulary()) is None


def test_the_examples_of_what_can_be_said_are_understood(subjects: dict[str, Subject]) -> None:
    for subject in subjects.values():
        for line in abilities(subject.vocabulary()).splitlines():
            if line.startswith("  "):
                proposals = understand(line.strip(), subject).proposals
                assert proposals, line
                assert proposals[0].question is None, line


def test_what_was_recognised_is_said(subjects: dict[str, Subject]) -> None:
    vocabulary = subjects["harbour"].vocabulary()
    text = not_understood(link("Petrel is 3 times faster", vocabulary), vocabulary, ["3"])
    assert text.startswith("I did not understand")
    assert "Petrel of 'vessels'" in text
    assert "the number 3" in text
