"""Which parts of a version do not build on its data: found out before the version is kept."""

from dataclasses import replace

from decision_ai.client.schemas.chat_messages.validation import (
    ValidationFailed,
    ValidationSucceeded,
)
from decision_ai.errors import DecisionAIError
from decision_ai.modeling.wording import failure_sentence
from decision_ai.solving.executors.base import Job
from decision_ai_server.agent.fitting import is_local
from decision_ai_server.agent.ports import ModelVersion, Run
from decision_ai_server.agent.steps import NewVersion


class DoesNotBuild(DecisionAIError):
    """A program does not build on its data."""

    def __init__(self, validation: ValidationFailed) -> None:
        self.validation = validation
        super().__init__(failure_sentence(validation))


async def marked(head: ModelVersion, version: NewVersion, run: Run) -> NewVersion:
    """The new version with the parts marked that do not build; those that do again lose their mark.

    Raises:
        DoesNotBuild: if the data do not fit their classes, or nothing can be built.
    """
    if is_local(version.changes) and not head.incompatible:
        return version  # one rule more or less changes nothing for the others
    source = version.program.composed()
    result = await run(Job(task="compatibility", source=source, json_data=version.json_data))
    if not isinstance(result.validation, ValidationSucceeded):
        raise DoesNotBuild(result.validation)
    return replace(version, incompatible=tuple(result.findings.incompatible))
