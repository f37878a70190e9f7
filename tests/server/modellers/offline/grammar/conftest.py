from collections.abc import Callable

import pytest

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.linking import link
from decision_ai_server.modellers.offline.understanding import Subject


@pytest.fixture(scope="session")
def clause(subjects: dict[str, Subject]) -> Callable[[str, str], Clause]:
    """A whole sentence as one clause."""

    def make(model: str, text: str) -> Clause:
        vocabulary = subjects[model].vocabulary()
        linked = link(text, vocabulary)
        return Clause(linked, vocabulary, 0, len(linked.tokens))

    return make
