"""From commands to calls of tools, and what is said before them."""

from typing import Any

from decision_ai.solving.findings import PlanCheck
from decision_ai_server.model_client.decisions import ModelDecision, ToolCall
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
from decision_ai_server.modellers.offline.phrases import version_words

Move = Undo | Redo | Branch | Checkout
"""Commands that come before every change of the same sentence: they say which version it changes."""
Command = Move | Compare | Reset | Solve | Show | PlanCheck | RemoveCheck | Help


def called(command: Command) -> ModelDecision:
    """The call that carries a command out; help is no call.

    Raises:
        ValueError: for help.
    """
    match command:
        case Solve(time_limit=limit, relative_gap=gap):
            wanted = {"time_limit": limit, "relative_gap": gap}
            given = {name: value for name, value in wanted.items() if value is not None}
            return _call("solve", given, "I solve the model as it is now.")
        case Show():
            return _shown(command)
        case Reset(id=id):
            return _call("reset", {"id": id}, f"I bring {id} back to what it was at first.")
        case PlanCheck(sentence=sentence):
            return _call("keep_check", command.model_dump(), f"I check every plan for this: {sentence}")
        case RemoveCheck(name=name):
            return _call("remove_check", {"name": name}, f"I stop checking {name}.")
        case Help():
            raise ValueError("help is an answer")
        case _:
            return _about_versions(command)


def _about_versions(command: Move | Compare) -> ModelDecision:
    match command:
        case Undo(steps=steps):
            return _call("undo", {"steps": steps}, f"I take back {_changes(steps)}.")
        case Redo(steps=steps):
            return _call("redo", {"steps": steps}, f"I bring back {_changes(steps)}.")
        case Branch(name=name):
            return _call("branch", {"name": name}, f"I start the branch {name!r}.")
        case Checkout(version=version, before=None):
            return _call("checkout", {"version": version}, f"I go to {version_words(version)}.")
        case Checkout(before=before):
            return _call("checkout", {"before": before}, f"I go back to before {before} was changed.")
        case Compare(a=a, b=b):
            given = {"a": a} if b is None else {"a": a, "b": b}
            return _call("compare", given, f"I compare {version_words(a)} with {version_words(b)}.")


def _shown(show: Show) -> ModelDecision:
    match show.what:
        case "data":
            return _call("show_data", {"path": list(show.path)}, "I look it up in the data.")
        case "solution":
            return _call("show_solution", {}, "I look at the last plan.")
        case "history":
            return _call("show_history", {}, "I look at the history.")
        case "checks":
            return _call("show_checks", {}, "I look at the checks.")
        case _:
            part = "all" if show.what == "model" else show.what
            given = {"part": part} if show.rule is None else {"part": part, "id": show.rule}
            return _call("show_model", given, "I look at the model.")


def _changes(steps: int) -> str:
    return f"{steps} change{'s' if steps > 1 else ''}"


def _call(name: str, given: dict[str, Any], summary: str) -> ModelDecision:
    return ModelDecision(thought_summary=summary, action=ToolCall(name=name, input=given))
