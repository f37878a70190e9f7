"""Imported models are good model files, and exactly the models they were made from."""

import math
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from comparing import CASES, DATA, FIGURES, SLOW, assert_same, built
from hypothesis import given, settings, strategies as st

import decision_ai.examples
from decision_ai.modeling.importing.foreign import ForeignColumn, ForeignModel, ForeignRow
from decision_ai.modeling.importing.program_writer import program_of
from decision_ai.modeling.importing.solver_files import read_solver_file
from decision_ai.modeling.loading import load_model
from decision_ai.solving import staged
from decision_ai.solving.building import build
from decision_ai.solving.highs import read_file
from decision_ai.solving.linear import LinearModel
from decision_ai.solving.outcome import Outcome, OutcomeKind
from decision_ai.solving.parameters import SolveParameters
from decision_ai.solving.writing import write_model

pytestmark = pytest.mark.core
INFINITY = math.inf


def solved(model: LinearModel, seconds: float = 60) -> Outcome:
    parameters = SolveParameters(time_limit=seconds, relative_gap=1e-7)
    return staged.solve(model, ["hard"] * model.rows, parameters).outcome


@pytest.mark.parametrize("name", FIGURES)
def test_a_model_of_a_file_is_built_as_it_was(name: str) -> None:
    foreign = read_solver_file(DATA / "optichat" / name)

    assert_same(foreign, built(program_of(foreign)))


@pytest.mark.parametrize("name", [name for name in FIGURES if name not in SLOW])
def test_a_model_of_a_file_has_the_recorded_status_and_optimum(name: str) -> None:
    outcome = solved(built(program_of(read_solver_file(DATA / "optichat" / name))).linear)

    if FIGURES[name]["status"] == "Infeasible":
        assert outcome.kind == OutcomeKind.INFEASIBLE
    else:
        assert outcome.kind == OutcomeKind.OPTIMAL
        assert outcome.objective == pytest.approx(FIGURES[name]["objective"], rel=1e-6)


@pytest.mark.parametrize("name", sorted(SLOW))
def test_a_hard_model_and_its_original_do_not_contradict_each_other(name: str) -> None:
    foreign = read_solver_file(DATA / "optichat" / name)
    imported = solved(built(program_of(foreign)).linear, seconds=2)
    original = solved(read_file(str(DATA / "optichat" / name)).linear, seconds=2)

    figures = FIGURES[name]
    known = [figures.get("objective", figures.get("incumbent"))]
    plans = [plan for plan in (imported.objective, original.objective, *known) if plan is not None]
    bounds = [bound for bound in (imported.bound, original.bound) if bound is not None]
    assert bounds
    for plan in plans:
        for bound in bounds:
            worse = plan - bound if foreign.sense == "minimize" else bound - plan
            assert worse >= -1e-6 * (1 + abs(plan))


def of_case(case: dict[str, Any], *, integral: bool) -> ForeignModel:
    columns = [
        ForeignColumn(name=name, cost=float(cost), integral=integral)
        for name, cost in zip(case["variables"], case["cost"], strict=True)
    ]
    rows = [
        ForeignRow(
            name=f"{kind}_{number}",
            lower=right if sense == ">=" else -INFINITY,
            upper=right if sense == "<=" else INFINITY,
            terms=tuple((at, float(value)) for at, value in enumerate(values) if value),
        )
        for number, (kind, values, sense, right) in enumerate(case["rows"])
    ]
    return ForeignModel(name=case["id"], sense=case["sense"], columns=tuple(columns), rows=tuple(rows))


@pytest.mark.parametrize("start", range(0, len(CASES), 25))
def test_word_problems_have_the_optimum_that_two_sources_confirm(start: int) -> None:
    for case in CASES[start : start + 25]:
        for integral, optimum in ((False, case["lp"]), (True, case["ip"])):
            foreign = of_case(case, integral=integral)
            model = built(program_of(foreign))
            assert_same(foreign, model)
            assert solved(model.linear).objective == pytest.approx(optimum, rel=1e-6, abs=1e-6), case["id"]


