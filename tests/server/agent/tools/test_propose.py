"""The tool that proposes changes says no in words a modeller can act on."""

import pytest


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ({"edits": []}, "Not done: edits: "),
        ({"edits": [{"op": "launch"}]}, "Not done: edits.0: "),
        ({"edits": [{"op": "switch", "id": "max_items", "enabled": True}]}, "Not done: the model already is"),
        (
            {"edits": [{"op": "change_data", "changes": [{"path": ["items", "x" * 3_000_000], "value": 1}]}]},
            "Not done: json_data (bytes) is",
        ),
    ],
)
async def test_what_cannot_be_proposed(simulate, call, args, sentence):
    session = simulate({"x": [call("propose_changes", **args)]})
    await session.run()

    await session.prompt("x")

    assert session.last_output.startswith(sentence)
    assert len(session.line) == 1


async def test_the_card_goes_with_the_ask(simulate, call):
    edits = [{"op": "switch", "id": "max_items", "enabled": False}]
    card = {"sentence": "s", "reading": "r", "unused_words": ["u"], "warnings": ["w"], "doubt": "d"}
    session = simulate({"x": [call("propose_changes", edits=edits, **card)]})
    await session.run()
    await session.prompt("x")

    assert session.open_ask.tool_origin.args["card"] == card
