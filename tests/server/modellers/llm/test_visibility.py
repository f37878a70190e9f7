"""With `schema`, nothing of the data leaves: no label, no value, in no string of any request."""

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from decision_ai_server.model_client.decisions import AskUser, FinalAnswer, ModelDecision, ToolCall
from decision_ai_server.model_client.messages import build_messages
from decision_ai_server.modellers.llm.visibility import mask_of, may_show

SOURCE = '''
"""Choose things."""
import pulp
from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, objective


class Thing(InputData):
    weight: float
    """Weight of a thing."""
    kind: str
    """Kind of a thing."""
    tags: list[str] = []
    """Words about it."""


class Data(InputData):
    limit: float
    """What can be carried."""
    things: dict[str, Thing]
    """Things by name."""
    pairs: list[list[int]] = []
    """Numbers that go together."""


class Chosen(Variables):
    take: dict[str, Var] = binary(over=lambda data: data.things)
    """Whether it is taken."""


class Model(OptModel[Data, Chosen]):
    @constraint("w")
    def carried(self, data, v):
        """No more than can be carried."""
        return pulp.lpSum(v.take[i] for i in data.things) <= data.limit

    @objective("maximize", "t")
    def total(self, data, v):
        """How many."""
        return pulp.lpSum(v.take[i] for i in data.things)

    def solution_to_str(self, data, v):
        """The plan."""
        return str(v)
'''
WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Cf"]), min_size=4, max_size=12
).map(lambda text: f"Q{text}9Z")
"""Labels that no prompt has by chance."""
NUMBERS = st.integers(10_001, 10**9) | st.floats(10_001, 1e6).map(lambda number: round(number, 3))
THINGS = st.fixed_dictionaries({"weight": NUMBERS, "kind": WORDS, "tags": st.lists(WORDS, max_size=3)})
DATA = st.fixed_dictionaries(
    {
        "limit": NUMBERS,
        "things": st.dictionaries(WORDS, THINGS, min_size=1, max_size=4),
        "pairs": st.lists(st.lists(st.integers(10_001, 99_999), max_size=2), max_size=2),
    }
)


def forbidden(value: Any) -> set[str]:
    """Every label and value of some data as texts would write them."""
    if isinstance(value, dict):
        fields = {"limit", "things", "pairs", "weight", "kind", "tags"}
        return {key for key in value if key not in fields}.union(*map(forbidden, value.values()))
    if isinstance(value, list):
        return set().union(*map(forbidden, value))
    return {str(value)}


def rule(name: str, comparison: str) -> str:
    return f'@constraint("x")\ndef {name}(self, data, v):\n    """Rule."""\n    return {comparison}\n'


def script(label: str) -> list[ModelDecision]:
    """Turns whose calls, outputs, errors and answers are full of the data."""
    edits = [{"op": "set_constraint", "code": f"v.take[{label!r}] <="}]
    code = rule("no_more", f"v.take[{label!r}] <= 0")
    calls = [
        ToolCall(name="show_solution"),
        ToolCall(name="show_data", input={"path": []}),
        ToolCall(name="show_data", input={"path": ["things", f"{label}?"]}),
        ToolCall(name="propose_changes", input={"edits": edits, "sentence": f"never {label}"}),
        ToolCall(name="propose_changes", input={"edits": [{"op": "set_constraint", "code": code}]}),
        ToolCall(name="solve"),
    ]
    asked = [AskUser(question=f"Do you mean {label}?"), FinalAnswer(answer="Fine.")]
    return [ModelDecision(action=action) for action in (*calls, *asked)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(DATA)
async def test_no_label_and_no_value_leaves(start_on: Any, strings: Any, data: dict[str, Any]) -> None:
    label, said = next(iter(data["things"])), str(forbidden(data))
    plan = f"{json.dumps(data)}\n{data!r}\n{json.dumps(data, ensure_ascii=False, indent=1)}"
    session = start_on(script(label), SOURCE, json.dumps(data), data_visibility="schema")
    session.solution = plan
    await session.prompt("go on")
    await session.prompt("yes")

    assert len(session.packets) == 8
    outgoing = [
        text
        for packet in session.packets
        for text in [
            *strings(packet.model_dump(mode="json")),
            *(message["content"] for message in build_messages(packet)),
        ]
    ]
    found = {item for item in forbidden(data) for text in outgoing if item in text}
    assert found == set(), said
    assert any("⟦label 1⟧" in text for text in outgoing)


@pytest.mark.parametrize("name", ["knapsack", "production_planning", "staff_scheduling", "harbour"])
async def test_a_plan_of_a_real_model_is_masked(
    start: Any, call: Any, said: Any, strings: Any, name: str
) -> None:
    session = start([call("solve"), said("Done.")], name, data_visibility="schema")
    data = json.loads(session.tree.versions[0].json_data)
    session.solution = json.dumps(data)
    await session.prompt("solve it")

    labels = mask_of(session.context, "schema")._labels.values()
    result = session.packet.recent_evidence[0].result
    for label in labels:
        assert not re.search(rf"(?<![^\W_]){re.escape(label)}(?![^\W_])", result.replace("⟦label", "⟦")), (
            label
        )
    assert not re.search(r"\d", re.sub(r"⟦label \d+⟧", "", result))


async def test_what_the_person_typed_stays(start: Any, call: Any, said: Any) -> None:
    session = start([call("solve"), said("Fine."), said("Bye.")], data_visibility="schema")
    session.refusal = "the Tent weighs 3 kg"
    await session.prompt("solve with the Tent and 25 kg")
    assert "solve with the Tent and 25 kg" in session.packet.goal
    assert "the Tent weighs 3 kg" in session.packet.goal
    await session.prompt("bye")
    assert session.packet.conversation[0].text == "solve with the Tent and 25 kg"


async def test_names_of_the_program_are_no_labels(start_on: Any, said: Any) -> None:
    data = {"limit": 1, "things": {"take": {"weight": 2, "kind": "things"}}}
    session = start_on([said("Hello.")], SOURCE, json.dumps(data), data_visibility="schema")
    await session.prompt("hi")
    assert mask_of(session.context, "schema")._labels == {}
    assert "take: dict[str, Var]" in session.packet.background


async def test_stand_ins_come_back_in_calls_and_answers(start: Any, said: Any, call: Any) -> None:
    code = rule("with_tent", 'v.take["⟦label 5⟧"] >= 1')
    proposal = call("propose_changes", "Take ⟦label 5⟧.", edits=[{"op": "set_constraint", "code": code}])
    session = start([proposal, said("⟦label 5⟧ comes along.")], data_visibility="schema")

    assert await session.prompt("the shelter comes along") == "Tent comes along."
    assert 'v.take["Tent"] >= 1' in session.tree.versions[-1].program.source
    assert session.packet.recent_evidence[0].input["edits"][0]["code"] == code
    told = "".join(delta.delta for delta in session.told)
    assert "Tent comes along." in told
    assert "⟦" not in told


async def test_with_more_visibility_nothing_is_masked(start: Any, said: Any) -> None:
    session = start([said("Hello.")], data_visibility="summary")
    await session.prompt("hi")
    assert mask_of(session.context, "summary").text("Tent 3") == "Tent 3"


def test_the_data_themselves_are_shown_where_all_may_leave() -> None:
    assert [may_show("show_data", one) for one in ("schema", "summary", "full")] == [False, False, True]
    assert may_show("show_model", "schema")
