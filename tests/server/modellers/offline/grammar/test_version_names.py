import pytest

from decision_ai_server.modellers.offline.grammar.version_names import (
    HERE,
    version_named,
    versions_there_are,
)
from decision_ai_server.modellers.offline.past import Past

PAST = Past(parents=(None, 0, 1, 1), present=3, tip=3, branches=("main", "Night shift"))


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("version 2", "2"),
        ("the version number 2", "2"),
        ("v2", "2"),
        ("main", "main"),
        ("the branch night shift", "Night shift"),
        ("the night shift branch", "Night shift"),
        ('"night_shift"', "Night shift"),
        ("branch other", "other"),
        ("the other branch", None),
        ("the original", "0"),
        ("the first version", "0"),
        ("how it was at the beginning", "0"),
        ("the previous version", "1"),
        ("the latest version", "3"),
        ("this version", HERE),
        ("2", None),
        ("the tent", None),
    ],
)
def test_names(said: str, version: str | None) -> None:
    assert version_named(said, PAST) == version


def test_a_number_alone_where_versions_are_spoken_of() -> None:
    assert version_named("2", PAST, bare=True) == "2"


def test_what_there_is() -> None:
    assert versions_there_are(PAST) == "the versions 0 to 3 and the branches 'main', 'Night shift'"
    assert versions_there_are(Past()) == "version 0"
