"""The solve tool checks its input; what it brings is tested with the loop."""

import pytest


@pytest.mark.parametrize("args", [{"time_limit": 0}, {"relative_gap": -1}, {"solver": "x"}])
async def test_bad_parameters_are_refused(simulate, call, args):
    session = simulate({"x": [call("solve", **args)]})
    await session.run()

    await session.prompt("x")

    assert session.last_output.startswith(f"Not done: {next(iter(args))}: ")
