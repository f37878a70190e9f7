from decision_ai_server.modellers.offline.understanding import Subject


def test_families_run_over_the_collections_with_their_labels(subjects: dict[str, Subject]) -> None:
    vocabulary = subjects["harbour"].vocabulary()
    moor = vocabulary.family("moor")
    names = [
        vocabulary.collections[d.collection].path[0] for d in moor.dimensions if d.collection is not None
    ]
    assert names == ["vessels", "berths"]
    assert moor.full
    assert moor.binary


def test_an_index_may_have_labels_that_the_data_do_not(subjects: dict[str, Subject]) -> None:
    vocabulary = subjects["vrp_time_windows"].vocabulary()
    vehicle, start, end = vocabulary.family("drive").dimensions
    assert vehicle.exact
    assert start.collection == end.collection
    assert not start.exact
    assert not vocabulary.family("drive").full


def test_rules_know_their_numbers_and_where_they_came_from(subjects: dict[str, Subject]) -> None:
    rule = subjects["knapsack"].vocabulary().rule("max_items")
    assert rule.numbers == (7.0,)
    assert rule.enabled
    assert not rule.added


def test_without_a_build_there_are_no_families(subjects: dict[str, Subject]) -> None:
    subject = subjects["knapsack"]
    bare = Subject(subject.program, subject.base, subject.json_data, None)
    assert bare.vocabulary().families == ()
    assert bare.vocabulary().attributes
