import pytest
from hypothesis import given, strategies as st

from decision_ai.wire.floor import Floor

pytestmark = pytest.mark.core


def test_the_first_connection_gets_the_free_floor_and_the_next_one_watches() -> None:
    floor: Floor[str] = Floor()
    floor.join("notebook")
    floor.join("terminal")
    assert floor.may_speak("notebook")
    assert not floor.may_speak("terminal")


def test_a_watcher_never_gets_the_floor_by_itself() -> None:
    floor: Floor[str] = Floor()
    floor.join("wall", watch=True)
    assert floor.holder is None
    floor.join("notebook")
    floor.leave("notebook")
    assert floor.holder is None
    assert floor.connections == ["wall"]


def test_taking_the_floor_displaces_the_holder_who_stays_and_watches() -> None:
    floor: Floor[str] = Floor()
    floor.join("notebook")
    floor.join("terminal", take=True)
    assert floor.may_speak("terminal")
    assert floor.connections == ["notebook", "terminal"]
    floor.leave("terminal")
    assert not floor.may_speak("notebook")


def test_a_watcher_that_leaves_does_not_take_the_floor_along() -> None:
    floor: Floor[str] = Floor()
    floor.join("notebook")
    floor.join("wall", watch=True)
    floor.leave("wall")
    assert floor.may_speak("notebook")


JOIN = st.tuples(st.just("join"), st.booleans(), st.booleans())
LEAVE = st.tuples(st.just("leave"), st.integers(0, 9), st.none())


@given(st.lists(JOIN | LEAVE, max_size=20))
def test_the_holder_is_connected_and_changes_only_by_joining_or_leaving_itself(
    steps: list[tuple[str, int, bool | None]],
) -> None:
    floor: Floor[object] = Floor()
    for step, first, watch in steps:
        before = floor.holder
        if step == "join":
            connection = object()
            floor.join(connection, take=bool(first), watch=bool(watch))
            assert floor.holder in {before, connection}
        elif floor.connections:
            connection = floor.connections[first % len(floor.connections)]
            floor.leave(connection)
            assert floor.holder is (None if before is connection else before)
        assert floor.holder is None or floor.holder in floor.connections
        assert sum(map(floor.may_speak, floor.connections)) == (floor.holder is not None)
