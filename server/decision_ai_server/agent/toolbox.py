"""The tools of the assistant."""

from decision_ai_server.agent.ports import Tool
from decision_ai_server.agent.tools.checks import KeepCheck, RemoveCheck, ShowChecks
from decision_ai_server.agent.tools.propose import ProposeChanges
from decision_ai_server.agent.tools.show import ShowData, ShowHistory, ShowModel, ShowSolution
from decision_ai_server.agent.tools.solving import Solve
from decision_ai_server.agent.tools.versions import Branch, Checkout, Compare, Redo, Reset, Undo


def standard_toolbox() -> dict[str, Tool]:
    """Every tool by name."""
    tools: list[Tool] = [
        ProposeChanges(),
        Solve(),
        Undo(),
        Redo(),
        Branch(),
        Checkout(),
        Compare(),
        Reset(),
        KeepCheck(),
        RemoveCheck(),
        ShowChecks(),
        ShowModel(),
        ShowData(),
        ShowSolution(),
        ShowHistory(),
    ]
    return {tool.spec.name: tool for tool in tools}
