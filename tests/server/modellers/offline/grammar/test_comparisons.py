from collections.abc import Callable
from typing import Any

import pytest

from decision_ai_server.modellers.offline.grammar.comparisons import read_comparisons
from decision_ai_server.modellers.offline.meaning import Compare

Best = Callable[..., Any]


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("compare with main", Compare(a="main")),
        ("compare version 2 and 4", Compare(a="2", b="4")),
        ("compare version two with version four", Compare(a="2", b="4")),
        ("compare main to cheap", Compare(a="main", b="cheap")),
        ("compare this with the original", Compare(a="0")),
        ("compare cheap with this version", Compare(a="cheap")),
        ("what changed since version 1?", Compare(a="1")),
        ("what has changed since the previous version", Compare(a="4")),
        ("What is different between cheap and main?", Compare(a="cheap", b="main")),
        ("how does this differ from main?", Compare(a="main")),
        ("show me the differences between version 1 and version 3", Compare(a="1", b="3")),
        ("what have I changed so far?", Compare(a="0")),
    ],
)
def test_two_versions(best: Best, text: str, meaning: Compare) -> None:
    assert best(read_comparisons, "later", text).meanings == (meaning,)


def test_an_unknown_version_is_asked_for(best: Best) -> None:
    reading = best(read_comparisons, "later", "compare main with foo")
    assert reading.question.startswith("Which version do you mean by 'foo'? There are the versions 0 to 5")


@pytest.mark.parametrize(
    "text", ["compare 25 and 40", "compare the tent with the stove", "compare this with this", "what is new?"]
)
def test_what_compares_no_versions(best: Best, text: str) -> None:
    assert best(read_comparisons, "later", text) is None
