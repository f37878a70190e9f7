"""The showing tools quote the present version."""

import json

import pytest

from decision_ai.solving.findings import IncompatiblePart
from decision_ai_server.agent.journal import figures_of
from decision_ai_server.agent.steps import NewVersion
from decision_ai_server.agent.tools.show import ShowData, ShowSolution


async def said(simulate, call, name, **args):
    session = simulate({"x": [call(name, **args)]})
    await session.run()
    await session.prompt("x")
    return session.last_output


async def test_the_whole_model(simulate, call):
    text = await said(simulate, call, "show_model")

    for part in ("Variables:", "- take (binary): 1 if the item is loaded.", "Constraints:", "- max_items:"):
        assert part in text
    assert "Objective: maximize total_value" in text


@pytest.mark.parametrize(
    ("id", "part"), [("max_items", "<= 7"), ("take", "binary("), ("objective", "item.value")]
)
async def test_one_component_with_its_code(simulate, call, id, part):
    assert part in await said(simulate, call, "show_model", id=id)


async def test_an_unknown_component_names_the_known_ones(simulate, call):
    assert await said(simulate, call, "show_model", id="max_itms") == (
        "Not done: there is no component 'max_itms'; there are take, capacity, max_items, category_min"
    )


async def test_values_of_the_data(simulate, call):
    assert await said(simulate, call, "show_data", path=["items", "Tent", "weight"]) == (
        "items.Tent.weight = 7.5"
    )
    assert "= 7.5" in await said(simulate, call, "show_data", path=["items", "tent", "weight"])
    assert await said(simulate, call, "show_data", path=["items", "Tnt"]) == (
        "Not done: the input data have no 'items.Tnt'; in 'items' there is 'Tent', and 11 more. "
        "These are inputs only; what a plan brings comes from `solve`"
    )


async def test_switches_are_marked(simulate, call):
    off = call("propose_changes", edits=[{"op": "switch", "id": "max_items", "enabled": False}])
    session = simulate({"off": [off], "show": [call("show_model", part="constraints")]})
    await session.run()
    await session.prompt("off")
    await session.answer()

    await session.prompt("show")

    assert "- max_items (off): At most seven items are loaded." in session.last_output


async def test_there_is_no_plan_before_the_first_solve(simulate, call):
    assert await said(simulate, call, "show_solution") == "There is no plan yet; say 'solve' to get one."


async def test_the_history_lists_versions_with_their_sentences(simulate, call):
    off = call("propose_changes", edits=[{"op": "switch", "id": "max_items", "enabled": False}])
    session = simulate({"no cap": [off], "show": [call("show_history")]})
    await session.run()
    await session.prompt("no cap")
    await session.answer()

    await session.prompt("show")

    assert session.last_output == (
        "0. the model as it was opened\n"
        '1. changed constraint max_items ("no cap") [newest of branch main, present]'
    )


async def test_bad_input_is_one_sentence(simulate, call):
    assert (await said(simulate, call, "show_model", part="everything")).startswith("Not done: part: ")


async def test_the_model_says_what_is_left_out(simulate, call):
    session = simulate({"show": [call("show_model")]})
    await session.run()
    head = session.line[0]
    part = IncompatiblePart(kind="constraint", id="max_items", reason="the data have no limit")
    version = NewVersion(
        program=head.program, json_data=head.json_data, changes=(), sentence="", incompatible=(part,)
    )
    session.grow(version)

    await session.prompt("show")

    assert session.last_output.endswith(
        "Left out, as it does not fit the data:\n- constraint max_items: the data have no limit"
    )


@pytest.mark.parametrize(
    ("name", "args", "figures"),
    [
        ("show_model", {}, {"constraints": 3, "variable_families": 1, "switched_off": 0}),
        ("show_model", {"part": "objective"}, {"constraints": 3, "variable_families": 1, "switched_off": 0}),
        ("show_model", {"id": "take"}, {}),
        ("show_data", {"path": ["items", "Tent", "weight"]}, {"value": 7.5}),
        ("show_data", {"path": ["items", "Tent", "category"]}, {"value": "outdoor"}),
        ("show_data", {"path": ["items", "Tent"]}, {"weight": 7.5, "value": 30, "count": 3}),
        ("show_data", {"path": ["items", "Tnt"]}, {}),
        ("show_solution", {}, {}),
        ("show_history", {}, {"versions": 1, "branches": 1, "present": 0}),
    ],
)
async def test_figures_that_may_be_quoted(simulate, call, name, args, figures):
    session = simulate({"x": [call(name, **args)]})
    await session.run()
    await session.prompt("x")

    (told,) = figures_of(session.journal).values() or ({},)
    assert told == figures


async def test_a_field_of_the_data_is_not_taken_for_their_count(turn):
    result = await ShowData().run(turn(json_data='{"count": 12, "items": {"count": 7}}'), {"path": []})

    assert result.figures == {"count": 12, "items.count": 7}


async def test_parts_of_the_data_name_their_first_numbers(turn):
    data = json.dumps({"rows": [{"a": 1, "ok": True}, {"a": 2.5}], "far": list(range(100))})

    whole = await ShowData().run(turn(json_data=data), {})
    far = await ShowData().run(turn(json_data=data), {"path": ["far"]})

    assert {name: whole.figures[name] for name in ("rows.0.a", "rows.1.a", "count")} == {
        "rows.0.a": 1,
        "rows.1.a": 2.5,
        "count": 2,
    }
    assert "rows.0.ok" not in whole.figures
    assert (len(far.figures), far.figures["count"]) == (51, 100)


@pytest.mark.parametrize(("current", "mark"), [(True, ""), (False, "earlier_")])
async def test_the_newest_plan_has_its_figures_and_says_of_which_model(turn, current, mark):
    text = "optimal: objective 104, bound 104, gap 0%\nTake the tent."

    shown = await ShowSolution().run(turn(last_solution=text, solution_is_current=current), {})

    assert shown.figures == {
        f"{mark}outcome": "optimal",
        f"{mark}objective": 104.0,
        f"{mark}bound": 104.0,
        f"{mark}gap": 0.0,
        f"{mark}gap_percent": 0.0,
    }
