from collections.abc import Callable

import pytest

from decision_ai.client.approval import Proposal
from decision_ai.notebook.show import show


async def test_a_proposal_is_shown_as_text_and_as_escaped_html(
    make_proposal: Callable[..., Proposal],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown: list[dict[str, str]] = []
    monkeypatch.setattr("IPython.display.display", lambda forms, raw: shown.append(forms))
    await show(make_proposal())
    (forms,) = shown
    assert "objective 149 → 104" in forms["text/html"]
    assert "<script" not in forms["text/html"]
    assert "New constraint limit" in forms["text/plain"]
