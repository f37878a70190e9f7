"""Labels and numbers go, stand-ins come back."""

import ast
import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.modellers.llm.masking import NUMBER, Mask, mapped


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Tent: 3.5 kg", f"⟦label 1⟧: {NUMBER} kg"),
        ("the tent, TENT and take_Tent", "the ⟦label 1⟧, ⟦label 1⟧ and take_⟦label 1⟧"),
        ("Tents and tenth", "Tents and tenth"),
        ("a Tent pole", "a ⟦label 3⟧"),
        (repr("O'Brien"), '"⟦label 2⟧"'),
        ('"O\\\'Brien"', '"⟦label 2⟧"'),
        ("B, not b and not B2", "⟦label 4⟧, not b and not B2"),
        ("at_most_4 is 1,234.5e-7 or -2", f"at_most_4 is {NUMBER} or -{NUMBER}"),
        ("", ""),
    ],
)
def test_what_leaves(mask: Mask, text: str, masked: str) -> None:
    text = text.replace("\\'", "'") if "Brien" in text else text
    assert mask.text(text) == masked


def test_the_numbers_of_the_program_stay(mask: Mask) -> None:
    assert mask.code("v.take['Tent'] <= 7") == "v.take['⟦label 1⟧'] <= 7"


def test_a_number_is_a_label_of_the_program_in_quotes_only() -> None:
    mask = Mask({"7": "⟦label 1⟧"}, numbers=True)
    assert mask.code("v.take['7'] <= 7") == "v.take['⟦label 1⟧'] <= 7"
    assert mask.text("'7' and 7 and 8") == f"'⟦label 1⟧' and ⟦label 1⟧ and {NUMBER}"


def test_a_cut_label_is_known_by_its_beginning() -> None:
    mask = Mask({"x" * 300: "⟦label 1⟧"})
    assert mask.text(f"{'x' * 200}…") == "⟦label 1⟧…"


def test_half_a_label_goes_too(mask: Mask) -> None:
    assert mask.text("Tent, O'Br…") == "⟦label 1⟧, O'…"


def test_scripts_without_spaces_have_no_word_ends() -> None:
    assert Mask({"東京": "⟦label 1⟧"}).text("東京に") == "⟦label 1⟧に"


def test_by_default_nothing_changes() -> None:
    mask, text = Mask(), "Tent 3 ⟦label 1⟧"
    assert (mask.text(text), mask.said(text), mask.put_back({"a": text})) == (text, text, {"a": text})
    assert mask.split("a ⟦lab") == ("a ⟦lab", "")


def test_stand_ins_come_back(mask: Mask) -> None:
    meant = mask.put_back(
        {
            "path": ["items", "⟦label 2⟧", 3],
            "code": "v.take['⟦label 2⟧'] <= 1  # ⟦label 1⟧",
            "sentence": "no ⟦label 2⟧",
            "⟦label 1⟧": None,
        }
    )

    assert meant["path"] == ["items", "O'Brien", 3]
    assert ast.literal_eval(ast.parse(meant["code"]).body[0].value.left.slice) == "O'Brien"  # type: ignore[attr-defined]
    assert meant["sentence"] == 'no "O\'Brien"'
    assert meant["Tent"] is None
    assert mask.said("⟦label 2⟧ and ⟦label 9⟧") == "O'Brien and ⟦label 9⟧"


@pytest.mark.parametrize("quote", ["'", '"', "'''", "f'", "r'"])
@given(label=st.text(min_size=1))
def test_a_label_stays_inside_its_string(quote: str, label: str) -> None:
    mask = Mask({label: "⟦label 1⟧"})
    code = mask.put_back(f"x = {quote}a ⟦label 1⟧{quote.strip('fr')}")

    (node,) = ast.parse(code).body
    assert isinstance(node, ast.Assign)
    assert isinstance(node.value, ast.Constant | ast.JoinedStr)
    if quote[0] not in "fr":
        assert ast.literal_eval(node.value) == f"a {label}"


@given(st.dictionaries(st.text(min_size=4), st.text(), max_size=3))
def test_putting_back_undoes_masking_of_whole_values(data: dict[str, str]) -> None:
    labels = dict.fromkeys(label for pair in data.items() for label in pair if label.strip())
    stand_ins = {label: f"⟦label {n}⟧" for n, label in enumerate(labels)}
    masked = mapped(data, lambda text: stand_ins.get(text, text))
    assert Mask(stand_ins).put_back(masked) == data


@given(st.text(alphabet="ab ⟦label12⟧", max_size=40), st.integers(1, 6))
def test_a_stream_never_shows_half_a_stand_in(text: str, size: int) -> None:
    mask = Mask({"Tent": "⟦label 1⟧"})
    shown, held = "", ""
    for start in range(0, len(text), size):
        whole, held = mask.split(held + text[start : start + size])
        shown += mask.said(whole)
    assert shown + mask.said(held) == mask.said(text)


def test_json_is_masked_with_its_escapes() -> None:
    label = 'tab\t"quoted" \\'
    masked = Mask({label: "⟦label 1⟧"}).text(json.dumps({"a": label}))
    assert masked == '{"a": "⟦label 1⟧"}'


def test_what_is_no_text_stays(mask: Mask) -> None:
    value: Any = {"a": [1, None, True, 2.5]}
    assert mask.given(value) == value
