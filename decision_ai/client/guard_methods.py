"""Guard rails of a session: locked decisions, checks that are kept, and plans that somebody brings."""

from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeAlias

from decision_ai.client.backoff import Backoff
from decision_ai.client.checked_plan import CheckedPlan, PlanForm, plan_of
from decision_ai.client.data_methods import required_text
from decision_ai.client.loop_thread import call_in_thread, run_blocking
from decision_ai.client.preview import HeadProgram
from decision_ai.client.remote_files import remote_files
from decision_ai.client.request_handler import RequestHandler
from decision_ai.client.schemas.chat_messages.changes import ConstraintDiff
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai.client.schemas.constraint import Constraint
from decision_ai.client.shared_executor import OpenExecutor, shared_executor
from decision_ai.client.solution import Solution, validation_sentence
from decision_ai.client.uploads import DataForm
from decision_ai.errors import DataError
from decision_ai.modeling.check_text import CheckForm, plan_check
from decision_ai.modeling.locking import (
    Fixed,
    Key,
    key_of,
    lock_changes,
    locks,
    named_members,
    no_such_members,
    unlock_changes,
)
from decision_ai.modeling.program import Program
from decision_ai.solving.executors.base import Executor, Job, JobResult, ModelDescription
from decision_ai.solving.findings import CheckResult, PartName, PlanCheck, PricedPlan
from decision_ai.solving.parameters import SolveParameters

Decision: TypeAlias = str | Iterable[str] | Mapping[str, Any]
"""`"pack[Tent]"`; a family, `"pack"`; several of these; or family → {key: value}, [key, …] or a value."""
Values: TypeAlias = dict[str, dict[Key, float | None]]
"""Family → key → value; None stands for the value of the newest plan."""