NASTY = [
    *(
        "x",
        "x_",
        "X",
        "_x",
        "x y",
        "x\u00b2",
        "\u00e9",
        "\u0065\u0301",
        "\u01c5",
        "class",
        "None",
        "data",
        "v",
    ),
    *(
        "self",
        "model_config",
        "model_dump_all",
        "copy",
        "json",
        "dict",
        "str",
        "float",
        "list",
        "rhs",
        "sense",
    ),
    *("cost", "__import__", "__init__", "format", "open", "pulp", "binary", "constraint", "objective", "Any"),
    *(
        "families",
        "constraints",
        "solution_to_str",
        "x_cost",
        "x_rhs",
        "XMember",
        "XRow",
        "1",
        "1x",
        "-",
        "a'b",
    ),
    *('a"b', '"""', "\\", "\\N{DASH}", "{x}", "{0}", "%s", "$x$", "\u4f60", "\u0663", "total", "nonzero"),
]
TEXT = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), min_size=1, max_size=8)
WORD = st.one_of(st.sampled_from(NASTY), TEXT)
LABEL = st.one_of(
    st.integers(-1, 3).map(str), st.sampled_from(["01", "1.5", "a_b", "", "'a'", "]", ")", "_"]), WORD
)
NAME = st.one_of(
    WORD,
    st.builds("{}[{}]".format, WORD, LABEL),
    st.builds("{}[{},{}]".format, WORD, LABEL, LABEL),
    st.builds("{}({}_{})".format, WORD, LABEL, LABEL),
    st.builds("{}_{}".format, WORD, LABEL),
    st.builds("{}_{}_{}".format, st.sampled_from(["x", "y"]), LABEL, LABEL),
    st.builds("{}{}".format, st.sampled_from(["x", "c_e_x(", "c_l_x("]), LABEL),
    st.builds(
        "{}_{}({}_{})_".format, st.sampled_from(["c_e", "c_l", "c_u", "r_l", "r_u"]), WORD, LABEL, LABEL
    ),
).filter(str.isprintable)
NUMBER = st.one_of(st.sampled_from([1.0, -1.0, 2.0]), st.floats(1e-6, 1e6), st.floats(-1e6, -1e-6))


@st.composite
def foreign_models(draw: st.DrawFn) -> ForeignModel:
    def bounds() -> tuple[float, float]:
        kind = draw(st.sampled_from(["usual", "free", "binary", "two", "fixed"]))
        low, high = sorted([draw(NUMBER), draw(NUMBER)])
        return {
            "usual": (0, INFINITY),
            "free": (-INFINITY, INFINITY),
            "binary": (0, 1),
            "two": (low, high),
        }.get(kind, (low, low))

    columns = []
    for name in draw(st.lists(NAME, unique=True, min_size=1, max_size=12)):
        lower, upper = bounds()
        cost = draw(st.one_of(st.just(0.0), NUMBER))
        columns.append(
            ForeignColumn(name=name, lower=lower, upper=upper, integral=draw(st.booleans()), cost=cost)
        )
    rows = []
    for name in draw(st.lists(NAME, unique=True, max_size=8)):
        lower, upper = bounds()
        used = draw(st.lists(st.integers(0, len(columns) - 1), unique=True, min_size=1))
        rows.append(
            ForeignRow(name=name, lower=lower, upper=upper, terms=tuple((at, draw(NUMBER)) for at in used))
        )
    return ForeignModel(
        name=draw(WORD.filter(str.isprintable)),
        sense=draw(st.sampled_from(["minimize", "maximize"])),
        columns=tuple(columns),
        rows=tuple(rows),
        offset=draw(st.one_of(st.just(0.0), NUMBER)),
        objective_name=draw(st.one_of(st.just(""), WORD)),
        docstring=draw(st.text(max_size=20)),
    )


