from decision_ai.solving.check_code import method_node
from decision_ai_server.modellers.offline.meaning import (
    Filter,
    Forbid,
    Implication,
    ObjectiveReplace,
    PairConflict,
    Selection,
    Together,
)
from decision_ai_server.modellers.offline.rule_code import check_code, objective_code, rule_code
from decision_ai_server.modellers.offline.understanding import Subject


def selection(**filters: Filter) -> Selection:
    return Selection(family="moor", filters={int(place[1:]): found for place, found in filters.items()})


def test_a_rule_reads_like_the_model_file(subjects: dict[str, Subject]) -> None:
    meaning = Together(
        selection=selection(p0=Filter(labels=("Petrel", "O'Brien"))).model_copy(update={"each": (1,)}),
        position=0,
    )
    name, code = rule_code(
        meaning, subjects["harbour"].vocabulary(), {"together_moor_petrel_o_brien_per_berth"}
    )
    assert name == "together_moor_petrel_o_brien_per_berth_2"
    assert code.endswith(
        "    for berth in data.berths:\n"
        '        yield berth.name, v.moor["Petrel", berth.name] == v.moor["O\'Brien", berth.name]\n'
    )


def test_an_implication_loops_over_what_triggers_it(subjects: dict[str, Subject]) -> None:
    vocabulary = subjects["harbour"].vocabulary()
    petrel, swan = (selection(p0=Filter(labels=(name,))) for name in ("Petrel", "Black Swan"))
    _, needs = rule_code(Implication(condition=petrel, consequence=swan), vocabulary, ())
    assert '<= pulp.lpSum(v.moor["Black Swan"' in needs
    _, excludes = rule_code(Implication(condition=petrel, consequence=swan, negated=True), vocabulary, ())
    assert excludes.count("for berth") == 2
    assert "<= 1" in excludes


def test_a_check_is_the_body_of_its_rule(subjects: dict[str, Subject]) -> None:
    meaning = Forbid(selections=(Selection(family="take", filters={0: Filter(labels=("Tent",))}),))
    vocabulary = subjects["knapsack"].vocabulary()
    name, code = check_code(meaning, vocabulary, {"no_tent"})
    assert name == "no_tent_2"
    assert rule_code(meaning, vocabulary, {"no_tent"})[1].endswith(code)
    assert method_node(code).name == name


def test_listed_labels_are_a_set_in_the_formula(subjects: dict[str, Subject]) -> None:
    chosen = Selection(family="take", filters={0: Filter(labels=("Tent", "Stove"))})
    meaning = PairConflict(selection=chosen, position=0)
    name, code = rule_code(meaning, subjects["knapsack"].vocabulary(), ())
    assert name == "not_both_tent_stove"
    assert r"\sum_{i \in \{\text{Tent}, \text{Stove}\}} \text{take}_{i} \le 1" in code


def test_an_objective_has_its_sense_in_the_decorator(subjects: dict[str, Subject]) -> None:
    meaning = ObjectiveReplace(sense="maximize", selection=Selection(family="cranes"))
    code = objective_code(meaning, subjects["harbour"].vocabulary(), {"total_cranes"})
    assert code.startswith('@objective("maximize", r"')
    assert "def total_cranes_2(self, data, v):" in code
