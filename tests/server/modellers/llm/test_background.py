"""The sections about the present version."""

from dataclasses import replace
from typing import Any

import pytest

from decision_ai.solving.findings import IncompatiblePart, PlanCheck
from decision_ai_server.modellers.llm.background import background, outline
from decision_ai_server.modellers.llm.masking import Mask
from decision_ai_server.modellers.llm.options import LlmOptions

NAMES = ("knapsack", "production_planning", "staff_scheduling", "harbour")


async def context_of(start: Any, said: Any, name: str) -> Any:
    session = start([said("Hello.")], name)
    await session.prompt("hi")
    return session.context


@pytest.mark.parametrize("name", NAMES)
async def test_the_program_is_quoted_in_a_fence(start: Any, said: Any, name: str) -> None:
    context = await context_of(start, said, name)
    text = background(context, LlmOptions(), Mask())

    assert text.startswith("The model:\n<data>\n")
    assert context.head.program.composed().strip() in text
    assert text.count("<data>") == text.count("</data>") == 2


@pytest.mark.parametrize("name", NAMES)
async def test_a_small_model_gets_an_outline(start: Any, said: Any, name: str) -> None:
    context = await context_of(start, said, name)
    text, program = outline(context.head.program), context.head.program

    for id in [*program.variables, *program.constraints, *program.data_classes]:
        assert id in text
    assert "lpSum" not in text
    assert "math=" not in text
    assert len(text) < len(program.composed()) / 2


async def test_what_loads_the_data_stays_here(start_on: Any, said: Any, start: Any) -> None:
    context = await context_of(start, said, "knapsack")
    version = context.head
    source = f"{version.program.source}\n\nprint('hunter2')\n"
    session = start_on([said("Hello.")], source, version.json_data)
    await session.prompt("hi")
    assert "hunter2" not in background(session.context, LlmOptions(), Mask())


async def test_visibility_decides_on_the_data(start: Any, said: Any) -> None:
    context = await context_of(start, said, "knapsack")
    schema, summary, full = (
        background(context, LlmOptions(data_visibility=one), Mask()) for one in ("schema", "summary", "full")
    )

    assert "Its data" not in schema
    assert "min 1.5, median 4.6, max 9.0" in summary
    assert '"Tent":{"weight"' in full
    assert '"Tent":{"weight"' not in summary


async def test_marks_checks_and_versions(start: Any, said: Any) -> None:
    context = await context_of(start, said, "knapsack")
    assert "present version" not in background(context, LlmOptions(), Mask())
    part = IncompatiblePart(kind="constraint", id="max_items", reason="no item 'Tent'")
    head = replace(context.head, id="v1", parent="v0", incompatible=(part,))
    tree = replace(context.tree, versions=(*context.tree.versions, head), head="v1")
    check = PlanCheck(name="light", sentence="No Tent.", code="True")
    marked = replace(context, versions=(head, *context.versions), tree=tree, checks=(check,))

    text = background(marked, LlmOptions(), Mask({"Tent": "⟦label 1⟧"}))
    assert "constraint max_items: no item '⟦label 1⟧'" in text
    assert "light: No ⟦label 1⟧." in text
    assert "version 1 on branch main; versions 0 to 1 exist" in text


async def test_a_huge_program_goes_out_as_an_outline(start: Any, said: Any, start_on: Any) -> None:
    context = await context_of(start, said, "knapsack")
    long = context.head.program.source.replace("The most points", f"{'x' * 70_000} The most points")
    session = start_on([said("Hello.")], long, context.head.json_data)
    await session.prompt("hi")
    assert len(background(session.context, LlmOptions(), Mask())) < 5_000
