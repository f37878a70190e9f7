"""Families that are all combinations of sets with a name are declared over these sets."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from comparing import assert_same, built

from decision_ai.modeling.importing.foreign import ForeignModel
from decision_ai.modeling.importing.program_writer import program_of
from decision_ai.modeling.importing.pulp_script import read_script

pytestmark = pytest.mark.core

LOTS = """\
import pulp
months = ["Jan", "Feb", "Mar"]
products = ["B", "A"]
cost = {"B": 2, "A": 3}
p = pulp.LpProblem("lots")
make = pulp.LpVariable.dicts("make", (products, months))
stock = pulp.LpVariable.dicts("stock", [(i, t) for i in products for t in months])
opened = pulp.LpVariable.dicts("opened", months, cat="Binary")
p += pulp.lpSum(cost[i] * make[i][t] + stock[i, t] for i in products for t in months)
for i in products:
    for t in months:
        p += make[i][t] - stock[i, t] >= 1, f"keep_{i}_{t}"
for t in months:
    p += pulp.lpSum(make[i][t] for i in products) - 9 * opened[t] <= 0, f"cap_{t}"
"""


def read(text: str, folder: Path) -> tuple[ForeignModel, str, dict[str, Any]]:
    """The model of a script, its file and its data; the file is the same model."""
    path = folder / "script.py"
    path.write_text(text)
    foreign = read_script(path)
    imported = program_of(foreign)
    assert_same(foreign, built(imported))
    return foreign, imported.source, json.loads(imported.json_data)


def over(source: str) -> dict[str, str]:
    """The index set of every family, as it is declared."""
    flat = re.sub(r"\(\n +over=", "(over=", source)
    return dict(re.findall(r"    (\w+): dict.*? = \w+\(over=lambda data: (.*?),(?: math| lower|\n)", flat))


def test_families_and_rows_run_over_the_sets_of_the_script(tmp_path: Path) -> None:
    foreign, source, data = read(LOTS, tmp_path)

    pairs = "[(i, j) for i in data.products for j in data.months]"
    assert over(source) == {"make": pairs, "stock": pairs, "opened": "data.months"}
    assert '    months: list[str]\n    """Index set months of the script."""\n' in source
    assert (data["months"], data["products"]) == (["Jan", "Feb", "Mar"], ["B", "A"])
    assert {"stock", "opened", "keep", "cost"}.isdisjoint(data)
    assert data["make"]["A"]["Jan"] == {"cost": 3}
    assert "for i in data.products:\n            for j in data.months:\n" in source
    assert "pulp.lpSum(v.make[j, i] for j in data.products)" in source
    assert r"\sum_{j \in products} make_{j,i}" in source
    assert r"\forall i \in products, j \in months" in source
    assert {name for name, _ in foreign.sets} == {"months", "products"}


def test_a_family_that_lacks_members_keeps_an_index_set_of_its_own(tmp_path: Path) -> None:
    text = LOTS.replace("stock[i, t]", "stock.get((i, t), 0)")
    text = text.replace("for t in months])", "for t in months if (i, t) != ('B', 'Feb')])")
    _, source, data = read(text, tmp_path)

    assert over(source)["make"] == "[(i, j) for i in data.products for j in data.months]"
    assert over(source)["stock"] == "[(i, j) for i, by_i in data.stock.items() for j in by_i]"
    assert data["stock"] == {"B": ["Jan", "Mar"], "A": ["Jan", "Feb", "Mar"]}


def test_members_in_another_order_keep_it(tmp_path: Path) -> None:
    _, source, data = read(LOTS.replace('"opened", months', '"opened", months[::-1]'), tmp_path)

    assert over(source)["opened"] == "data.opened"
    assert data["opened"] == ["Mar", "Feb", "Jan"]


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("make", False),
        ("cap", False),
        ("total", False),
        ("list", False),
        ("copy", False),
        ("Lots", False),
        ("T", True),
        ("make_cost", False),
        ("cap_rhs", True),
        ("mois_d\N{LATIN SMALL LETTER E WITH ACUTE}", True),
    ],
)
def test_a_name_that_the_file_needs_for_something_else_is_not_taken(
    name: str, taken: bool, tmp_path: Path
) -> None:
    text = LOTS.replace("make = ", "made = ").replace("make[", "made[").replace("months", name)
    _, source, _ = read(text, tmp_path)

    assert over(source)["opened"] == (f"data.{name}" if taken else "data.opened")
    assert (f"Index set {name} of the script." in source) == taken


def test_a_set_with_two_names_and_no_plural_has_none(tmp_path: Path) -> None:
    _, source, data = read(LOTS.replace("months", "T") + "order = list(T)\n", tmp_path)

    assert over(source)["opened"] == "data.opened"
    assert {"T", "order", "products"}.isdisjoint(data)


def test_a_square_runs_twice_over_one_set(tmp_path: Path) -> None:
    text = (
        "import pulp\ncities = ['A', 'B']\np = pulp.LpProblem()\n"
        "go = {(i, j): pulp.LpVariable(f'go_{i}_{j}') for i in cities for j in cities}\n"
        "p += pulp.lpSum(go.values())\n"
    )
    _, source, data = read(text, tmp_path)

    assert over(source)["go"] == "[(i, j) for i in data.cities for j in data.cities]"
    assert data == {"cities": ["A", "B"]}
