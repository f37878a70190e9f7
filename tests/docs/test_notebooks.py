"""Every notebook runs from top to bottom, and says what it should."""

import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def executed(path: Path, folder: Path) -> Any:
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=100, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    return notebook


def shown(notebook: Any) -> str:
    """All that the cells print and display, as text."""
    texts = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            texts.append(output.get("text", "") or output.get("data", {}).get("text/plain", ""))
    return "\n".join(texts)


@pytest.mark.timeout(150)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the Jupyter libraries
def test_the_first_notebook_chats_approves_and_solves(tmp_path: Path) -> None:
    notebook = executed(NOTEBOOKS[0], tmp_path)
    text = shown(notebook)
    assert "149 points before, 124 after" in text
    assert "four are too few, the stand is large" in text
    assert "Pass approve= to connect()" in text  # the cell that waits for a click where there is one
    streams = [
        out for cell in notebook.cells for out in cell.get("outputs", []) if out.get("name") == "stderr"
    ]
    assert not streams or all("font cache" in out["text"] for out in streams)
    kinds = {
        kind for cell in notebook.cells for out in cell.get("outputs", []) for kind in out.get("data", {})
    }
    assert {"image/png", "text/html"} <= kinds


@pytest.mark.timeout(150)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the Jupyter libraries
def test_the_second_notebook_changes_compares_and_takes_back(tmp_path: Path) -> None:
    text = shown(executed(NOTEBOOKS[1], tmp_path))
    assert "4. added constraint max_open_warehouses" in text
    assert "no added rule" in text  # before the rule that was gone back to
    assert "force_open_midtown is left out: open['Midtown']: the family has no such member" in text
    assert "cities, row 2, column 'Demand': 'sixty' is not a number" in text
    assert "broken checks: ['Westend stays open.']" in text
    assert "broken: demand[Arvik]: 95 must be at least 114, missed by 19" in text
    assert "objective 450" in text
    assert "['transport.lp', 'transport.lp.names.json', 'transport.xlsx']" in text


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_stored_names_no_machine_and_no_output(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    text = path.read_text("utf-8")
    for local in (str(Path.home()), sys.prefix, "/tmp/"):
        assert local not in text
