"""One model file that has everything, and the ways a file may be laid out."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # so that the tests of this folder can import drawing.py

SOURCE = '''"""Pick the most valuable items.

A second paragraph.
"""
import json
from pathlib import Path

import pulp
from decision_ai import InputData, OptModel, Var, Variables, binary, constraint, continuous, objective

LIMIT = 7
print("the owner's own code")


class Item(InputData):
    """Something to pack."""

    weight: float
    """Kilograms."""
    value: float  # euros


# a comment that belongs to nobody
class PackData(InputData):
    capacity: float
    """Kilograms the backpack carries."""
    items: dict[str, Item]
    """Items by näme."""


class PackVariables(Variables):
    pack: dict[str, Var] = binary(
        over=lambda data: data.items,
    )
    """1 if the item is packed.

      indented text
    """
    slack: Var = continuous()


def total(data, v):
    return pulp.lpSum(item.weight * v.pack[i] for i, item in data.items.items())


def never_used():
    return 1


class Pack(OptModel[PackData, PackVariables]):
    """The model."""

    @constraint(r"\\sum w_i \\, pack_i" r" \\le C", policy=True)
    def capacity(self, data, v):
        """The packed items weigh no more
        than the backpack carries.
        """
        text = """
  kept as it is
"""
        return total(data, v) <= data.capacity + len(text) * 0

    # between
    @constraint(
        "x",
        enabled=False,  # for now
        priority="B",
    )
    def few(self, data, v):
        """Few items, \u2028 each one."""
        for i in data.items:

            yield i, v.pack[i] <= LIMIT

    @objective("maximize", math="\\\\sum u")
    def value(self, data, v):
        """Total value."""
        return pulp.lpSum(item.value * v.pack[i] for i, item in data.items.items()) - v.slack

    def solution_to_str(self, data, v):
        return "plan"

    def load_input_data(self, path):
        return json.loads(Path(path).read_text())


if __name__ == "__main__":
    print(Pack)
'''


def with_tabs(text: str) -> str:
    lines = []
    for line in text.split("\n"):
        rest = line.lstrip(" ")
        depth, blanks = divmod(len(line) - len(rest), 4)
        lines.append("\t" * depth + " " * blanks + rest)
    return "\n".join(lines)


VARIANTS: dict[str, str] = {
    "lf": SOURCE,
    "crlf": SOURCE.replace("\n", "\r\n"),
    "cr": SOURCE.replace("\n", "\r"),
    "tabs": with_tabs(SOURCE),
    "bom": "\ufeff" + SOURCE,
    "no final newline": SOURCE.rstrip("\n"),
    "form feed": SOURCE.replace("\n\n\nclass", "\n\x0c\nclass"),
    "bom crlf tabs": "\ufeff" + with_tabs(SOURCE).replace("\n", "\r\n").rstrip(),
    "two blanks": SOURCE.replace("    ", "  "),
}


@pytest.fixture(scope="session")
def source() -> str:
    return SOURCE


@pytest.fixture(scope="session")
def variants() -> dict[str, str]:
    return VARIANTS


@pytest.fixture(params=VARIANTS)
def variant(request: pytest.FixtureRequest) -> str:
    return VARIANTS[request.param]
