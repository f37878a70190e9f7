"""Any walk among versions: nothing is lost, numbers and texts stay, the store holds what the server says."""

import asyncio
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from opening import SESSION, fill, make_parts

from decision_ai.errors import DecisionAIError
from decision_ai_server.agent import moving
from decision_ai_server.agent.ports import ModelVersion, VersionTree
from decision_ai_server.sessions.runner import SessionRunner, open_runner
from decision_ai_server.storage.records import SessionRecord
from decision_ai_server.storage.store import Store
from decision_ai_server.testing import ScriptedModeller

RULES = ("capacity", "max_items")
PRIORITIES = ("hard", "A", "B", "C")
NAMES = ("cheap", "Nachtschicht ☾", "main", "7", " ", "version 1")


class Walk(RuleBasedStateMachine):
    """One session on a real store; `known` is what every version was when it was first seen."""

    def __init__(self) -> None:
        super().__init__()
        self._stack, self._loop = AsyncExitStack(), asyncio.Runner()
        folder = self._stack.enter_context(tempfile.TemporaryDirectory())
        self._store: Store = self._run(
            self._stack.enter_async_context(Store.open(f"sqlite+aiosqlite:///{Path(folder) / 'walk.db'}"))
        )
        self._run(fill(self._store))
        self._parts = make_parts(self._store, ScriptedModeller({}), ids=count(1), clock=count(1000))
        self._runner: SessionRunner = self._run(open_runner(self._parts, SESSION))
        self.known: dict[str, tuple[int, str | None, str]] = {}

    def teardown(self) -> None:
        self._run(self._stack.aclose())
        self._loop.close()

    @property
    def tree(self) -> VersionTree:
        return self._run(self._runner.tree())

    @property
    def head(self) -> ModelVersion:
        return self.tree.line()[0]

    @rule(id=st.sampled_from(RULES), enabled=st.booleans())
    def switch(self, id: str, enabled: bool) -> None:
        self._edit(lambda tree: [tree.line()[0].program.switch(id, enabled=enabled)])

    @rule(id=st.sampled_from(RULES), priority=st.sampled_from(PRIORITIES))
    def prioritise(self, id: str, priority: Any) -> None:
        self._edit(lambda tree: [tree.line()[0].program.prioritise(id, priority)])

    @rule(id=st.sampled_from((*RULES, "objective", "take", "nothing")))
    def reset(self, id: str) -> None:
        self._edit(lambda tree: moving.reset(tree, id))

    @rule(steps=st.integers(1, 4))
    def undo(self, steps: int) -> None:
        before = self.tree
        line = before.line()
        if self._move(lambda tree: moving.undo(tree, steps)):
            assert self.tree.head == line[min(steps, len(line) - 1)].id
            assert (self.tree.branch, self.tree.branches) == (before.branch, before.branches)
        else:
            assert len(line) == 1

    @precondition(lambda self: self.tree.line()[1:])
    @rule(steps=st.integers(1, 4))
    def undo_and_redo(self, steps: int) -> None:
        before = self.tree
        steps = min(steps, len(before.line()) - 1)
        assert self._move(lambda tree: moving.undo(tree, steps))
        assert self._move(lambda tree: moving.redo(tree, steps))
        assert self.tree == before

    @rule(steps=st.integers(1, 4))
    def redo(self, steps: int) -> None:
        before = self.tree
        if self._move(lambda tree: moving.redo(tree, steps)):
            assert before.head in {version.id for version in self.tree.line()[1:]}
            assert self.tree.branches == before.branches
        else:
            assert before.branches[before.branch] == before.head

    @rule(name=st.sampled_from(NAMES))
    def branch(self, name: str) -> None:
        before = self.tree
        if self._move(lambda tree: moving.branch(tree, name)):
            assert self.tree.head == self.tree.branches[name] == before.head
            assert {key: tip for key, tip in self.tree.branches.items() if key != name} == before.branches

    @rule(data=st.data())
    def checkout(self, data: st.DataObject) -> None:
        tree = self.tree
        numbers = range(len(tree.versions))
        targets = {str(n): tree.versions[n].id for n in numbers} | {v.id: v.id for v in tree.versions}
        targets |= tree.branches
        target = data.draw(st.sampled_from(sorted(targets)))
        assert self._move(lambda tree: moving.checkout(tree, target))
        assert self.tree.head == targets[target]
        if target in tree.branches:
            assert self.tree.branch == target

    @rule(component=st.sampled_from((*RULES, "objective", "nothing")))
    def go_before(self, component: str) -> None:
        before = self.tree
        if self._move(lambda tree: moving.before(tree, component)):
            assert self.head in before.line()[1:]

    @rule()
    def restart(self) -> None:
        before, record = self.tree, self._record()
        self._runner = self._run(open_runner(self._parts, SESSION))
        assert (self.tree, self._record()) == (before, record)

    @invariant()
    def nothing_is_lost(self) -> None:
        tree = self.tree
        seen = {v.id: (n, v.parent, v.program.source) for n, v in enumerate(tree.versions)}
        assert self.known.items() <= seen.items(), "numbers, parents and texts of versions stay"
        self.known = seen
        for n, version in enumerate(tree.versions):
            assert moving.checkout(tree, str(n)).head == version.id
            assert version.parent is None if n == 0 else seen[version.parent or ""][0] < n

    @invariant()
    def the_head_is_on_the_line_of_its_branch(self) -> None:
        tree = self.tree
        assert tree.head in {version.id for version in tree.line(tree.branches[tree.branch])}

    def _edit(self, make: Callable[[VersionTree], Any]) -> None:
        before = self.tree
        if self._changed(lambda: self._runner.edit(make, author="owner")):
            after = self.tree
            assert after.versions[:-1] == before.versions
            assert after.line()[1:] == before.line()
            assert after.branches == before.branches | {before.branch: after.head}
            assert after.branch == before.branch

    def _move(self, choose: Callable[[VersionTree], Any]) -> bool:
        versions = self.tree.versions
        done = self._changed(lambda: self._runner.move(choose))
        assert self.tree.versions == versions
        return done

    def _changed(self, do: Callable[[], Coroutine[Any, Any, SessionRecord]]) -> bool:
        """Whether it was done: then the revision grew if anything changed; else everything is as it was."""
        before, tree = self._record(), self.tree
        try:
            after = self._run(do())
        except DecisionAIError:
            assert (self._record(), self.tree) == (before, tree)
            return False
        assert after == self._record()
        assert after.revision == before.revision + (self.tree != tree)
        return True

    def _record(self) -> SessionRecord:
        return self._run(self._store.get_session(SESSION))

    def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run(work)


TestWalk = Walk.TestCase
TestWalk.settings = settings(
    max_examples=8, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
