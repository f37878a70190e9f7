"""Rules and terms that a language model writes become the source of one method, or a refusal that helps."""

import ast
import json

import pytest
from hypothesis import given, strategies as st
from pydantic import TypeAdapter

from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.errors import ProgramError
from decision_ai.examples import EXAMPLES, example
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Job
from decision_ai.solving.executors.local import LocalExecutor
from decision_ai_server.agent.edits import Edit, to_changes
from decision_ai_server.agent.rule_edits import ExtendObjective, SetRule, extended_objective_code, rule_code

EDITS = TypeAdapter(list[Edit])
PROGRAMS = {name: Program.parse(example(name)[0]) for name in EXAMPLES}
KNAPSACK, ROSTER = PROGRAMS["knapsack"], PROGRAMS["staff_scheduling"]
COUNT = "pulp.lpSum(v.take[i] for i in data.items)"


def rule(**fields):
    plain = {"id": "cap", "description": "At most 3.", "left": COUNT, "sense": "<=", "right": "3"}
    return SetRule.model_validate(plain | fields)


def changed(program, *edits):
    for change in to_changes(EDITS.validate_python(list(edits)), program, "{}"):
        program = program.apply(change)
    return program


def test_a_rule_becomes_one_method():
    assert rule_code(rule(math=r"\sum_i take_i \le 3"), KNAPSACK) == (
        '@constraint(r"\\sum_i take_i \\le 3")\n'
        "def cap(self, data: KnapsackData, v: KnapsackVariables) -> Any:\n"
        '    """At most 3."""\n'
        "    return pulp.lpSum(v.take[i] for i in data.items) <= 3\n"
    )


def test_loops_and_their_conditions_become_labelled_rows():
    loops = ["e, employee in data.employees.items() if employee.senior", "for s in data.shifts"]
    code = rule_code(rule(for_each=loops, left="v.work[e, s]", right="employee.pay"), ROSTER)
    assert code.endswith(
        "    for e, employee in data.employees.items():\n"
        "        if employee.senior:\n"
        "            for s in data.shifts:\n"
        "                yield (e, s), v.work[e, s] <= employee.pay\n"
    )


def test_a_rule_is_annotated_as_the_file_annotates_its_rules():
    bare = Program.parse(
        example("knapsack")[0]
        .replace("data: KnapsackData, v: KnapsackVariables) -> Any", "data, v)")
        .replace("-> Iterator[tuple[str, Any]]", "-> Any")
    )
    assert "def cap(self, data, v):\n" in rule_code(rule(), bare)
    over = {"for_each": ["i in data.items"], "left": "v.take[i]"}
    kept = rule_code(rule(id="category_min", **over), KNAPSACK)
    assert "v: KnapsackVariables) -> Iterator[tuple[str, Any]]:" in kept
    assert "(self, data, v):" in rule_code(rule(id="max_items", **over), KNAPSACK)


@pytest.mark.parametrize(
    ("clause", "index"),
    [
        ("e in data.employees", "e"),
        ("(e, s) in v.work", "(e, s)"),
        ("(e, s), x in v.work.items()", "(e, s)"),
        ("n, e in enumerate(data.employees)", "n"),
        ("e, (s, x) in pairwise(data.employees)", "(e, s, x)"),
    ],
)
def test_a_row_is_labelled_by_what_its_loop_counts(clause, index):
    code = rule_code(rule(for_each=[clause], left="v.most", right="1"), ROSTER)
    assert f"yield {index}, v.most <= 1" in code


def test_names_that_can_only_mean_one_thing_are_written_out():
    code = rule_code(rule(left="lpSum(take[i] for i in items)", right="capacity"), KNAPSACK)
    assert "return pulp.lpSum((v.take[i] for i in data.items)) <= data.capacity" in code


def test_numbers_are_taken_as_numbers_and_conditions_may_compare():
    assert "<= 3" in rule_code(rule(right=3), KNAPSACK)
    left = "pulp.lpSum(v.take[i] for i in data.items if i != 'Tent') if data.capacity > 3 else v.take['Tent']"
    assert " if i != 'Tent'" in rule_code(rule(left=left), KNAPSACK)


