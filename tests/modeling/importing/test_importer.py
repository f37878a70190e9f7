import gzip
from pathlib import Path

import pytest

from decision_ai import DecisionAIError, import_model
from decision_ai.modeling.program import Program

pytestmark = pytest.mark.core

LP = "\\ a plan\nMaximize\n profit: 3 x_1 + 2 x_2\nSubject To\n cap: x_1 + x_2 <= 4\nBounds\n x_1 <= 3\nEnd\n"
SCRIPT = "import pulp\np = pulp.LpProblem('tiny')\nx = pulp.LpVariable('x', 1)\np += x\n"


def test_every_kind_of_file_is_imported(tmp_path: Path) -> None:
    (tmp_path / "plan.lp").write_text(LP)
    (tmp_path / "plan.lp.gz").write_bytes(gzip.compress(LP.encode()))
    (tmp_path / "tiny.py").write_text(SCRIPT)
    assert set(Program.parse(import_model(tmp_path / "plan.lp").source).constraints) == {"cap"}
    assert (
        import_model(str(tmp_path / "plan.lp.gz")).json_data == import_model(tmp_path / "plan.lp").json_data
    )
    assert Program.parse(import_model(tmp_path / "tiny.py").source).model_class == "Tiny"


def test_what_cannot_be_imported_is_told(tmp_path: Path) -> None:
    with pytest.raises(DecisionAIError, match=r"'plan\.gms' cannot be imported: name a PuLP script"):
        import_model("plan.gms")
    with pytest.raises(DecisionAIError, match=r"no\.py'.*cannot be read"):
        import_model(tmp_path / "no.py")
    with pytest.raises(TypeError, match="an LpProblem or the path of a file, not 3"):
        import_model(3)
    (tmp_path / "model.py").write_text("from decision_ai import OptModel\n")
    with pytest.raises(DecisionAIError, match="is a model file already"):
        import_model(tmp_path / "model.py")


def test_an_import_is_written_as_two_files_and_replaces_nothing(tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_text(SCRIPT)
    imported = import_model(tmp_path / "tiny.py")
    assert imported.write(tmp_path / "model.py") == (tmp_path / "model.py", tmp_path / "model.json")
    assert (tmp_path / "model.py").read_text() == imported.source
    assert (tmp_path / "model.json").read_text() == imported.json_data
    with pytest.raises(DecisionAIError, match=r"model\.json' exists already"):
        imported.write(tmp_path / "other.py", tmp_path / "model.json")
    assert not (tmp_path / "other.py").exists()
    imported.write(tmp_path / "model.py", overwrite=True)
    with pytest.raises(DecisionAIError, match="cannot both be"):
        imported.write(tmp_path / "x.json", tmp_path / "x.json")
    with pytest.raises(DecisionAIError, match="cannot be written"):
        imported.write(tmp_path / "no" / "model.py")
