"""The toolbox is what modellers are told about."""

from decision_ai_server.agent.toolbox import standard_toolbox


def test_every_tool_is_known_by_its_own_name_and_says_what_it_takes():
    toolbox = standard_toolbox()

    assert list(toolbox) == [
        "propose_changes",
        "solve",
        "undo",
        "redo",
        "branch",
        "checkout",
        "compare",
        "reset",
        "keep_check",
        "remove_check",
        "show_checks",
        "show_model",
        "show_data",
        "show_solution",
        "show_history",
    ]
    for name, tool in toolbox.items():
        assert tool.spec.name == name
        assert tool.spec.description.endswith(".")
        assert tool.spec.input_schema["type"] == "object"
        assert tool.spec.input_schema["additionalProperties"] is False