@pytest.mark.parametrize(
    ("left", "row"),
    [
        ("v.take['a']\n + v.take['b']  # both", "v.take['a'] + v.take['b'] <= 3"),
        ("v.take['a  b']", "v.take['a  b'] <= 3"),
        ("v.take['a'] if data.capacity else 2", "(v.take['a'] if data.capacity else 2) <= 3"),
        ("not v.take['a']", "(not v.take['a']) <= 3"),
        ("-v.take['a']", "(-v.take['a']) <= 3"),
        ("(v.take['a'])", "(v.take['a']) <= 3"),
    ],
)
def test_a_side_is_kept_as_it_was_written_where_it_fits_one_line(left, row):
    assert rule_code(rule(left=left), KNAPSACK).endswith(f"    return {row}\n")


def test_a_changed_rule_keeps_its_priority_and_policy():
    program = changed(KNAPSACK, {"op": "set_priority", "id": "max_items", "priority": "B"})
    assert 'priority="B"' in rule_code(rule(id="max_items"), program)
    assert "priority" not in rule_code(rule(id="max_items", priority="hard"), program)
    assert "policy=True" in rule_code(rule(id="rest", left="v.most"), ROSTER)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        (
            {"left": f"{COUNT} <= 3", "right": "0"},
            r"left: the comparison .* compare with `sense` and `right`",
        ),
        ({"right": "3 if v.take['a'] and 1 else (1 == 2)"}, "right: the comparison '1 == 2'"),
        ({"left": "take['a'] or take['b']"}, "left: the comparison"),
        ({"left": "v.tak['a']"}, "there is no variable family 'tak'"),
        ({"left": "boxes['a'] + v.take['a']"}, "left: 'boxes' is not known here; use data.FIELD"),
        ({"left": "3"}, "left: neither side uses a variable"),
        ({"left": "return v.take"}, "left: .* is no Python expression"),
        ({"left": "v.take['a']; x = 1"}, "left: .* is no Python expression"),
        ({"left": "(x := v.take['a'])"}, "left: assignments, lambdas"),
        ({"left": "(lambda: v.take['a'])()"}, "left: assignments, lambdas"),
        ({"left": "v.__class__"}, "left: '__class__' is private"),
        ({"left": "eval('1') * v.take['a']"}, "left: 'eval' is not known"),
        ({"left": "self.capacity(data, v)"}, "left: 'self' is not known"),
        ({"left": "[v.take[i] for i in data.items]"}, "left: a sum or a number is wanted"),
        ({"left": "-" * 3000 + "v.take['a']"}, "left: .* is no Python expression of reasonable size"),
        ({"right": "1" * 5000}, "right: .* is no Python expression of reasonable size"),
        ({"for_each": ["data.items"]}, "for_each: 'data.items' is no loop"),
        ({"for_each": ["i in data.items for j in data.items"]}, "for_each: .* is no loop"),
        ({"for_each": ["i in data.items] + [0 for j in data.items"]}, "for_each: .* is no loop"),
        ({"for_each": ["v in data.items"]}, "for_each: .* does not name its index"),
        ({"for_each": ["data.capacity in data.items"]}, "for_each: .* does not name its index"),
        ({"for_each": ["i in data.__dict__"]}, "for_each: '__dict__' is private"),
        ({"id": "at most 3"}, "id: 'at most 3' is no name"),
        ({"id": "class"}, "id: 'class' is no name"),
        ({"id": "_x"}, "id: '_x' is no name"),
    ],
)
def test_what_cannot_be_a_rule_is_refused_by_field(fields, told):
    with pytest.raises(ProgramError, match=told):
        rule_code(rule(**fields), KNAPSACK)


@given(st.text(), st.text())
def test_no_description_or_formula_breaks_out_of_its_place(description, math):
    code = rule_code(rule(description=description, math=math), KNAPSACK)
    program = changed(KNAPSACK, {"op": "set_constraint", "code": code})
    part = program.constraints["cap"]
    assert part.description == " ".join(description.split())
    assert part.math == (math or r"\sum_{i \in items} take_{i} \le 3")
    assert list(program.constraints) == [*KNAPSACK.constraints, "cap"]


