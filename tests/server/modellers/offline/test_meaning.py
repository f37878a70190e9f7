import pytest
from pydantic import TypeAdapter, ValidationError

from decision_ai_server.modellers.offline.meaning import Cardinality, Meaning, Selection, Undo

MEANING: TypeAdapter[Meaning] = TypeAdapter(Meaning)


def test_a_meaning_round_trips_by_its_kind() -> None:
    meaning = Cardinality(selection=Selection(family="take"), relation="<=", amount=4)
    assert MEANING.validate_json(meaning.model_dump_json()) == meaning


def test_undo_takes_back_at_least_one() -> None:
    with pytest.raises(ValidationError):
        Undo(steps=0)
