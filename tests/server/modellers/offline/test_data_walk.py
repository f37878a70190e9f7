from decision_ai_server.modellers.offline.data_walk import DataWalk
from decision_ai_server.modellers.offline.understanding import Subject


def walked(subject: Subject) -> DataWalk:
    walk = DataWalk(subject.program)
    walk.run(subject.data())
    return walk


def test_dictionaries_lists_and_tables_share_collections(subjects: dict[str, Subject]) -> None:
    walk = walked(subjects["harbour"])
    assert [(c.path, c.shape, len(c.labels)) for c in walk.collections] == [
        (("berths",), "records", 3),
        (("vessels",), "dict", 4),
    ]
    tariff = next(a for a in walk.attributes if a.path[0] == "tariff")
    assert tariff.path == ("tariff", 1, 0)
    assert tariff.values["Petrel", "Oil Pier"] == 600


def test_fields_over_two_collections(subjects: dict[str, Subject]) -> None:
    walk = walked(subjects["production_planning"])
    demand = next(a for a in walk.attributes if a.name == "products.demand")
    assert demand.values["Dogwood", "Jun"] == 200
    assert demand.kind == "number"


def test_lists_of_labels_belong_to_their_owner(subjects: dict[str, Subject]) -> None:
    available = next(a for a in walked(subjects["staff_scheduling"]).attributes if a.path[0] == "available")
    assert available.kind == "labels"
    assert len(available.values["Ivo",]) == 7


def test_data_of_another_shape_are_passed_over(subjects: dict[str, Subject]) -> None:
    walk = DataWalk(subjects["harbour"].program)
    walk.run({"vessels": 3, "berths": [1, {}], "tariff": {"A": None}})
    assert all(a.kind != "text" for a in walk.attributes)
