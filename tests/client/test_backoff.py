from hypothesis import given, strategies as st

from decision_ai.client.backoff import Backoff


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_waits_double_up_to_the_longest() -> None:
    waits = Backoff(first=1, longest=5, patience=1000, clock=Clock(), chance=lambda: 1.0).waits()
    assert [next(waits) for _ in range(5)] == [1, 2, 4, 5, 5]


@given(chance=st.floats(0, 1), patience=st.floats(0.1, 100))
def test_the_waits_add_up_to_the_patience_and_end(chance: float, patience: float) -> None:
    clock = Clock()
    backoff = Backoff(patience=patience, clock=clock, chance=lambda: chance)
    for wait in backoff.waits():
        assert 0 < wait <= backoff.longest
        clock.now += wait
    assert abs(clock.now - patience) < 1e-6


def test_jitter_takes_away_up_to_half() -> None:
    waits = [next(Backoff(first=1, clock=Clock(), chance=lambda c=c: c).waits()) for c in (0.0, 1.0)]
    assert waits == [0.5, 1.0]
