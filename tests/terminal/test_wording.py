import pytest
from hypothesis import given, strategies as st

from decision_ai.client.approval import Card, Preview
from decision_ai.client.schemas.chat_messages.changes import (
    ConstraintDiff,
    ConstraintSnapshot,
    ObjectiveDiff,
    ObjectiveSnapshot,
    OptInputDataDiff,
    OptInputDataSchemaDiff,
    OptInputDataSchemaSnapshot,
    OptInputDataSnapshot,
    VariableDiff,
    VariableSnapshot,
)
from decision_ai.modeling.data import canonical_json
from decision_ai.solving.findings import CheckResult, IncompatiblePart
from decision_ai.solving.outcome import Outcome, OutcomeKind, SolveProgress
from decision_ai.terminal.wording import (
    NO_PREVIEW,
    DiffLine,
    card_facts,
    change_diff,
    change_notes,
    change_title,
    check_facts,
    fact_text,
    preview_sentence,
    progress_line,
    thinking_line,
    visible,
    writing_line,
)

OPTIMAL = Outcome(kind=OutcomeKind.OPTIMAL, objective=149, bound=149)


def rule(code: str, name: str = "limit") -> ConstraintSnapshot:
    return ConstraintSnapshot(
        constraint_id=name, code=code, math_formulation="x \\le 4", description="At most 4."
    )


def data(value: object) -> OptInputDataSnapshot:
    return OptInputDataSnapshot(opt_input_data_id="data-1", json_data=canonical_json(value))


@given(st.text())
def test_visible_text_has_nothing_that_steers_a_terminal(text: str) -> None:
    shown = visible(text)
    assert not any(ord(letter) < 32 and letter not in "\n\t" for letter in shown)
    assert not any(127 <= ord(letter) < 160 for letter in shown)
    assert "\u202e" not in shown


def test_visible_text_says_what_it_hides() -> None:
    assert visible("a\x1b[2Jb\r\nc\u202e") == "a\\x1b[2Jb\nc\\u202e"


@pytest.mark.parametrize(
    ("change", "title"),
    [
        (ConstraintDiff(added=rule("x")), "New constraint limit"),
        (ConstraintDiff(removed=rule("x")), "Removed constraint limit"),
        (ConstraintDiff(removed=rule("x"), added=rule("y")), "Changed constraint limit"),
        (
            VariableDiff(
                added=VariableSnapshot(variable_id="make", code="", math_formulation="", description="")
            ),
            "New variable family make",
        ),
        (
            ObjectiveDiff(removed=ObjectiveSnapshot(code="", math_formulation="", description="")),
            "Removed objective",
        ),
        (OptInputDataDiff(removed=data(1), added=data(2)), "Changed input data"),
        (
            OptInputDataSchemaDiff(added=OptInputDataSchemaSnapshot(input_data_classes=[])),
            "New input-data classes",
        ),
    ],
)
def test_the_title_says_what_happens_to_which_part(change: object, title: str) -> None:
    assert change_title(change) == title  # type: ignore[arg-type]


def test_new_code_is_shown_whole_and_changed_code_around_the_change() -> None:
    old = [f"line {n}" for n in range(20)]
    new = [*old[:10], "other", *old[11:]]
    added = change_diff(ConstraintDiff(added=rule("\n".join(old))))
    assert [(line.mark, line.text) for line in added] == [("+", text) for text in old]
    changed = change_diff(ConstraintDiff(removed=rule("\n".join(old)), added=rule("\n".join(new))))
    assert [line for line in changed if line.mark != " "] == [
        DiffLine("-", "line 10"),
        DiffLine("+", "other"),
    ]
    assert len(changed) == 8


def test_two_changes_far_apart_have_a_mark_between_them() -> None:
    old = [f"line {n}" for n in range(30)]
    new = ["first", *old[1:-1], "last"]
    diff = change_diff(ConstraintDiff(removed=rule("\n".join(old)), added=rule("\n".join(new))))
    assert [line.mark for line in diff].count("…") == 1


def test_changed_data_are_the_few_values_that_differ() -> None:
    before = {"capacity": 30, "items": {"Tent": {"weight": 7.5}, "Drill": {"weight": 3}}}
    after = {"capacity": 25, "items": {"Tent": {"weight": 7.5}, "Saw": {"weight": 4}}}
    assert change_diff(OptInputDataDiff(removed=data(before), added=data(after))) == [
        DiffLine(" ", "capacity: 30 → 25"),
        DiffLine("-", "items.Drill = {'weight': 3}"),
        DiffLine("+", "items.Saw = {'weight': 4}"),
    ]


def test_changed_values_have_the_units_that_are_known() -> None:
    diff = OptInputDataDiff(removed=data({"a": 7.5, "b": 1}), added=data({"a": 8, "b": 2, "c": 3}))
    assert [line.text for line in change_diff(diff, {"a": "kg", "c": "EUR"})] == [
        "a: 7.5 → 8 kg",
        "b: 1 → 2",
        "c = 3 EUR",
    ]


def test_a_few_values_of_large_data_are_shown() -> None:
    rows = [{"x": n} for n in range(100_000)]
    changed = [*rows[:70_000], {"x": -1}, *rows[70_001:]]
    lines = change_diff(OptInputDataDiff(removed=data(rows), added=data(changed)))
    assert lines == [DiffLine(" ", "[70000].x: 70000 → -1")]


