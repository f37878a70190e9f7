import json

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.model_client.partial_text import PartialText

TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]))


def read(text: str, size: int = 1) -> list[str]:
    reader = PartialText(["answer", "question"])
    return [reader.feed(text[start : start + size]) for start in range(0, len(text), size)]


@given(TEXTS, st.booleans(), st.integers(1, 7))
def test_any_text_comes_out_whole_however_it_is_cut(answer: str, ascii_only: bool, size: int) -> None:
    arguments = json.dumps(
        {"note": 'x"}', "answer": answer, "n": [1, {"answer": "no"}]}, ensure_ascii=ascii_only
    )
    decision = json.dumps({"thought_summary": answer, "action": {"type": "final_answer", "answer": answer}})
    assert "".join(read(arguments, size)) == answer
    assert "".join(read(decision, size)) == answer


@given(TEXTS)
def test_no_piece_holds_half_a_character(answer: str) -> None:
    so_far = ""
    for piece in read(json.dumps({"question": answer})):
        piece.encode()
        so_far += piece
        assert answer.startswith(so_far)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r'{"answer": "a\ud83d"}', "a�"),
        (r'{"answer": "\ud83dx"}', "�x"),
        (r'{"answer": "\ude00"}', "�"),
        (r'{"answer": "\ud83d\n"}', "�\n"),
        (r'{"answer": "\uzzzz"}', "�"),
        ('{"answer": "\ud83d"}', "�"),
        (r'{"\u0061nswer": "a"}', "a"),
        ('{"answer": "cut', "cut"),
        ('{"answer": ["a"], "question": {"answer": "b"}}', ""),
        ('{"action": {"type": "tool_call", "input": {"answer": "no"}}}', ""),
        ('{"other": {"answer": "no"}}', ""),
        ('["answer", "no"]', ""),
        ('"answer"', ""),
        ("]}]},:", ""),
        ("plain prose, with {braces}", ""),
    ],
)
def test_odd_json(text: str, expected: str) -> None:
    assert "".join(read(text)) == expected


@given(st.text() | st.text(alphabet='{}[]",:\\u0d8answer'))
def test_nothing_raises(text: str) -> None:
    "".join(read(text)).encode()