class GuardMethods:
    """What holds a session's plans together while it changes."""

    id: str
    _requests: RequestHandler
    _open_executor: OpenExecutor | None
    _newest: tuple[str, Solution] | None
    """Hash of the version that this object solved last, and the solution."""

    def lock(self, decision: Decision, value: float | None = None) -> ChatSessionState:
        """Hold decisions fixed, as a rule of the model: one new version, approved by you.

        What is locked already stays locked. Say `lock("pack[Tent]", 1)`, `lock("pack")` for all
        of it as in the newest plan, `lock({"pack": {"Tent": 1}})` or `{"pack": ["Tent"]}`.

        Args:
            decision: which members.
            value: where to hold them; None takes the values of the newest plan that this object solved.

        Returns:
            The new state.

        Raises:
            DataError: if a member does not exist, a value cannot be one, or there is no plan to take it from.
            ProgramError: if there is no such variable family.
            StateConflict: if the session changed in the meantime; nothing is written.
        """
        if value is not None and isinstance(decision, Mapping):
            raise DataError("say the values in the mapping, or name the members in a text and give one value")
        return self._changed(*run_blocking(self._lock(decision, value)))

    def unlock(self, decision: str | Iterable[str] | None = None) -> ChatSessionState:
        """Let locked decisions go, as one new version.

        Args:
            decision: a member, a family, or several; None lets everything go.

        Raises:
            ProgramError: if there is no such family, or it is not locked.
            DataError: if a member is not locked.
            StateConflict: if the session changed in the meantime; nothing is written.
        """
        state, etag = self._requests.chat_session(self.id)
        program = _whole_program(self)
        names = list(locks(program)) if decision is None else _texts(decision)
        changes: list[ConstraintDiff] = []
        for name in names:
            made = _unlocking(program, name)
            changes += made
            for change in made:
                program = program.apply(change)
        return self._changed(state, etag, changes)

    def locks(self) -> dict[str, Fixed]:
        """What is locked: family → key → value, or family → value where it has no index."""
        return {family: lock.fixed for family, lock in locks(_whole_program(self)).items()}

    def checks(self) -> list[PlanCheck]:
        """The checks that are kept; the preview of every change says how the new plan does on them."""
        return self._requests.checks(self.id)

    def keep_check(self, name: str, sentence: str, code: CheckForm) -> list[PlanCheck]:
        """Keep a named check; one of the same name is replaced. The model does not change.

        Args:
            name: what to call it, such as "tent_or_stove".
            sentence: what must hold, in your words.
            code: an expression such as "v.pack['Tent'] + v.pack['Stove'] <= 1"; or a function of (data, v) or
                (self, data, v), or its text, that returns or yields comparisons, returns a bool, or asserts.

        Returns:
            All checks that are kept now.

        Raises:
            ProgramError: if the code is none of these.
            DataError: if the name cannot be one, or a function has no source.
            ServerRefused: if the code uses what a model may not use.
        """
        check = plan_check(name, sentence, code)
        return self._requests.keep_check(self.id, check)

    def remove_check(self, name: str) -> list[PlanCheck]:
        """Keep a check no longer; the answer is what is kept now.

        Raises:
            ServerRefused: if there is none of that name.
        """
        return self._requests.remove_check(self.id, name)

    def test_checks(self, parameters: SolveParameters | None = None) -> list[CheckResult]:
        """Solve the present version on this machine and see how its plan does on the checks that are kept.

        Args:
            parameters: limits and gaps of the solve.

        Raises:
            DataError: if the model does not build.
        """
        checks = self.checks()
        return run_blocking(self._test_checks(checks, parameters)) if checks else []

    def check_plan(self, plan: PlanForm, data: DataForm | None = None) -> CheckedPlan:
        """What a plan is worth and what it breaks, kept checks included; nothing is solved or changed.

        Args:
            plan: a plan or solution; family → {key: value}; a path of .xlsx, .csv, .json or a folder of CSV
                files; a data frame, or a dictionary of them by family.
            data: other data to price it on; None takes the session's.

        Raises:
            DataError: if the plan or the data cannot be read, or the model does not build on them.
            DecisionAIError: if a file cannot be read.
        """
        return run_blocking(self._check_plan(plan, data, self.checks()))

    async def _lock(
        self, decision: Decision, value: float | None
    ) -> tuple[ChatSessionState, str, list[ConstraintDiff]]:
        state, etag = await call_in_thread(self._requests.chat_session, self.id)
        head, json_data = await self._head()
        async with self._executor() as executor:
            described = await _described(executor, head.code, json_data)
            values = _values(decision, value, described)
            program = await call_in_thread(_whole_program, self)
            changes = lock_changes(program, self._filled(values, described))
            await _check_build(executor, head.code, json_data, changes)
        return state, etag, changes

    def _changed(self, state: ChatSessionState, etag: str, changes: list[ConstraintDiff]) -> ChatSessionState:
        """Make one version of changes of constraints; none make none."""
        if not changes:
            return state
        constraints = dict(state.constraints)
        for change in changes:
            if change.added is None:
                assert change.removed is not None  # a diff has one of the two
                del constraints[change.removed.constraint_id]
                continue
            known = constraints.get(change.added.constraint_id, Constraint())
            update = {"code": change.added.code, "enabled": True}
            constraints[change.added.constraint_id] = known.model_copy(update=update)
        return self._requests.patch_chat_session(state.model_copy(update={"constraints": constraints}), etag)

    def _filled(self, values: Values, described: ModelDescription) -> dict[str, Fixed]:
        """The values to lock, those of the newest plan where none are given."""
        filled: dict[str, Fixed] = {}
        for family, members in values.items():
            known = {
                key: self._newest_value(family, key) if value is None else value
                for key, value in members.items()
            }
            scalar = described.families[family].indices == [()]
            filled[family] = known[()] if scalar else known
        return filled

    def _newest_value(self, family: str, key: Key) -> float:
        solution = None if self._newest is None else self._newest[1]
        if solution is None or solution.plan is None:
            raise DataError("there is no plan to take values from; solve the session first or give a value")
        members = solution.plan.family(family) if family in solution.plan.values else {}
        if key not in members:
            raise DataError(f"the newest plan has no {family}[{key!r}]; solve again or give a value")
        return members[key]

    async def _test_checks(
        self, checks: list[PlanCheck], parameters: SolveParameters | None
    ) -> list[CheckResult]:
        head, json_data = await self._head()
        job = Job(
            task="solve",
            source=head.code,
            json_data=json_data,
            parameters=parameters or SolveParameters(),
            checks=checks,
        )
        async with self._executor() as executor:
            result = _sound(await executor.run(job))
        self._newest = head.hash, Solution.of(result)
        return result.findings.checks

    async def _check_plan(
        self, plan: PlanForm, data: DataForm | None, checks: list[PlanCheck]
    ) -> CheckedPlan:
        head, json_data = await self._head()
        if data is not None:
            json_data = await call_in_thread(lambda given: required_text(given, head.code), data)
        async with self._executor() as executor:
            described = await _described(executor, head.code, json_data)
            read = await call_in_thread(lambda given: plan_of(given, described), plan)
            priced = await _priced(
                executor, Job(task="price", source=head.code, json_data=json_data, plan=read, checks=checks)
            )
        newest = self._newest
        best = newest[1] if data is None and newest is not None and newest[0] == head.hash else None
        return CheckedPlan(priced=priced, sense=described.sense, best=best)

    async def _head(self) -> tuple[HeadProgram, str]:
        files = remote_files(self._requests, self.id, Backoff(patience=0))
        head = await files.head()
        return head, await files.data(head.opt_input_data_id)

    def _executor(self) -> AbstractAsyncContextManager[Executor]:
        return (self._open_executor or shared_executor)()