PIECES = st.sampled_from(
    [
        *"()[]+-*/,:#\n\\'\"=<>.",
        "v",
        "data",
        "take",
        "items",
        "i",
        " for ",
        " in ",
        " if ",
        "lambda",
        "1",
        "x",
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join), st.lists(PIECES, max_size=12).map("".join))
def test_whatever_is_written_the_method_holds_one_row_or_it_is_refused(left, clause):
    try:
        code = rule_code(rule(left=left, for_each=[clause] if clause else []), KNAPSACK)
    except ProgramError:
        return
    (function,) = ast.parse(code).body
    assert isinstance(function, ast.FunctionDef)
    assert (function.name, len(function.body)) == ("cap", 2)
    rows = [node for node in ast.walk(function) if isinstance(node, ast.Return | ast.Yield)]
    assert len(rows) == 1


def extended(program, **fields):
    plain = {"op": "extend_objective", "term": "2 * v.most", "sign": "+"}
    return changed(program, plain | fields).objective


def test_a_term_is_added_and_every_other_byte_is_kept():
    before = ROSTER.objective
    after = extended(ROSTER, math="2 most", sign="-")
    assert after.code == before.code.replace(before.math, f"{before.math} - 2 most").replace(
        "(v.most - v.least)", "(v.most - v.least) - 2 * v.most"
    )
    assert (after.math, after.description) == (f"{before.math} - 2 most", before.description)


def test_a_new_description_takes_the_place_of_the_old_one():
    assert extended(ROSTER, description='The "pay".').description == 'The "pay".'


@pytest.mark.parametrize(
    ("expression", "written"),
    [
        ("v.most", "v.most + TERM"),
        ("v.most if data.gap_weight else v.least", "(v.most if data.gap_weight else v.least) + TERM"),
        ("(\n        v.most\n        - v.least\n    )", "(\n        v.most\n        - v.least + TERM\n    )"),
        ("v.most  # the most", "v.most + TERM  # the most"),
    ],
)
def test_the_term_stands_where_it_is_added_to_the_whole(expression, written):
    code = f'@objective("minimize")\ndef goal(self, data, v):\n    return {expression}\n'
    program = changed(ROSTER, {"op": "set_objective", "code": code})
    after = extended(program, term="v.most - v.least").code
    assert after == code.replace(expression, written.replace("TERM", "(v.most - v.least)")).rstrip("\n")


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            "if data.gap_weight:\n        return v.most\n    return v.least",
            "does not end in its only `return`",
        ),
        ("def f():\n        return 1\n    return f()", "in its only `return`"),
    ],
)
def test_an_objective_of_several_returns_is_left_to_set_objective(code, told):
    code = f'@objective("minimize")\ndef goal(self, data, v):\n    {code}\n'
    program = changed(ROSTER, {"op": "set_objective", "code": code})
    with pytest.raises(ProgramError, match=told):
        extended_objective_code(ExtendObjective(term="v.most", sign="+"), program)


def test_other_argument_names_and_no_objective_are_refused():
    code = '@objective("minimize")\ndef goal(self, d, x):\n    return x.most\n'
    program = changed(ROSTER, {"op": "set_objective", "code": code})
    with pytest.raises(ProgramError, match="does not take"):
        extended_objective_code(ExtendObjective(term="v.most", sign="+"), program)


@given(st.lists(PIECES, max_size=20).map("".join), st.sampled_from(sorted(EXAMPLES)), st.text(), st.text())
def test_any_term_leaves_one_objective_or_is_refused(term, name, math, description):
    program = PROGRAMS[name]
    try:
        fields = {"term": term, "sign": "+", "math": math, "description": description}
        after = changed(program, {"op": "extend_objective", **fields})
    except ProgramError:
        return
    assert after.objective.id == program.objective.id
    assert after.constraints.keys() == program.constraints.keys()


async def test_rules_and_terms_run():
    source, json_data = example("knapsack")
    program = changed(
        Program.parse(source),
        {"op": "set_rule", **rule(right="5").model_dump(exclude={"op"})},
        {
            "op": "set_rule",
            "id": "each",
            "description": "Each at most once.",
            "for_each": ["i, item in data.items.items()"],
            "left": "v.take[i] * item.weight",
            "sense": "<=",
            "right": "data.capacity",
        },
        {"op": "extend_objective", "term": COUNT, "sign": "-"},
    )
    async with LocalExecutor() as executor:
        result = await executor.run(Job(task="solve", source=program.composed(), json_data=json_data))
    assert isinstance(result.validation, ValidationSucceeded), result.validation
    assert len(result.description.constraints["each"].indices) == len(json.loads(json_data)["items"])
    assert sum(value for _, value in result.plan.values["take"]) <= 5
