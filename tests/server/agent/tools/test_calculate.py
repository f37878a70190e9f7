"""Figures that no result has are computed, not guessed."""

import pytest

from decision_ai_server.agent.figure_sources import allowed_in
from decision_ai_server.agent.figures import unsupported
from decision_ai_server.agent.tools.calculate import Calculate


@pytest.fixture
def calls(result):
    return [
        result("solve", "optimal: objective 104", {"objective": 104.0, "outcome": "optimal"}),
        result("compare", "version 0: optimal, objective 98", {"objective_b": 98.0}),
    ]


async def computed(context, **args):
    return await Calculate().run(context, args)


async def test_a_difference_with_its_unit(turn, calls):
    output = await computed(turn(calls=calls), expression="solve.objective - compare.objective_b", unit="EUR")

    assert output.text == "solve.objective - compare.objective_b = 6 EUR"
    assert output.figures == {"result": 6.0}


async def test_percentages(turn, calls, result):
    change = await computed(
        turn(calls=calls), expression="percent_change(compare.objective_b, solve.objective)"
    )
    share = await computed(turn(calls=calls), expression="share(compare.objective_b, solve.objective)")

    assert change.text.endswith(" = -5.769230769%")
    assert change.figures["percent"] == change.figures["result"] == pytest.approx(-5.769230769)
    assert share.text.endswith(" = 0.9423076923 (94.23076923%)")
    answer = turn(calls=[*calls, result("calculate", share.text, share.figures)])
    assert unsupported("94.2% or 0.94 of it", allowed_in(answer)) == []
    assert unsupported("It is 0.94%", allowed_in(answer)) == ["0.94%"]


async def test_numbers_of_the_person_may_be_written_out(turn, calls):
    context = turn("what if it were 10 percent more than 50?", calls)

    output = await computed(context, expression="solve.objective * 10 / 50")

    assert output.figures == {"result": pytest.approx(20.8)}


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ({"expression": "solve.objective * 1.2"}, "1.2 is in no result of this turn"),
        ({"expression": "solve.objective / (solve.objective - solve.objective)"}, "divides by zero"),
        ({"expression": "solve_2.objective"}, "there is no figure {solve_2.objective}"),
        ({"expression": "solve.outcome"}, "is the word 'optimal'"),
        ({"expression": "solve.objective", "unit": "%"}, "for percentages use percent_change or share"),
        ({"expression": "solve.objective", "unit": "million"}, "is none"),
        ({"expression": "solve.objective", "unit": "of 200"}, "is none"),
        ({"expression": ""}, "expression: "),
        ({"expression": "solve.objective", "unit": "x" * 21}, "unit: "),
    ],
)
async def test_what_cannot_be_computed_is_said_in_a_sentence(turn, calls, args, words):
    output = await computed(turn(calls=calls), **args)

    assert output.failed
    assert words in output.text


@pytest.mark.parametrize("unit", ["", "kg", "€", "m", "EUR per hour", "m²"])
async def test_units(turn, calls, unit):
    output = await computed(turn(calls=calls), expression="solve.objective", unit=unit)

    assert not output.failed


async def test_it_is_called_like_any_other_tool(simulate, call):
    show = call("show_data", path=["items", "Tent", "weight"])
    session = simulate({"x": [show, call("calculate", expression="show_data.value + show_data.value")]})
    await session.run()
    await session.prompt("x")

    assert session.last_output == "show_data.value + show_data.value = 15"