@settings(max_examples=50)
@given(foreign_models())
def test_any_model_is_built_as_it_was_whatever_its_names(foreign: ForeignModel) -> None:
    imported = program_of(foreign)

    model = built(imported)
    assert_same(foreign, model)
    assert isinstance(model.solution_to_str(np.ones(model.linear.columns)), str)


EXAMPLES = sorted(path.parent for path in Path(decision_ai.examples.__file__).parent.glob("*/model.py"))


@pytest.mark.parametrize("format", ["lp", "mps"])
@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: str(folder.name))
def test_what_we_export_comes_back_with_its_families(
    folder: Path, format: Literal["lp", "mps"], tmp_path: Path
) -> None:
    model = load_model((folder / "model.py").read_text(encoding="utf-8"))
    original = build(model, model.data_class.model_validate_json((folder / "data.json").read_text()))
    path = tmp_path / f"model.{format}"
    path.write_text(write_model(original, format).text, encoding="utf-8")

    foreign = read_solver_file(path)

    back = built(program_of(foreign))
    assert_same(foreign, back)
    assert type(back.model).objective_id == model.objective_id
    for name, family in original.families.items():
        assert set(back.families[name].indices) == set(family.indices)
        assert back.families[name].domain == family.domain
    assert set(back.row_keys) == set(original.row_keys)


def diet() -> str:
    return program_of(read_solver_file(DATA / "optichat" / "diet.lp.gz")).source


def test_a_constraint_reads_like_one_of_a_person() -> None:
    assert r'''
    @constraint(r"\sum_{j} a^{x}_{i,j} \, x_{j} \ge rhs_{i} \quad \forall i")
    def nb(self, data: DietData, v: DietVariables) -> Iterator[tuple[str, Any]]:
        """Rows c_l_nb(calorie)_, c_l_nb(protein)_, c_l_nb(calcium)_ and 6 more."""
        for i, row in data.nb.items():
            yield i, pulp.lpSum(a * v.x[j] for j, a in row.x.items()) >= row.rhs
''' in diet()


def test_lines_are_short_whatever_the_model_is_called() -> None:
    columns = tuple(ForeignColumn(name=f"x_{n}", cost=n) for n in range(3))
    rows = tuple(ForeignRow(name=f"r_{n}", lower=n, upper=INFINITY, terms=((n, 1.0),)) for n in range(3))
    name = "A rather long name of a model that somebody has"
    source = program_of(ForeignModel(name=name, sense="minimize", columns=columns, rows=rows)).source
    long = [line for line in source.splitlines() if len(line) > 110]
    assert [line.split("(")[0] for line in long] == ["class ARatherLongNameOfAModelThatSomebodyHas"]
    assert "        data: ARatherLongNameOfAModelThatSomebodyHasData,\n" in source
    assert "Imported with 3 rows and 3 columns." in source


def test_a_file_of_many_small_families_stays_short() -> None:
    names = [f"{a}{b}{c}" for a in "pqrstuvwxy" for b in "pqrstuvwxy" for c in "pqrstuvwxy"]
    columns = tuple(ForeignColumn(name=f"{name}{n}", cost=n) for name in names for n in (1, 2))
    rows = tuple(
        ForeignRow(name=f"row_{n}", lower=n, upper=INFINITY, terms=((n, 1.0), ((7 * n + 1) % 2000, 2.0)))
        for n in range(1, 2000)
    )
    foreign = ForeignModel(name="m", sense="minimize", columns=columns, rows=rows)
    imported = program_of(foreign)
    model = built(imported)
    assert len(imported.source) < 200_000
    assert (model.linear.columns, model.linear.rows) == (2000, 1999)
    assert sorted(model.linear.cost.tolist()) == [1.0] * 1000 + [2.0] * 1000


def test_the_plan_lists_what_is_not_zero() -> None:
    model = built(program_of(read_solver_file(DATA / "optichat" / "diet.lp.gz")))
    values = np.zeros(model.linear.columns)
    values[1] = 0.25

    assert model.solution_to_str(values) == "cost = 0\nx[wheat] = 0.25"
