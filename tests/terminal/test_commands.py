import subprocess
from collections.abc import Callable

import pytest

pytestmark = pytest.mark.timeout(120)


def test_the_commands_show_and_refuse_in_words(
    run: Callable[..., subprocess.CompletedProcess[str]], knapsack: tuple[str, str]
) -> None:
    typed = [
        "/help",
        "/history",
        "/model",
        "/model capacity",
        "/model total_value",
        "/model nothing",
        "/data items.Tent",
        "/data items.Tend",
        "/data",
        "/undo many",
        "/undo",
        "/export plan.doc",
        "/export /no/such/folder/model.py",
        "/dance",
        "/quit",
        "never read",
    ]
    done = run("chat", knapsack[0], "--data", knapsack[1], typed="\n".join(typed))
    assert (done.returncode, done.stderr) == (0, "")
    answers = [part.partition("\n")[2].strip() for part in done.stdout.split("you> ")[1:]]
    assert len(answers) == len(typed) - 1
    expected = [
        "/export FILE",
        "Nothing was said yet.",
        "such that capacity: The loaded items weigh",
        "<= data.capacity",
        "def total_value",
        "there is no part 'nothing'; there are take, capacity, max_items",
        '"weight": 7.5',
        "the data have no 'Tend' on the path 'items.Tend'; there are Kettle",
        "lines in all; name a path",
        "'many' is not a number of steps",
        "There is nothing to undo",
        "does not say in which format to write",
        "cannot be written: No such file or directory",
        "there is no command '/dance'",
        "",
    ]
    for answer, words in zip(answers, expected, strict=True):
        assert words in answer