def _whole_program(session: GuardMethods) -> Program:
    """The present program with what is left out because it does not build: locks may be among it."""
    return Program.parse(session._requests.program(session.id, whole=True).code)


def _texts(decision: str | Iterable[str]) -> list[str]:
    return [decision] if isinstance(decision, str) else list(decision)


def _values(decision: Decision, value: float | None, described: ModelDescription) -> Values:
    """The members that are meant, each with its value."""
    indices = {name: family.indices for name, family in described.families.items()}
    said = decision if isinstance(decision, Mapping) else dict.fromkeys(_texts(decision), value)
    values: Values = {}
    for text, given in said.items():
        family, keys = named_members(text, indices)
        members = _members(keys, given)
        missing = members.keys() - set(keys)
        if missing:
            raise no_such_members(family, [key for key in members if key in missing], keys)
        values.setdefault(family, {}).update(members)
    return values


def _members(keys: list[Key], given: Any) -> dict[Key, float | None]:
    """What is said of the members of a family: {key: value}, [key, …], or one value for all."""
    if isinstance(given, Mapping):
        return {_key(key): value for key, value in given.items()}
    if isinstance(given, list | tuple | set | frozenset):
        return dict.fromkeys(map(_key, given))
    return dict.fromkeys(keys, given)


def _key(key: Any) -> Key:
    return key_of(key) if isinstance(key, tuple) else key


def _unlocking(program: Program, text: str) -> list[ConstraintDiff]:
    family = text.partition("[")[0].strip()
    lock = locks(program).get(family)
    if lock is None or text.strip() == family:
        return unlock_changes(program, family)
    locked = list(lock.fixed) if isinstance(lock.fixed, Mapping) else [()]
    indices = {family: [key if isinstance(key, tuple) else (key,) for key in locked]}
    return unlock_changes(program, family, named_members(text, indices)[1])


async def _priced(executor: Executor, job: Job) -> PricedPlan:
    """A plan priced, also where a kept check keeps the pricing from its end."""
    result = await executor.run(job)
    if isinstance(result.validation, ValidationSucceeded):
        priced = result.findings.priced
        assert priced is not None  # a price that succeeds has one
        return priced
    if not job.checks:
        raise DataError(validation_sentence(result.validation))
    priced = await _priced(executor, job.model_copy(update={"checks": []}))
    why = "the checks that are kept did not come to an end; remove the one that does not"
    unknown = [
        CheckResult(name=check.name, sentence=check.sentence, holds=None, message=why) for check in job.checks
    ]
    return priced.model_copy(update={"checks": unknown})


async def _described(executor: Executor, code: str, json_data: str) -> ModelDescription:
    result = _sound(await executor.run(Job(task="build", source=code, json_data=json_data)))
    assert result.description is not None  # what builds is described
    return result.description


async def _check_build(executor: Executor, code: str, json_data: str, changes: list[ConstraintDiff]) -> None:
    """Build the model with the changes in it, so that nothing is sent that does not build."""
    program = Program.parse(code)
    for change in changes:
        left_out = change.removed is not None and change.removed.constraint_id not in program.constraints
        program = program.apply(ConstraintDiff(added=change.added) if left_out else change)
    focus = [PartName(kind="constraint", id=change.added.constraint_id) for change in changes if change.added]
    _sound(await executor.run(Job(task="build", source=program.composed(), json_data=json_data, focus=focus)))


def _sound(result: JobResult) -> JobResult:
    """A result whose check passed.

    Raises:
        DataError: if it did not.
    """
    if not isinstance(result.validation, ValidationSucceeded):
        raise DataError(validation_sentence(result.validation))
    return result
