from collections.abc import Callable, Iterable

import pytest

from decision_ai_server.modellers.offline.grammar.clause import Clause
from decision_ai_server.modellers.offline.linking import link
from decision_ai_server.modellers.offline.meaning import Reading
from decision_ai_server.modellers.offline.understanding import Subject

Read = Callable[[Clause], Iterable[Reading]]


@pytest.fixture(scope="session")
def clause(subjects: dict[str, Subject]) -> Callable[[str, str], Clause]:
    """A whole sentence as one clause."""

    def make(model: str, text: str) -> Clause:
        vocabulary = subjects[model].vocabulary()
        linked = link(text, vocabulary)
        return Clause(linked, vocabulary, 0, len(linked.tokens))

    return make


@pytest.fixture(scope="session")
def best(clause: Callable[[str, str], Clause]) -> Callable[[Read, str, str], Reading | None]:
    """The first reading of a whole sentence that leaves nothing important unused."""

    def read(reader: Read, model: str, text: str) -> Reading | None:
        whole = clause(model, text)
        return next((found for found in reader(whole) if not whole.important - found.used), None)

    return read
