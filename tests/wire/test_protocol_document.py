"""docs/protocol.md says what the code does: every kind has a paragraph and an example."""

import re
import runpy
from pathlib import Path
from typing import Any, get_args

import pytest

from decision_ai.client.schemas.chat_messages.changes import ModelChanges
from decision_ai.client.schemas.chat_messages.container import AssistantMessage, UserMessage
from decision_ai.client.schemas.chat_messages.live import LiveMessage
from decision_ai.client.schemas.chat_messages.solving import Solving
from decision_ai.client.schemas.chat_messages.tool import ToolOutput
from decision_ai.client.schemas.chat_messages.validation import Validation
from decision_ai.solving.outcome import OutcomeKind
from decision_ai.wire import limits

pytestmark = pytest.mark.core

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "protocol.md").read_text(encoding="utf-8")

UNIONS = (UserMessage, AssistantMessage, LiveMessage, ModelChanges, Validation, Solving)
KINDS = [
    member.model_fields["kind"].default
    for member in (ToolOutput, *(member for union in UNIONS for member in get_args(get_args(union)[0])))
]


def sections() -> dict[str, str]:
    """Heading of a kind → the text below it, up to the next heading."""
    found = re.split(r"^#{3,4} `(\w+)`\n", TEXT, flags=re.MULTILINE)[1:]
    bodies = (re.split(r"^#", body, flags=re.MULTILINE)[0] for body in found[1::2])
    return dict(zip(found[::2], bodies, strict=True))


def test_the_sections_are_the_kinds() -> None:
    assert sorted(sections()) == sorted(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_a_paragraph_and_an_example(kind: str) -> None:
    paragraph, _, example = sections()[kind].partition("<!-- generated: ")
    assert len(paragraph.split()) >= 3
    assert example.split()[0].split("/")[1] == kind
    assert f'"kind": "{kind}"' in example


def test_the_generated_parts_are_what_would_be_generated_now() -> None:
    module: dict[str, Any] = runpy.run_path(str(DOCS / "generate.py"))
    assert "<!-- generated: moves -->" in TEXT
    assert module["generated"](TEXT) == TEXT, "run `make docs`"


def test_the_limits_are_those_of_the_code() -> None:
    rows = dict(re.findall(r"^\| ([^|]+) \| (\d+(?: [MK]iB)?)", TEXT, flags=re.MULTILINE))
    sizes = {"frame": limits.FRAME_BYTES, "`prompt`": limits.PROMPT_BYTES, "`code`": limits.PROGRAM_BYTES}
    sizes["`json_data` of a data diff"] = limits.WIRE_DATA_BYTES
    for name, size in sizes.items():
        number, unit = rows[name].split()
        assert int(number) * {"KiB": 2**10, "MiB": 2**20}[unit] == size
    assert int(rows["nesting of the frame's JSON"]) == limits.NESTING


@pytest.mark.parametrize("outcome", OutcomeKind)
def test_every_outcome_has_its_row(outcome: OutcomeKind) -> None:
    rows = [line.split("|") for line in TEXT.splitlines() if line.startswith("| `")]
    (wire,) = [row[2] for row in rows if f"`{outcome}`" in row[1]]
    assert ("solve_succeeded" in wire) == outcome.has_plan
    assert ("`infeasible`" in wire) == (outcome is OutcomeKind.INFEASIBLE)
