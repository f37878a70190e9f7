"""Numbers that only mark the parts of a list."""

import pytest

from decision_ai_server.agent.list_marks import list_marks


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("1. Solve\n2. Compare", "12"),
        ("1) a\n   1) b\n   2) c\n2) d", "1122"),
        ("1. a\n3. b", "1"),
        ("option 1 or option 2? I would take option 1.", "121"),
        ("(1) a hard rule, or (2) a preference", "12"),
        ("option 1", ""),
        ("option 2 or option 3", ""),
        ("option 1 or option 3", ""),
        ("option 1 or option 2.5", ""),
        ("Ana (1), Ben (2) and Cem (3)", ""),
        ("it costs 1 or 2", ""),
    ],
)
def test_what_is_a_mark(text, marked):
    assert "".join(text[place] for place in sorted(list_marks(text))) == marked
