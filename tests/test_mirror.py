"""Every module has a test module in the same place of the other tree, and the other way round."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
TREES = {"decision_ai": "tests", "server/decision_ai_server": "tests/server"}

WITHOUT_A_TEST_MODULE = {
    "decision_ai/__about__.py": "one string",
    "decision_ai/client/connect_options.py": "values",
    "decision_ai/client/schemas/": "declarations: tests/client/schemas/test_seed.py and tests/golden",
    "decision_ai/examples/": "model files, all in one table: tests/examples/test_examples.py",
    "decision_ai/solving/executors/base.py": "a port and its values",
    "decision_ai/modeling/parts.py": "values",
    **dict.fromkeys(
        [f"decision_ai/modeling/unit_{name}.py" for name in ("calls", "checks", "expressions", "shapes")],
        "part of the inference of units: tests/modeling/test_unit_inference.py",
    ),
    "decision_ai/solving/findings.py": "values",
    "decision_ai/modeling/importing/data_parts.py": "part of the writer: its test_program_writer.py",
    "decision_ai/modeling/importing/expressions.py": "part of the writer: its test_program_writer.py",
    "decision_ai/modeling/importing/script_child.py": "the other process of test_pulp_script.py",
    "decision_ai/modeling/importing/shapes.py": "values",
    "decision_ai/sandbox/allowed.py": "tables: tests/sandbox/test_policy.py",
    "decision_ai/sandbox/annotations.py": "part of the policy: tests/sandbox/test_policy.py",
    "decision_ai/sandbox/bindings.py": "part of the policy: tests/sandbox/test_policy.py",
    "decision_ai/sandbox/settings.py": "values",
    "decision_ai/sandbox/special.py": "part of the policy: tests/sandbox/test_policy.py",
    "decision_ai/solving/blame.py": "part of building: tests/solving/test_building.py",
    "decision_ai/solving/families.py": "part of building: tests/solving/test_building.py",
    "server/decision_ai_server/agent/expressions.py": "what rules are made of: its test_rule_edits.py",
    "server/decision_ai_server/agent/ports.py": "ports and their values",
    "server/decision_ai_server/agent/steps.py": "values",
    "server/decision_ai_server/model_client/context.py": "values",
    "server/decision_ai_server/model_client/events.py": "values",
    "server/decision_ai_server/storage/records.py": "values",
    "server/decision_ai_server/storage/schema.py": "tables: tests/server/storage/test_migrations.py",
    "server/decision_ai_server/web/session_views.py": "over HTTP: tests/server/web/test_chat_sessions.py",
    "server/decision_ai_server/sessions/audience.py": "part of the runner: its test_runner.py",
    "server/decision_ai_server/sessions/ports.py": "ports and their values",
    "server/decision_ai_server/web/ports.py": "ports and their values",
}
WITHOUT_A_MODULE = {
    "tests/client/schemas/test_seed.py": "the published page, class by class",
    "tests/docs/": "documents and notebooks",
    "tests/e2e/": "both processes together",
    "tests/examples/test_examples.py": "all model files",
    "tests/wire/test_protocol_document.py": "docs/protocol.md",
    "tests/wire/test_conversation_over": "two peers",
    "tests/golden/test_golden.py": "the golden files",
    "tests/server/model_client/test_local_server_quirks.py": "real and played servers of local models",
    "tests/sandbox/test_hostile.py": "attacks on the whole sandbox",
    "tests/test_architecture.py": "the laws of the layout",
    "tests/test_exports.py": "the public names",
    "tests/test_mirror.py": "this table",
    "tests/test_sealed.py": "the suite itself",
}


def found(folder: str, pattern: str) -> set[str]:
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob(pattern)}


MODULES = {path for tree in TREES for path in found(tree, "*.py") if not path.endswith("/__init__.py")}
TEST_MODULES = found("tests", "test_*.py")


def mirrored(module: str) -> str:
    """Where the test of a module begins: `test_x.py`, or `test_x_...py` where one file were too long."""
    tree = next(tree for tree in TREES if module.startswith(f"{tree}/"))
    path = Path(TREES[tree]) / Path(module).relative_to(tree)
    return (path.parent / f"test_{path.stem.strip('_')}").as_posix()


def covering(module: str) -> set[str]:
    start = mirrored(module)
    return {test for test in TEST_MODULES if test == f"{start}.py" or test.startswith(f"{start}_")}


def test_every_module_has_a_test_module() -> None:
    untested = {module for module in MODULES if not covering(module)}
    assert {path for path in untested if not path.startswith(tuple(WITHOUT_A_TEST_MODULE))} == set()


def test_every_test_module_has_a_module() -> None:
    known = {test for module in MODULES for test in covering(module)}
    strays = TEST_MODULES - known
    assert {path for path in strays if not path.startswith(tuple(WITHOUT_A_MODULE))} == set()


def test_no_exception_is_out_of_date() -> None:
    places = MODULES | TEST_MODULES
    for place in [*WITHOUT_A_TEST_MODULE, *WITHOUT_A_MODULE]:
        assert any(path.startswith(place) for path in places), place
