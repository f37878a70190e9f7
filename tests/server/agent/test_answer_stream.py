"""What is told while an answer is written has no figure that was not checked."""
# Characters that look alike are what is tested.
# ruff: noqa: RUF001

import pytest
from hypothesis import given, strategies as st

from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta, ReasoningDelta
from decision_ai_server.agent.answer_stream import AnswerStream
from decision_ai_server.agent.figures import Allowed, numbers_of, unsupported
from decision_ai_server.agent.known_names import names_of

FIGURES = {"solve.objective": 104.0, "show_data.Big tent.weight": 7.5}
ALLOWED = Allowed(numbers_of({**FIGURES, "gap": 0.25}), names_of(["Tour 3"]))


class Screen:
    """What a person sees of the deltas; with every state it had."""

    def __init__(self):
        self.text, self.reasoning, self.states = "", "", []

    def tell(self, delta):
        if isinstance(delta, ReasoningDelta):
            self.reasoning += delta.delta
            return
        self.text = delta.delta if delta.restart else self.text + delta.delta
        self.states.append(self.text)


def told(pieces):
    screen = Screen()
    stream = AnswerStream(FIGURES, ALLOWED, screen.tell)
    for piece in pieces:
        stream.tell(ChatResponseDelta(delta=piece))
    return screen


def test_words_come_as_they_are_written():
    screen = told(["The pl", "an is ", "proven to be", " best, and", " that"])

    assert screen.states == [
        "The",
        "The plan is",
        "The plan is proven to",
        f"{screen.text[:-4]}",
        screen.text,
    ]
    assert screen.text == "The plan is proven to be best, and"


def test_a_figure_waits_for_the_words_behind_it():
    pieces = ["The value is ", "104 ", "euros for ", "all of ", "the items ", "on board."]
    screen = told(pieces)

    assert "The value is" in screen.states
    assert not any(state.endswith("104") for state in screen.states)
    assert screen.text == "The value is 104 euros for all of the items on"


def test_placeholders_are_filled_before_they_are_told():
    screen = told(
        ["It is {solve.objec", "tive:1} EUR, a tent {show_data.Big ", "tent.weight} kg as it is now, "]
    )

    assert screen.text.startswith("It is 104.0 EUR, a tent")
    assert not any("{" in state or "objec" in state for state in screen.states)


@pytest.mark.parametrize(
    "text",
    [
        "The value is 105 euros for all of the items on board",
        "The value is 10|5 euros for all of the items on board",
        "The value is 104| million euros for all of the items on board",
        "The value is 104| 000 euros for all of the items on board",
        "The value is 104|% of what it was before and no more",
        "A share of 104 per| cent is what it was before and no more",
        "The value is one hundred| and five euros for all of it and more",
        "The value is &#49;&|#48;5 euros for all of the items on board",
        "The value is 1|\u200b05 euros for all of the items on board",
        "The value is {solve.bound} euros for all of the items on board",
        "This is Tour 3|0 and it is the best of them all",
        "This is Tour 3|.5 and it is the best of them all",
        "A share of \\frac{2}|{3} is what we get for all of it",
    ],
)
def test_nothing_is_told_from_the_first_wrong_figure_on(text):
    screen = told(text.split("|"))
    one_by_one = told(text.replace("|", ""))

    for seen in (screen, one_by_one):
        assert not any(character.isdigit() for character in seen.text)
        assert "board" not in seen.text
        assert unsupported(seen.text, ALLOWED) == []


def test_a_restart_withdraws_what_was_told_and_speaks_again():
    screen = Screen()
    stream = AnswerStream(FIGURES, ALLOWED, screen.tell)
    stream.tell(ChatResponseDelta(delta="The value is 105 for all of the items here "))
    stream.tell(ChatResponseDelta(delta="", restart=True))

    assert screen.text == ""
    stream.tell(ChatResponseDelta(delta="It is 104 for all of the items here "))
    assert screen.text == "It is 104 for all of the items here"


def test_nothing_is_withdrawn_where_nothing_was_told():
    screen = Screen()
    stream = AnswerStream(FIGURES, ALLOWED, screen.tell)
    stream.tell(ChatResponseDelta(delta="10"))
    stream.withdraw()

    assert screen.states == []


def test_reasoning_passes():
    screen = Screen()
    AnswerStream(FIGURES, ALLOWED, screen.tell).tell(ReasoningDelta(delta="maybe 105"))

    assert screen.reasoning == "maybe 105"


def test_the_cells_of_a_table_are_told_one_by_one():
    row = "| a | 104 | 25% |\n"
    screen = told(row * 100)

    assert screen.text.count(row) > 90
    assert len(screen.states) > 50
    wrong = told(f"{row * 3}| b | 105 | 25% |\n{row}").text
    assert wrong.startswith(row * 3)
    assert "105" not in wrong


PARTS = """
104 105 7.5 25% 25 per cent two half a million and one hundred Tour 3 30 plan of the is
{solve.objective} {solve.bound} - − &#49; \\frac{1}{4} | 1.
"""
words = st.sampled_from([*PARTS.split(), "\n"])


@given(st.lists(words, max_size=25), st.lists(st.integers(1, 7)))
def test_whatever_is_told_is_supported_and_a_beginning_of_the_answer(parts, sizes):
    text, pieces, start = " ".join(parts), [], 0
    for size in sizes:
        pieces.append(text[start : start + size])
        start += size
    screen = told([*pieces, text[start:]])

    for state in screen.states:
        assert unsupported(state, ALLOWED) == []
        assert "{solve" not in state
