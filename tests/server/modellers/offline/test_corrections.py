import pytest

from decision_ai_server.modellers.offline.corrections import belongs, corrected, folded, joined
from decision_ai_server.modellers.offline.understanding import Subject

LIMIT = "pick at most 4 items"


@pytest.mark.parametrize(
    ("model", "sentence", "words", "expected"),
    [
        ("knapsack", LIMIT, "no, five", "pick at most five items"),
        ("knapsack", LIMIT, "make it 6 please", "pick at most 6 items"),
        ("knapsack", LIMIT, "Not 4, I meant 3.", "pick at most 3 items"),
        ("knapsack", "the ladder must come along", "not the ladder, the drill", "the drill must come along"),
        ("knapsack", "set the weight of the tent to 3", "the stove", "set the weight of the stove to 3"),
        ("harbour", "Petrel must lie at Oil Pier", "sorry, North 1", "Petrel must lie at North 1"),
        ("knapsack", LIMIT, "yes, with 4 please", LIMIT),
    ],
)
def test_a_value_takes_the_place_of_the_one_before(
    subjects: dict[str, Subject], model: str, sentence: str, words: str, expected: str
) -> None:
    assert corrected(sentence, words, subjects[model].vocabulary()) == expected


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        (LIMIT, "we tried that last year"),
        (LIMIT, "at least 5"),  # another comparison is another rule
        (LIMIT, "and 2 outdoor ones"),
        (LIMIT, "no"),
        ("the ladder must come along", "not the drill"),
        ("at most 4 items and at most 2 outdoor items", "no, five"),  # which of the two?
    ],
)
def test_other_words_correct_nothing(subjects: dict[str, Subject], sentence: str, words: str) -> None:
    assert corrected(sentence, words, subjects["knapsack"].vocabulary()) is None


def test_corrections_are_kept_with_the_sentence(subjects: dict[str, Subject]) -> None:
    vocabulary = subjects["knapsack"].vocabulary()
    said = joined(joined(LIMIT, "no, five"), "six")
    assert folded(said, vocabulary) == "pick at most six items"
    assert folded(joined(LIMIT, "leave the tent at home"), vocabulary) == "leave the tent at home"
    assert belongs(said, LIMIT)
    assert belongs(said, "six")
    assert not belongs(said, "at most 5 items")
