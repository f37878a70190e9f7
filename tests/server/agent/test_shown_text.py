"""What hides a digit is undone."""
# Characters that look alike are what is tested.
# ruff: noqa: RUF001

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.agent.shown_text import shown


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("&#49;&#x30;4 &amp;#52;", "104 4"),
        ("1\u200b0\u00ad4\u2060", "104"),
        ("１０４ ١٠٤ १०४ 𝟏𝟎𝟒 𝟙𝟘𝟜", "104 104 104 104 104"),
        ("①⓪④ ⑳", "104  20 "),
        ("1️⃣0️⃣4️⃣ 🔟", "104 10"),
        ("Ⅷ 八", " 8   8 "),
        ("½ 2½", " 1/2  2 1/2 "),
        ("10² 10⁻¹² x₁", "10^2 10^-12 x_1"),
        ("3–5 3—5 \u22125", "3-5 3-5 \u22125"),
        ("1\u202f234\u00a0567", "1 234 567"),
        ("١٫٥ ٪", "1.5 %"),
        ("1**0**4 1~~0~~4 1`0`4 1*0*4", "104 104 104 104"),
        ("1<b>0</b>4 1<!-- x -->04 <br/>5", "104 104 \n5"),
        (r"\frac{1}{3} \tfrac12 1{,}234 10\,000 {1}{0}{4}", " 1/3   1/2  1,234 10 000 {104}"),
        ("ｔｗｏ 𝐭𝐰𝐨", "two two"),
        ("a\x00b\tc\u2028d", "ab\tc\nd"),
        ("at_most_4", "at_most_4"),
    ],
)
def test_a_text_in_plain_characters(text, plain):
    assert shown(text) == plain


@given(st.text())
def test_any_text_can_be_shown(text):
    plain = shown(text)

    assert all(character.isascii() or not character.isdecimal() for character in plain)
