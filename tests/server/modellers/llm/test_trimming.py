"""The cut moves in blocks and follows from the history alone."""

from hypothesis import given, strategies as st

from decision_ai.client.schemas.chat_messages.tool import ToolData
from decision_ai_server.agent.ports import CallRecord
from decision_ai_server.modellers.llm.masking import Mask
from decision_ai_server.modellers.llm.trimming import cut, moved, summary
from decision_ai_server.modellers.llm.turns import PastTurn


def turn(sentence: str, state: str = "approved", output: str = "Approved and applied: added x.") -> PastTurn:
    record = CallRecord(call=ToolData(name="propose_changes", args={}), state=state, output=output)  # type: ignore[arg-type]
    return PastTurn((sentence,), (record,), ("Done.",))


def test_nothing_is_cut_within_the_budget() -> None:
    assert cut([10, 10, 10], 30) == 0


def test_over_the_budget_half_of_it_is_freed_at_once() -> None:
    sizes = [10] * 11
    assert cut(sizes[:10], 100) == 0
    assert cut(sizes, 100) == 6
    assert [cut([10] * n, 100) for n in range(11, 18)] == [6, 6, 6, 6, 6, 6, 12]


def test_a_turn_larger_than_the_budget_leaves_whole() -> None:
    assert cut([10, 1000], 100) == 2


@given(st.lists(st.integers(1, 60), max_size=40), st.integers(1, 200))
def test_the_cut_never_moves_back_and_the_rest_fits(sizes: list[int], budget: int) -> None:
    cuts = [cut(sizes[:n], budget) for n in range(len(sizes) + 1)]
    assert cuts == sorted(cuts)
    assert all(sum(sizes[first:n]) <= budget for n, first in enumerate(cuts))


def test_it_moves_once_for_many_turns() -> None:
    turns = [turn(f"sentence {n}") for n in range(40)]
    size = turns[0].size
    moves = [n for n in range(1, 41) if moved(turns[:n], size * 10)]
    assert len(moves) < 8
    assert not moved([], 10)


def test_a_summary_tells_what_came_of_every_turn() -> None:
    text = summary([turn("at most 4"), turn("no", "rejected", "The person rejected this")], Mask(), 10_000)
    first, second = text.splitlines()

    assert first == '- "at most 4" → propose_changes approved: Approved and applied: added x.'
    assert second.startswith('- "no" → propose_changes rejected')


def test_many_turns_are_counted() -> None:
    text = summary([turn(f"sentence {n}") for n in range(100)], Mask(), 2_000)

    assert len(text) < 700
    assert text.splitlines()[0].endswith("approved")
    assert "sentence 99" in text


def test_the_person_is_quoted_and_results_are_masked() -> None:
    mask = Mask({"Tent": "⟦label 1⟧"}, numbers=True)
    text = summary([turn("the Tent", output="Approved and applied: Tent 3.")], mask, 1_000)
    assert '"the Tent"' in text
    assert "applied: ⟦label 1⟧ ⟦number⟧" in text
