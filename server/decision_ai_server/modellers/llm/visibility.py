"""What may leave this machine, and how what may not is masked at the one boundary that all text passes.

With `data_visibility=schema` every label of the data goes out as a stand-in such as `⟦label 3⟧` and every
number of a result as `⟦number⟧`; what the language model writes with a stand-in is put back, so that it can
speak of a label that it never saw.

Not masked: what the person typed, the program's own identifiers (a label of the same name stays), and numbers
that are written in the program.
"""

import ast
import keyword
from collections.abc import Iterator

from decision_ai.modeling.data import parse_json
from decision_ai.modeling.outline import read_outline
from decision_ai_server.agent.ports import TurnContext
from decision_ai_server.modellers.llm.data_walk import DataWalk
from decision_ai_server.modellers.llm.masking import Mask
from decision_ai_server.modellers.llm.options import Visibility


def mask_of(context: TurnContext, visibility: Visibility) -> Mask:
    """The mask for a turn; labels of every version count, since the conversation may speak of them."""
    if visibility != "schema":
        return Mask()
    sources = {version.program.source for version in context.tree.versions}
    names = frozenset(name for source in sources for name in _identifiers(read_outline(source).tree))
    labels: dict[str, str] = {}
    for label in _labels(context):
        if label.strip() and label not in names and label not in labels:
            labels[label] = f"⟦label {len(labels) + 1}⟧"
    return Mask(labels, names, numbers=True)


def may_show(tool: str, visibility: Visibility) -> bool:
    """Whether a tool is offered; `show_data` is there to quote the data and nothing else."""
    return tool != "show_data" or visibility == "full"


def _labels(context: TurnContext) -> Iterator[str]:
    """Every label and text of the data of every version, in the order of the data, oldest version first."""
    seen: set[tuple[str, str]] = set()
    for version in context.tree.versions:
        if (version.program.source, version.data_id) not in seen:
            seen.add((version.program.source, version.data_id))
            yield from DataWalk(version.program.source).labels(parse_json(version.json_data))


def _identifiers(tree: ast.AST) -> Iterator[str]:
    yield from keyword.kwlist
    for node in ast.walk(tree):
        for attribute in ("id", "attr", "arg", "name", "asname", "module"):
            name = getattr(node, attribute, None)
            if isinstance(name, str):
                yield name
