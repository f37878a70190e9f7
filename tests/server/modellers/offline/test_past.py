from decision_ai_server.modellers.offline.past import Past, fields_of, parts_of, read_past
from decision_ai_server.modellers.offline.understanding import Subject


def past_of(subject: Subject) -> Past:
    assert subject.tree is not None
    return read_past(subject.tree, subject.checks)


def test_every_part_of_every_version(subjects: dict[str, Subject]) -> None:
    past = past_of(subjects["undone"])
    parts = {part.id: part for part in past.components}
    assert {"capacity", "force_ladder", "no_camera", "take", "objective"} <= set(parts)
    assert {id for id, part in parts.items() if part.changed} == {
        "force_ladder", "max_weight", "max_items", "no_camera",
    }  # fmt: skip
    assert {id for id, part in parts.items() if part.differs} == {"force_ladder", "max_weight"}
    assert not parts["no_camera"].enabled
    assert parts["max_items"].enabled
    assert past.words >= {"ladder", "camera"}


def test_where_it_stands(subjects: dict[str, Subject]) -> None:
    past = past_of(subjects["undone"])
    assert (past.present, past.tip, past.behind, past.ahead) == (3, 5, 3, 2)
    assert past.parents == (None, 0, 1, 2, 3, 4)
    assert past.data_changed
    assert past.branch("NIGHT SHIFT") == "Night shift"
    assert past.branch("day shift") is None
    assert [check.id for check in past.checks] == ["max_kitchen_items", "no_tent"]


def test_one_version_alone(subjects: dict[str, Subject]) -> None:
    past = parts_of(subjects["knapsack"].program)
    assert [part.id for part in past.components][-2:] == ["take", "objective"]
    assert not any(part.changed or part.differs for part in past.components)
    assert fields_of("v.take[i] + data.capacity") >= {"capacity"}
