"""The toolbox is what modellers are told about."""

from decision_ai_server.agent.toolbox import FULL_TOOLS, SMALL_TOOLS, standard_toolbox
from decision_ai_server.agent.tools.edit_tools import EDIT_TOOLS


def test_every_tool_is_known_by_its_own_name_and_says_what_it_takes():
    toolbox = standard_toolbox()

    for name, tool in toolbox.items():
        assert tool.spec.name == name
        assert tool.spec.description.endswith(".")
        assert tool.spec.input_schema["type"] == "object"
        assert tool.spec.input_schema["additionalProperties"] is False


def test_what_language_models_are_offered_exists_and_together_is_everything():
    toolbox = standard_toolbox()

    for offered in (FULL_TOOLS, SMALL_TOOLS):
        assert len(set(offered)) == len(offered)
        assert set(offered) <= set(toolbox)
    assert "propose_changes" in FULL_TOOLS
    assert "propose_changes" not in SMALL_TOOLS
    assert set(toolbox) - set(FULL_TOOLS) == {tool.name for tool in EDIT_TOOLS}