def test_what_to_look_at_before_approving() -> None:
    left_out = IncompatiblePart(kind="constraint", id="window", reason="no item 'Tent'")
    card = Card(warnings=("one", "two"), unused_words=("please", "now"), incompatible=(left_out,))
    assert [(fact.name, fact_text(fact)) for fact in card_facts(card)] == [
        ("not used", "please, now"),
        ("warnings", "- one\n- two"),
        ("left out", "constraint window: no item 'Tent'"),
    ]
    assert [fact.name for fact in card_facts(Card(warnings=("one",), doubt="d"))] == ["warning", "doubt"]
    assert card_facts(Card()) == []


def test_checks_are_told_by_how_much_they_matter() -> None:
    checks = (
        CheckResult(name="a", sentence="at most 9 bags", holds=True),
        CheckResult(name="b", sentence="at most 3 nights", holds=False, message="Ana has 4"),
        CheckResult(name="c", sentence="", holds=None, message="no plan in time"),
        CheckResult(name="d", sentence="", holds=True),
    )
    preview = Preview(before=OPTIMAL, after=OPTIMAL, sense="maximize", checks=checks)
    assert [(fact.name, fact_text(fact), fact.caution) for fact in check_facts(preview)] == [
        ("breaks", "your check 'at most 3 nights': Ana has 4", True),
        ("unknown", "'c': no plan in time", False),
        ("keeps", "2 of your checks: 'at most 9 bags', 'd'", False),
    ]
    assert check_facts(None) == []


def test_many_changed_values_are_counted() -> None:
    lines = change_diff(OptInputDataDiff(removed=data([0] * 50), added=data([1] * 50)))
    assert lines[-1] == DiffLine("…", "and 30 more values")


def test_data_have_no_formula() -> None:
    assert change_notes(OptInputDataDiff(removed=data(1), added=data(2))) == ("", "")
    assert change_notes(ConstraintDiff(added=rule("x"))) == ("At most 4.", "x \\le 4")


def test_the_effect_in_one_line() -> None:
    preview = Preview(
        before=OPTIMAL,
        after=Outcome(kind=OutcomeKind.OPTIMAL, objective=126),
        sense="maximize",
        newly_binding=(("at_most_4", ()),),
        newly_idle=(("window", ("Ana", "Mon")), ("capacity", ())),
        rows_added=1,
    )
    assert preview_sentence(preview) == (
        "objective 149 → 126 (maximize), optimal; newly binding: at_most_4; "
        "newly idle: window[Ana, Mon], capacity; rows +1, columns +0"
    )


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (Outcome(kind=OutcomeKind.INFEASIBLE), "149 → no plan (minimize), infeasible;"),
        (Outcome(kind=OutcomeKind.INFEASIBLE, confirmed=False), "infeasible (not confirmed);"),
        (
            Outcome(kind=OutcomeKind.LIMIT_WITH_PLAN, objective=160, bound=150.5),
            "149 → 160 (minimize), limit with plan, at best 150.5;",
        ),
        (None, "149 → unknown (minimize), does not build in time;"),
    ],
)
def test_the_effect_tells_the_truth_about_how_far_it_is_known(after: Outcome | None, words: str) -> None:
    assert words in preview_sentence(Preview(before=OPTIMAL, after=after, sense="minimize"))


def test_no_preview_is_said() -> None:
    assert preview_sentence(None) == NO_PREVIEW


def test_many_rows_are_counted() -> None:
    rows = tuple(("window", (n,)) for n in range(12))
    assert "and 7 more" in preview_sentence(
        Preview(before=OPTIMAL, after=OPTIMAL, sense="maximize", newly_binding=rows)
    )


def test_progress_says_what_is_known() -> None:
    assert progress_line(SolveProgress(seconds=1.25)) == "solving 1.2 s"
    line = progress_line(SolveProgress(seconds=3, objective=149, bound=151, gap=0.0134))
    assert line == "solving 3.0 s · best 149 · bound 151 · gap 1.34%"


def test_equal_changes_of_one_field_are_one_line() -> None:
    before = {"items": {f"item {n}": {"kg": n} for n in range(1000)}, "n": 1}
    after = {
        "items": {
            name: {**item, "fragile": False, "kg": item["kg"]} for name, item in before["items"].items()
        },  # type: ignore[attr-defined]
        "n": 2,
    }
    after["items"]["item 7"]["fragile"] = True
    lines = change_diff(OptInputDataDiff(removed=data(before), added=data(after)))
    assert lines == [
        DiffLine("+", "items.*.fragile = False (999 values)"),
        DiffLine("+", "items.item 7.fragile = True"),
        DiffLine(" ", "n: 1 → 2"),
    ]


def test_odd_keys_and_plain_tables_are_grouped_too() -> None:
    before = {"price": {f"a.{n}": 1 for n in range(30)}, "months": list(range(30))}
    after = {"price": {f"a.{n}": 2 for n in range(30)}, "months": []}
    lines = change_diff(OptInputDataDiff(removed=data(before), added=data(after)))
    assert lines[0] == DiffLine(" ", "price.*: 1 → 2 (30 values)")
    assert lines[-1] == DiffLine("…", "and 11 more values")


def test_a_wait_tells_its_seconds_once_one_wonders() -> None:
    assert (thinking_line(1.9), writing_line(0.0)) == ("thinking …", "writing …")
    assert thinking_line(12.4) == "thinking … 12 s, Ctrl-C stops"
    assert writing_line(2.0) == "writing … 2 s, Ctrl-C stops"
