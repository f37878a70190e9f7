"""What a session writes, on the disk and over a real private server."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from decision_ai.client.chat_session import ChatSession
from decision_ai.client.client import DecisionAI
from decision_ai.client.export_methods import refuse_existing, write_export
from decision_ai.errors import DecisionAIError, ServerRefused
from decision_ai.examples import example
from decision_ai.modeling.exporting.name_map import NameMap, comment_lines, names_in_sidecar

NAMES = NameMap(columns={"x_a": ("x", ("a",))}, rows={}, objective="total")
LP = "\n".join([*comment_lines(NAMES, "lp"), "Minimize", "End", ""]).encode()


def test_a_sidecar_is_written_beside_a_file_for_solvers(tmp_path: Path) -> None:
    path = tmp_path / "model.lp"
    write_export(path, "lp", LP, overwrite=False)
    assert path.read_bytes() == LP
    assert names_in_sidecar((tmp_path / "model.lp.names.json").read_text(encoding="utf-8")) == NAMES
    write_export(tmp_path / "model.tex", "latex", b"x", overwrite=False)
    assert {path.name for path in tmp_path.iterdir()} == {"model.lp", "model.lp.names.json", "model.tex"}


def test_nothing_is_overwritten_unless_asked(tmp_path: Path) -> None:
    path, sidecar = tmp_path / "model.lp", tmp_path / "model.lp.names.json"
    sidecar.write_text("mine")
    for attempt in (
        lambda: write_export(path, "lp", LP, overwrite=False),
        lambda: refuse_existing(path, "lp", overwrite=False),
    ):
        with pytest.raises(
            DecisionAIError, match=r"model.lp.names.json' exists already; choose another name"
        ):
            attempt()
    assert not path.exists()
    write_export(path, "lp", LP, overwrite=True)
    assert json.loads(sidecar.read_text())["objective"] == "total"


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DecisionAIError, match="cannot be written: No such file"):
        write_export(tmp_path / "no" / "model.py", "py", b"", overwrite=False)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChatSession]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DECISION_AI_STATE_DIR", str(tmp_path_factory.mktemp("state")))
        with DecisionAI() as client:
            yield client.create_chat_session(*example("knapsack"))


def test_a_session_is_written_by_suffix_or_format(session: ChatSession, tmp_path: Path) -> None:
    path = session.export(tmp_path / "bag.mps")
    assert path.read_text(encoding="utf-8").startswith("* Knapsack")
    assert (tmp_path / "bag.mps.names.json").is_file()
    assert session.export(str(tmp_path / "notes.txt"), format="md").read_text().startswith("# Knapsack")
    with pytest.raises(DecisionAIError, match="exists already"):
        session.export(path)
    session.export(path, overwrite=True)
    with pytest.raises(DecisionAIError, match="does not say in which format"):
        session.export(tmp_path / "bag")


def test_a_session_is_given_as_text(session: ChatSession) -> None:
    assert session.export_text("latex").startswith("\\documentclass")
    assert session.export_text("py", version=0).startswith('"""Load')
    with pytest.raises(DecisionAIError, match="a workbook is no text"):
        session.export_text("xlsx")
    with pytest.raises(ServerRefused, match="there is no version 'nowhere'"):
        session.export_text("py", version="nowhere")
