import json
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given, strategies as st

from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.model_client.errors import DecisionParseError
from decision_ai_server.model_client.parsing import find_decision, parse_decision

NAMES = ("solve", "add_constraint")
CALL = {"name": "add_constraint", "arguments": {"left": "a", "data": {"b": {"c": 1}}}}
WRITTEN = json.dumps(CALL)
EDIT = ToolCall(name="add_constraint", input={"left": "a", "data": {"b": {"c": 1}}})


def decision(**action: Any) -> dict[str, Any]:
    return {"thought_summary": "so", "action": action}


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (
            {"type": "tool_call", "name": "solve", "input": {"limit": 3}},
            ToolCall(name="solve", input={"limit": 3}),
        ),
        ({"type": "tool_call", "name": "solve"}, ToolCall(name="solve")),
        ({"type": "final_answer", "answer": "104"}, FinalAnswer(answer="104")),
        ({"type": "ask_user", "question": "which?"}, AskUser(question="which?")),
    ],
)
def test_each_action_is_read(action: dict[str, Any], expected: object) -> None:
    assert parse_decision(json.dumps(decision(**action))) == ModelDecision(
        thought_summary="so", action=expected
    )


def test_what_belongs_to_the_harness_is_wiped_unread() -> None:
    said = {
        "retry_trace": [{"error": "x"}],
        "transport_trace": "nonsense",
        "streaming_fallback": 3,
        "usage": {"prompt_tokens": "many"},
        "transport": "native",
    }
    read = parse_decision(json.dumps(decision(type="final_answer", answer="a") | said))
    assert read == ModelDecision(thought_summary="so", action=FinalAnswer(answer="a"))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("hello", "not valid JSON: Expecting value"),
        ("[]", "invalid decision: the reply is a list; one JSON object with `thought_summary` and `action`"),
        ("null", "invalid decision: the reply is null"),
        ("{}", "invalid decision: action: Field required"),
        (
            '{"action": {"name": "solve"}}',
            "invalid decision: action: Unable to extract tag using discriminator 'type'",
        ),
        ('{"action": {"type": "solve"}}', "'tool_call', 'final_answer', 'ask_user'"),
        ('{"action": {"type": "final_answer"}}', "invalid decision: action.answer: Field required"),
        (
            '{"action": {"type": "tool_call", "name": "s", "input": []}}',
            "action.input: Input should be a valid dict",
        ),
        (
            '{"action": {"type": "ask_user", "question": 3}}',
            "action.question: Input should be a valid string",
        ),
    ],
)
def test_what_is_wrong_is_told_to_the_model(raw: str, expected: str) -> None:
    assert expected in (told(raw) or "")


def told(raw: Any) -> str | None:
    """What was told instead of a decision."""
    try:
        parse_decision(raw)
    except DecisionParseError as error:
        return str(error)
    return None


def only_the_one_error(raw: Any) -> None:
    error = told(raw)
    assert error is None or error.startswith(("not valid JSON: ", "invalid decision: "))
    assert len(error or "") < 1000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(["type", "name", "input", "answer", "question", "usage"])
ACTIONS = st.dictionaries(KEYS, st.sampled_from(["tool_call", "final_answer", "ask_user"]) | JSON) | JSON


@given(st.text() | st.binary() | JSON)
def test_anything_at_all_gives_a_decision_or_the_one_error(raw: Any) -> None:
    only_the_one_error(raw)


@given(ACTIONS, JSON)
def test_anything_like_a_decision_gives_a_decision_or_the_one_error(action: Any, thought: Any) -> None:
    only_the_one_error(json.dumps({"thought_summary": thought, "action": action, "retry_trace": thought}))


@pytest.mark.parametrize(
    "content",
    [
        WRITTEN,
        f"```json\n{WRITTEN}\n```",
        f"I add it.\n\n```\n{json.dumps(CALL, indent=2)}\n```\nDone.",
        f"<tool_call>\n{WRITTEN}\n</tool_call>",
        json.dumps({"name": "add_constraint", "arguments": json.dumps(CALL["arguments"])}),
        json.dumps({"name": "add_constraint", "parameters": CALL["arguments"]}),
        json.dumps({"name": "add_constraint", "input": CALL["arguments"]}),
        json.dumps({"type": "function", "function": CALL}),
        json.dumps([CALL]),
        json.dumps(decision(type="tool_call", name="add_constraint", input=CALL["arguments"])),
        WRITTEN.replace("{", "{{").replace("}", "}}"),
        "{" + WRITTEN + "}",
        r"The sum \sum_{i \in I} x_{i} of {'a'}: " + WRITTEN,
        '{"name": "unknown", "arguments": {}} or rather ' + WRITTEN,
        '{"name": "solve", "arguments": [1]} or rather ' + WRITTEN,
    ],
)
def test_a_call_is_found_in_content(content: str) -> None:
    found = find_decision(content, NAMES)
    assert found is not None
    assert found.action == EDIT


def test_braces_inside_a_text_are_not_undoubled() -> None:
    found = find_decision('{{"name": "solve", "arguments": {{"math": "\\\\frac{{a}}"}}}}', NAMES)
    assert found is not None
    assert found.action == ToolCall(name="solve", input={"math": "\\frac{{a}}"})


def test_the_prose_before_the_call_is_the_thought() -> None:
    found = find_decision(f"The person wants a limit.\n\n```json\n{WRITTEN}\n```", NAMES)
    assert found is not None
    assert found.thought_summary == "The person wants a limit."


@pytest.mark.parametrize(
    "content",
    [
        "",
        "No call here.",
        '{"name": "drop_tables", "arguments": {}}',
        '{"name": "unknown", "arguments": {"name": "solve", "arguments": {}}}',
        '{"name": "solve"}',
        '{"name": "solve", "arguments": {"a": 1}',
        '{"action": {"type": "tool_call", "name": "drop_tables"}}',
        '{"name": "Tent", "input": 3}',
    ],
)
def test_what_is_no_call_of_an_allowed_tool_is_not_found(content: str) -> None:
    assert find_decision(content, NAMES) is None


@pytest.mark.parametrize(
    ("content", "action"),
    [
        ('{"name": "final_answer", "arguments": {"answer": "104"}}', FinalAnswer(answer="104")),
        ('{"type": "ask_user", "question": "which?"}', AskUser(question="which?")),
        ('{"name": "solve", "arguments": ""}', ToolCall(name="solve")),
    ],
)
def test_decision_actions_and_empty_arguments_are_found(content: str, action: object) -> None:
    found = find_decision(content, NAMES)
    assert found is not None
    assert found.action == action


@pytest.mark.parametrize(
    "piece",
    [
        "{",
        "{ ",
        '{"',
        '{"a":',
        '{"a\\"',
        '"{',
        '{"a": "',
        "{{",
        "}}{{",
        '{"a": [',
        "{" + " " * 1000,
        '{"a":1}',
        "9",
        '{"a":9',
    ],
)
def test_a_mebibyte_of_anything_takes_bounded_work(piece: str) -> None:
    content = piece * (2**20 // len(piece))
    begin = perf_counter()
    assert find_decision(content, NAMES) is None
    assert perf_counter() - begin < 6


PIECES = st.sampled_from(
    ['{"name": "solve", "arguments": ', "{", "}", "{{", "}}", '"', "\\", "[", "]", ",", ":", "1"]
)


@given(st.text() | st.lists(PIECES, max_size=30).map("".join))
def test_no_content_raises(content: str) -> None:
    found = find_decision(content, NAMES)
    assert found is None or found.action.type != "tool_call" or found.action.name in NAMES
