from decision_ai_server.modellers.offline.lexicon import IMPORTANT, PHRASES, calendar_short, related, unit
from decision_ai_server.modellers.offline.words import stem


def test_every_important_mark_has_phrases() -> None:
    assert set(PHRASES) >= IMPORTANT


def test_units_and_related_words() -> None:
    assert unit("kilogram") == unit("kg")
    assert related(stem("weighs"), stem("weight"))
    assert not related(stem("weight"), stem("value"))


def test_days_and_months_have_three_letters() -> None:
    assert [calendar_short(word) for word in ("saturday", "mondays", "june", "tent")] == [
        "sat",
        "mon",
        "jun",
        "tent",
    ]
