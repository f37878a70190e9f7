"""Where the figures of an answer come from: this turn's results, approved changes and the person's words."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from decision_ai.client.schemas.chat_messages.changes import ModelChanges, OptInputDataDiff
from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.protocol import AskForValidation, ValidationResponse
from decision_ai.client.schemas.chat_messages.validation import ValidationSucceeded
from decision_ai.modeling.comparing import DataChange
from decision_ai_server.agent.figures import Allowed, numbers_in, numbers_of, texts_of
from decision_ai_server.agent.history import read_turn
from decision_ai_server.agent.journal import Figure
from decision_ai_server.agent.known_names import Names, names_in, names_of, names_of_data
from decision_ai_server.agent.ports import CallRecord, TurnContext
from decision_ai_server.agent.words import in_brief


def allowed_in(context: TurnContext) -> Allowed:
    """What an answer of the present turn may say."""
    allowed = Allowed(names=_names_of_model(context))
    for text in _said_by_person(context):
        allowed = allowed.with_text(text)
    for record in context.calls:
        allowed = _with_call(allowed, record)
    return allowed


def _said_by_person(context: TurnContext) -> Iterator[str]:
    yield context.sentence
    for message in context.history[read_turn(context.history).start :]:
        if isinstance(message, Prompt):
            yield message.prompt
    yield from (record.rejection for record in context.calls if record.rejection)


def _with_call(allowed: Allowed, record: CallRecord) -> Allowed:
    """Typed figures and wording of a result, without what the call itself brought along; approved code."""
    given = "\n".join(texts_of(record.call.args))
    said = record.output or ""
    # Without "_" as well: an argument "1_05" is read, and told, as 105.
    brought = numbers_in(given) | numbers_in(given.replace("_", ""))
    numbers = (numbers_in(said) - brought) | numbers_of(record.figures)
    names = (names_in(said) - names_in(given)) | _names_of_result(record.figures)
    result = replace(allowed, numbers=allowed.numbers | numbers, names=allowed.names | names)
    result = result.with_lists(said)
    for change in _approved(record):
        for text in _texts(change):
            result = result.with_text(text)
    return result


def _names_of_result(figures: Mapping[str, Figure]) -> Names:
    words = [figure for figure in figures.values() if isinstance(figure, str)]
    return names_in("\n".join([*figures, *words])) | names_of(words)


def _approved(record: CallRecord) -> Iterator[ModelChanges]:
    """The changes of a call that the person approved as they were asked, once all of the set were."""
    if record.state != "approved":
        return
    for ask, answer in zip(record.asks, record.answers, strict=False):
        if not isinstance(ask, AskForValidation) or not isinstance(answer, ValidationResponse):
            continue
        passed = not answer.rejected and isinstance(answer.validation, ValidationSucceeded)
        if passed and answer.changes in (None, ask.changes):
            yield ask.changes


def _texts(change: ModelChanges) -> Iterator[str]:
    """What an approved change brought into the model, as texts."""
    brief = in_brief(change)
    if isinstance(brief, DataChange):
        yield from (text for one in brief.values for text in (one.path, one.before, one.after) if text)
    elif not isinstance(brief, OptInputDataDiff) and brief.added is not None:
        yield "\n".join(texts_of(brief.added.model_dump(mode="json")))


def _names_of_model(context: TurnContext) -> Names:
    """Ids, fields and labels: what the model's parts and its data are called."""
    program = context.head.program
    ids = [*program.constraints, *program.variables, *program.data_classes, program.model_class]
    called = names_of([*ids, *(check.name for check in context.checks)])
    # Nobody approves the name of a branch, so what it says in several words is not taken for a name.
    branches = names_in("\n".join(context.tree.branches))
    return called | branches | names_in(program.source) | names_of_data(context.head.json_data)
