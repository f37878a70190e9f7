import pytest

from decision_ai.solving.findings import PlanCheck
from decision_ai_server.model_client.decisions import ToolCall
from decision_ai_server.modellers.offline.calls import Command, called
from decision_ai_server.modellers.offline.meaning import (
    Branch,
    Checkout,
    Compare,
    Help,
    Redo,
    RemoveCheck,
    Reset,
    Show,
    Solve,
    Undo,
)

CHECK = PlanCheck(name="light", sentence="It is light.", code="def light(self, data, v):\n    return True\n")


@pytest.mark.parametrize(
    ("command", "name", "given", "summary"),
    [
        (Solve(time_limit=3), "solve", {"time_limit": 3.0}, "I solve the model as it is now."),
        (Undo(steps=2), "undo", {"steps": 2}, "I take back 2 changes."),
        (Redo(), "redo", {"steps": 1}, "I bring back 1 change."),
        (Branch(name="cheap"), "branch", {"name": "cheap"}, "I start the branch 'cheap'."),
        (Checkout(version="3"), "checkout", {"version": "3"}, "I go to version 3."),
        (Checkout(before="x"), "checkout", {"before": "x"}, "I go back to before x was changed."),
        (
            Compare(a="0", b="cheap"),
            "compare",
            {"a": "0", "b": "cheap"},
            "I compare the model as it was opened with the branch 'cheap'.",
        ),
        (Compare(a="1"), "compare", {"a": "1"}, "I compare version 1 with the present version."),
        (Reset(id="x"), "reset", {"id": "x"}, "I bring x back to what it was at first."),
        (CHECK, "keep_check", CHECK.model_dump(), "I check every plan for this: It is light."),
        (RemoveCheck(name="light"), "remove_check", {"name": "light"}, "I stop checking light."),
        (Show(what="history"), "show_history", {}, "I look at the history."),
        (Show(what="checks"), "show_checks", {}, "I look at the checks."),
        (Show(what="variables"), "show_model", {"part": "variables"}, "I look at the model."),
    ],
)
def test_calls(command: Command, name: str, given: dict[str, object], summary: str) -> None:
    decision = called(command)
    assert decision.action == ToolCall(name=name, input=given)
    assert decision.thought_summary == summary


def test_help_is_no_call() -> None:
    with pytest.raises(ValueError, match="help is an answer"):
        called(Help())
