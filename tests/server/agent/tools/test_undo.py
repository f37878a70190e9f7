"""The undo tool checks its input; taking back is tested with the loop."""

import pytest


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        ({"steps": 0}, "Not done: steps: "),
        ({"steps": 2}, "Not done: there is only 1 approved change(s) to undo"),
    ],
)
async def test_what_cannot_be_undone(simulate, call, args, sentence):
    off = call("propose_changes", edits=[{"op": "switch", "id": "max_items", "enabled": False}])
    session = simulate({"off": [off], "x": [call("undo", **args)]})
    await session.run()
    await session.prompt("off")
    await session.answer()

    await session.prompt("x")

    assert session.last_output.startswith(sentence)
    assert len(session.line) == 2
