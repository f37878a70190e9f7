"""A model as a Python file that runs alone: `python model.py [data.json]` prints outcome and plan."""

import json

from decision_ai.modeling.data import parse_json
from decision_ai.modeling.program import Program

MOST_EMBEDDED = 2**18
"""Bytes of data that are written into the file; more would hide the model and are given when it runs."""

_MAIN = """

if __name__ == "__main__":
    import sys
    from pathlib import Path

    import decision_ai

{data}
    print(decision_ai.solve(Path(__file__), data))
"""
_EMBEDDED = """    DATA = r'''
{json}
'''
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA"""
_GIVEN = """    if len(sys.argv) < 2:
        sys.exit(f"say which data: python {sys.argv[0]} data.json")
    data = Path(sys.argv[1])"""


def python_text(program: Program, json_data: str | None = None) -> str:
    """The program, with a last block that solves it.

    Args:
        program: the model.
        json_data: data as JSON that the file solves by itself; other data can be named when it is run. Data
            larger than 256 KiB are not written into it.

    Raises:
        DataError: if the data are not JSON.
    """
    if json_data is None or len(json_data.encode()) > MOST_EMBEDDED:
        data = _GIVEN
    else:
        # Quotes occur inside of strings only; without them the text cannot end early.
        text = json.dumps(parse_json(json_data), ensure_ascii=False, indent=1).replace("'", "\\u0027")
        data = _EMBEDDED.format(json=text)
    return program.composed().rstrip("\n") + "\n" + _MAIN.format(data=data)
