"""The tools of the assistant."""

from decision_ai_server.agent.ports import Tool
from decision_ai_server.agent.tools.calculate import Calculate
from decision_ai_server.agent.tools.checks import KeepCheck, RemoveCheck, ShowChecks
from decision_ai_server.agent.tools.edit_tools import EDIT_TOOLS
from decision_ai_server.agent.tools.explaining import EXPLAINING_TOOLS
from decision_ai_server.agent.tools.propose import ProposeChanges
from decision_ai_server.agent.tools.show import ShowData, ShowHistory, ShowModel, ShowSolution
from decision_ai_server.agent.tools.solving import Solve
from decision_ai_server.agent.tools.versions import Branch, Checkout, Compare, Redo, Reset, Undo

FULL_TOOLS = (
    *("propose_changes", "solve", "undo", "redo", "branch", "checkout", "compare", "reset"),
    *(
        "keep_check",
        "remove_check",
        "show_checks",
        "show_model",
        "show_data",
        "show_solution",
        "show_history",
    ),
    *("what_if", "why_not", "explain_infeasibility", "sensitivity", "calculate"),
)
"""What a language model that follows a long list of tools well is offered."""

SMALL_TOOLS = (
    *("add_constraint", "remove_constraint", "switch_component", "set_priority", "extend_objective"),
    *("change_data", "show_data", "solve", "undo"),
)
"""What a small one is offered: one kind of edit a tool, and few of them; it reads 20 tokens a second."""


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
        Calculate(),
        *EXPLAINING_TOOLS,
        *EDIT_TOOLS,
    ]
    return {tool.spec.name: tool for tool in tools}
