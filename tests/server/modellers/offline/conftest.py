"""Three model files with nothing in common, built in this process."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

import decision_ai.examples
from decision_ai.client.schemas.chat_messages.changes import ModelChanges, OptInputDataDiff
from decision_ai.modeling.data import data_id
from decision_ai.modeling.loading import load_model
from decision_ai.modeling.program import Program
from decision_ai.solving.building import build
from decision_ai.solving.findings import PlanCheck
from decision_ai_server.agent.edits import to_changes
from decision_ai_server.agent.ports import ModelVersion, VersionTree
from decision_ai_server.agent.words import summary
from decision_ai_server.modellers.offline.understanding import Subject, understand

HERE = Path(__file__).parent
EXAMPLES = Path(decision_ai.examples.__file__).parent
FILES = {
    "harbour": (HERE / "harbour_model.py", HERE / "harbour_data.json"),
    **{
        name: (EXAMPLES / name / "model.py", EXAMPLES / name / "data.json")
        for name in ("knapsack", "staff_scheduling", "vrp_time_windows", "production_planning")
    },
}


def make_subject(source: str, json_data: str) -> Subject:
    model_class = load_model(source)
    built = build(model_class, model_class.data_class.model_validate_json(json_data))
    program = Program.parse(source)
    return Subject(program, program, json_data, built.description)


SENTENCES = (
    "the ladder must come along",
    "total weight at most 25",
    "set the capacity to 28",
    "switch off max_items",
    "never take the camera",
)
CHECKS = tuple(
    PlanCheck(name=name, sentence=sentence, code=f"def {name}(self, data, v):\n    return True\n")
    for name, sentence in (
        ("max_kitchen_items", "At most 3 items with category kitchen are chosen."),
        ("no_tent", "Tent must not be chosen."),
    )
)


def opened(name: str) -> Subject:
    """A session that was just opened."""
    source, json_data = (path.read_text() for path in FILES[name])
    version = ModelVersion(
        id="v0", parent=None, program=Program.parse(source), json_data=json_data,
        data_id=data_id(json_data), sentence="", summary="",
    )  # fmt: skip
    tree = VersionTree(versions=(version,), branches={"main": "v0"}, branch="main", head="v0")
    return replace(make_subject(source, json_data), tree=tree)


def grown(subject: Subject, changes: Iterable[ModelChanges]) -> Subject:
    """A subject whose session has one version more."""
    assert subject.tree is not None
    program, json_data, made = subject.program, subject.json_data, tuple(changes)
    for change in made:
        if isinstance(change, OptInputDataDiff):
            assert change.added is not None
            json_data = change.added.json_data
        else:
            program = program.apply(change)
    id = f"v{len(subject.tree.versions)}"
    version = ModelVersion(
        id=id, parent=subject.tree.head, program=program, json_data=json_data,
        data_id=data_id(json_data), sentence="", summary=summary(made),
    )  # fmt: skip
    versions = (*subject.tree.versions, version)
    tree = replace(subject.tree, versions=versions, branches={**subject.tree.branches, "main": id}, head=id)
    built = make_subject(program.composed(), json_data)
    return replace(built, base=subject.base, tree=tree, checks=subject.checks)


def taken_back(subject: Subject, steps: int) -> Subject:
    """A subject some versions ago, with those after it still there."""
    assert subject.tree is not None
    head = subject.tree.line()[steps]
    built = make_subject(head.program.composed(), head.json_data)
    tree = replace(subject.tree, head=head.id)
    return replace(built, base=subject.base, tree=tree, checks=subject.checks)


def with_past() -> Subject:
    """The knapsack after some sentences."""
    subject = opened("knapsack")
    for said in SENTENCES:
        edits = list(understand(said, subject).proposals[0].edits)
        subject = grown(subject, to_changes(edits, subject.program, subject.json_data))
    assert subject.tree is not None
    branches = {**subject.tree.branches, "cheap": "v2", "Night shift": "v3"}
    return replace(subject, tree=replace(subject.tree, branches=branches), checks=CHECKS)


@pytest.fixture(scope="session")
def subjects() -> dict[str, Subject]:
    """A subject for each model file, built once; "later" and "undone" are a knapsack with a past."""
    files = {name: make_subject(model.read_text(), data.read_text()) for name, (model, data) in FILES.items()}
    later = with_past()
    return {**files, "later": later, "undone": taken_back(later, 2)}


@pytest.fixture(scope="session")
def grow() -> Callable[[Subject, Iterable[ModelChanges]], Subject]:
    """Adds a version to the session of a subject."""
    return grown


@pytest.fixture(scope="session")
def rebuilt() -> Callable[[str, str], Subject]:
    """Builds a subject from source and data."""
    return make_subject
