"""The first problem of a tool's input, in one sentence."""

import pytest
from pydantic import ValidationError

from decision_ai_server.agent.ports import Output
from decision_ai_server.agent.tools.inputs import Refused, ToolInput, first_problem, read, told


class Input(ToolInput):
    a: int
    b: int


async def test_a_refusal_becomes_the_output_of_the_tool():
    @told
    async def run(args):
        return Output(str(read(Input, args).a))

    assert await run({"a": 1, "b": 2}) == Output("1")
    assert await run({"a": 1, "b": 2, "c": 3}) == Output("c: Extra inputs are not permitted", failed=True)
    with pytest.raises(Refused, match="b: Field required"):
        read(Input, {"a": 1})


def test_the_first_problem_is_named_and_the_others_counted():
    with pytest.raises(ValidationError) as caught:
        Input.model_validate({"a": "x"})

    assert first_problem(caught.value).startswith("a: ")
    assert first_problem(caught.value).endswith("(and 1 more problems)")


async def test_a_long_refusal_keeps_its_beginning_and_its_end():
    @told
    async def run(text):
        raise Refused(f"there is no {text}; there are more")

    output = await run("x" * 100_000)

    assert len(output.text) < 2100
    assert output.text.startswith("there is no xx")
    assert output.text.endswith("xx; there are more")
