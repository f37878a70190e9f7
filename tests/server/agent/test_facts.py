"""Where the assistant's words had to be left out, the results speak."""

from decision_ai_server.agent.facts import LEFT_OUT, facts_of


def test_results_in_the_words_of_their_tools(result):
    calls = [
        result("solve", "optimal: objective 104\nTake the tent."),
        result("solve", "Not done: no licence", state="failed"),
        result("compare", None, state="open"),
    ]

    assert facts_of(calls) == (
        f"{LEFT_OUT} These are the results:\n\n"
        "solve: optimal: objective 104\nTake the tent.\n\nsolve_2: Not done: no licence"
    )


def test_without_results_it_says_how_to_get_one():
    assert facts_of([]).startswith(f"{LEFT_OUT} No figure can be given without a result: say 'solve'")


def test_long_results_are_cut_after_a_line(result):
    text = facts_of([result("show_data", "\n".join(["x" * 99] * 40))])

    assert text.endswith("x\n…")
    assert len(text) < 1700
    assert facts_of([result("show_data", "y" * 9000)]).endswith("y\n…")
