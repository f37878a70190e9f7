"""What changes with a version only: the model, as much of its data as may be seen, and where it stands."""

import ast
from collections.abc import Iterator

from decision_ai.modeling.data import canonical_json, parse_json
from decision_ai.modeling.program import Program
from decision_ai_server.agent.ports import TurnContext
from decision_ai_server.modellers.llm.data_summary import data_summary
from decision_ai_server.modellers.llm.fencing import fenced
from decision_ai_server.modellers.llm.masking import Mask
from decision_ai_server.modellers.llm.options import LlmOptions

_MOST_PROGRAM, _MOST_DATA = 60_000, 20_000
"""Longer programs go out as an outline, longer data as a summary."""
_MOST_SUMMARY = {"full": 8_000, "small": 700}


def background(context: TurnContext, options: LlmOptions, mask: Mask) -> str:
    """The sections about the present version, what changes least first."""
    head = context.head
    sections = [
        _titled("The model:", _program(head.program, options, mask)),
        _titled("Its data:", _data(context, options)),
        _titled(
            "These parts do not fit the data and are left out when it is solved:",
            "\n".join(f"{part.kind} {part.id}: {mask.text(part.reason)}" for part in head.incompatible),
        ),
        _titled(
            "Checks of plans that the person keeps:",
            "\n".join(f"{check.name}: {mask.text(check.sentence)}" for check in context.checks),
        ),
        _titled("The present version:", _version(context, mask)),
    ]
    return "\n\n".join(section for section in sections if section)


def outline(program: Program) -> str:
    """The parts of a model in a line each, without the code of its rules."""
    return "\n".join(_outline(program))


def _titled(title: str, text: str) -> str:
    return f"{title}\n{fenced(text)}" if text else ""


def _program(program: Program, options: LlmOptions, mask: Mask) -> str:
    # Composed: what loads the data runs with the owner's trust only, and may hold addresses and passwords.
    composed = program.composed()
    whole = options.tools == "full" and len(composed) <= _MOST_PROGRAM
    return mask.code(composed if whole else outline(program))


def _data(context: TurnContext, options: LlmOptions) -> str:
    if options.data_visibility == "schema":
        return ""
    data = parse_json(context.head.json_data)
    if options.data_visibility == "full" and options.tools == "full":
        text = canonical_json(data)
        if len(text) <= _MOST_DATA:
            return text
    # A small model needs the labels for its edits, and takes numbers from the data by name.
    text = data_summary(context.head.program.source, data, ranges=options.tools == "full")
    most = _MOST_SUMMARY[options.tools]
    return text if len(text) <= most else f"{text[:most].rpartition(chr(10))[0]}\n…"


def _version(context: TurnContext, mask: Mask) -> str:
    tree = context.tree
    if len(tree.versions) == 1:
        return ""
    there = f"versions 0 to {len(tree.versions) - 1} exist, 0 is the model as it was opened"
    return f"version {tree.number(tree.head)} on branch {mask.text(tree.branch)}; {there}"


def _outline(program: Program) -> Iterator[str]:
    for part in program.data_classes.values():
        fields = ", ".join(f"{field.name}: {field.annotation}" for field in part.fields.values())
        yield f"class {part.name}: {fields}"
    for family in program.variables.values():
        mark = "" if family.enabled else " (off)"
        declared = _declaration(family.code)
        yield f"v.{declared}{mark}: {_first_line(family.description)}"
    for rule in program.constraints.values():
        marks = [] if rule.enabled else ["off"]
        marks += [] if rule.priority == "hard" else [f"soft {rule.priority}"]
        mark = f" ({', '.join(marks)})" if marks else ""
        yield f"rule {rule.id}{mark}: {_first_line(rule.description)}"
    if program.objective is not None:
        goal = program.objective
        yield f"objective {goal.id}: {goal.sense} {_first_line(goal.description)}"


def _declaration(code: str) -> str:
    """A family's assignment in one line, without its formula and its description."""
    (node, *_) = ast.parse(code).body
    assert isinstance(node, ast.AnnAssign)
    assert node.value is not None
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            call.keywords = [word for word in call.keywords if word.arg != "math"]
    return f"{ast.unparse(node.target)} = {ast.unparse(node.value)}"


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]
