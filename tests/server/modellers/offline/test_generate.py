import json
from collections.abc import Callable

import pytest

from decision_ai_server.agent.edits import ChangeData, to_changes
from decision_ai_server.modellers.offline.generate import Generator, data_path
from decision_ai_server.modellers.offline.meaning import (
    Cardinality,
    DataScale,
    DataSet,
    Filter,
    Forbid,
    Selection,
    Solve,
    Subset,
)
from decision_ai_server.modellers.offline.selecting_code import NotExpressible
from decision_ai_server.modellers.offline.understanding import Subject

Rebuild = Callable[[str, str], Subject]


def test_scaling_keeps_whole_numbers_whole(subjects: dict[str, Subject]) -> None:
    subject = subjects["harbour"]
    scale = DataScale(attribute=("vessels", 1, "cargo"), factor=1.1)
    (edit,) = Generator(subject.program, subject.data(), subject.vocabulary(), subject.vocabulary()).edits(
        [scale]
    )
    assert isinstance(edit, ChangeData)
    assert [(type(c.value), c.value) for c in edit.changes][:2] == [(int, 341), (int, 462)]


def test_a_value_that_is_not_there_is_refused(subjects: dict[str, Subject]) -> None:
    subject = subjects["harbour"]
    meaning = DataSet(attribute=("vessels", 1, "cargo"), filters={1: Filter(labels=("Kraken",))}, value=1)
    with pytest.raises(NotExpressible, match=r"vessels\.cargo"):
        Generator(subject.program, subject.data(), subject.vocabulary(), subject.vocabulary()).edits(
            [meaning]
        )


def test_commands_make_no_edits(subjects: dict[str, Subject]) -> None:
    subject = subjects["harbour"]
    assert (
        Generator(subject.program, subject.data(), subject.vocabulary(), subject.vocabulary()).edits(
            [Solve()]
        )
        == []
    )


def test_paths_use_positions_in_lists_of_records(subjects: dict[str, Subject]) -> None:
    vocabulary = subjects["harbour"].vocabulary()
    assert data_path(("berths", 0, "depth"), ("North 2",), vocabulary) == ["berths", 1, "depth"]
    assert data_path(("tariff", 1, 0), ("Petrel", "North 2"), vocabulary) == ["tariff", "Petrel", "North 2"]


def test_filters_restrict_each_other(subjects: dict[str, Subject]) -> None:
    vocabulary = subjects["harbour"].vocabulary()
    panama = Subset(attribute=("vessels", 1, "flag"), values=("Panama",))
    tankers = Subset(attribute=("vessels", 1, "tanker"), values=(True,))
    assert vocabulary.resolved(Filter(subsets=(panama, tankers)), 1) == ("Black Swan",)


HOSTILE = [
    'a"]; import os #',
    "b\n    raise SystemExit",
    '"""c',
    "{d}",
    "e\\",
    "f'g",
    "__import__('os')",
    "\u2028h",
    "$x_1^2%",
]


@pytest.mark.parametrize("label", HOSTILE)
def test_labels_cannot_break_out_of_the_code(
    subjects: dict[str, Subject], rebuilt: Rebuild, label: str
) -> None:
    knapsack = subjects["knapsack"]
    data = json.loads(knapsack.json_data)
    data["items"] = {label: {"weight": 1, "value": 2, "category": label}, "Other": data["items"]["Tent"]}
    subject = rebuilt(knapsack.program.composed(), json.dumps(data))
    vocabulary = subject.vocabulary()
    number = next(n for n, c in enumerate(vocabulary.collections) if label in c.labels)
    subset = Subset(attribute=("items", number, "category"), values=(label,))
    for found in (Filter(labels=(label,)), Filter(labels=(label, "Other")), Filter(subsets=(subset,))):
        selection = Selection(family="take", filters={0: found})
        meanings = (
            Cardinality(selection=selection, relation="<=", amount=1),
            Forbid(selections=(selection,)),
        )
        edits = Generator(subject.program, subject.data(), vocabulary, vocabulary).edits(meanings)
        program = subject.program
        for change in to_changes(edits, program, subject.json_data):
            program = program.apply(change)
        assert len(program.constraints) == len(subject.program.constraints) + 2
        assert rebuilt(program.composed(), subject.json_data).description is not None
