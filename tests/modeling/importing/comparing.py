"""Builds imported models as the product does, and compares them with what they were made from."""

import gzip
import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

from decision_ai.modeling.importing.foreign import ForeignModel, ImportedModel
from decision_ai.modeling.importing.shaping import shaped
from decision_ai.modeling.loading import load_model
from decision_ai.modeling.program import Program
from decision_ai.sandbox.policy import check
from decision_ai.solving.building import BuiltModel, build
from decision_ai.solving.linear import LinearModel

DATA = Path(__file__).parents[2] / "data"
FIGURES: dict[str, dict[str, Any]] = json.loads((DATA / "optichat" / "figures.json").read_text())
SLOW = {"pp.lp.gz", "maintenance.lp.gz", "STN.lp.gz"}
"""Models that HiGHS does not finish within a second or two."""
CASES: list[dict[str, Any]] = json.loads((DATA / "nl4opt" / "cases.json").read_text())


def built(imported: ImportedModel) -> BuiltModel:
    """The imported model, after everything that the product asks of a model file."""
    program = Program.parse(imported.source)
    assert program.source == imported.source
    assert check(program.composed()) is None
    model = load_model(imported.source)
    return build(model, model.data_class.model_validate_json(imported.json_data))


def assert_same(foreign: ForeignModel, model: BuiltModel) -> None:
    """The built model has the columns and rows of the foreign one, whatever their order."""
    linear = model.linear
    names = _column_names(foreign, model)
    columns = {
        names[at]: (linear.lower[at], linear.upper[at], bool(linear.integral[at]), linear.cost[at])
        for at in range(linear.columns)
    }
    assert columns == {
        column.name: (column.lower, column.upper, column.integral, column.cost) for column in foreign.columns
    }
    assert _rows(linear, names) == _foreign_rows(foreign)
    assert linear.offset == foreign.offset
    if linear.cost.any():
        assert linear.sense == foreign.sense


def text_of(name: str) -> str:
    """An LP file of the OptiChat models."""
    return gzip.decompress((DATA / "optichat" / name).read_bytes()).decode()


def _column_names(foreign: ForeignModel, model: BuiltModel) -> list[str]:
    """The foreign name of every column, by the family and index it got."""
    names = [""] * model.linear.columns
    for family in shaped(foreign).columns:
        one = model.families[family.name]
        foreign_names = {index: foreign.columns[number].name for number, index in family.group.members}
        assert set(foreign_names) == set(one.indices)
        for at, index in enumerate(one.indices):
            names[one.first + at] = foreign_names[index]
    return names


def _rows(linear: LinearModel, names: list[str]) -> Counter[Any]:
    starts, index, value = linear.start.tolist(), linear.index.tolist(), linear.value.tolist()
    return Counter(
        (_terms(zip((names[at] for at in index[first:last]), value[first:last], strict=True)), lower, upper)
        for first, last, lower, upper in zip(
            starts, starts[1:], linear.row_lower.tolist(), linear.row_upper.tolist(), strict=False
        )
    )


def _foreign_rows(foreign: ForeignModel) -> Counter[Any]:
    rows: Counter[Any] = Counter()
    for row in foreign.rows:
        terms = _terms((foreign.columns[at].name, value) for at, value in row.terms)
        if not terms:
            continue
        if row.lower == row.upper:
            rows[terms, row.lower, row.upper] += 1
            continue
        rows[terms, row.lower, math.inf] += math.isfinite(row.lower)
        rows[terms, -math.inf, row.upper] += math.isfinite(row.upper)
    return +rows


def _terms(pairs: Any) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(pairs))
