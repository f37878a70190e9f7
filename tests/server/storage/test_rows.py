"""A record that becomes a row comes back as the same record."""

from hypothesis import given, strategies as st

from decision_ai.client.schemas.chat_messages.chat import Prompt
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.solving.findings import IncompatiblePart
from decision_ai_server.storage import rows
from decision_ai_server.storage.records import DataRecord, VersionRecord
from decision_ai_server.storage.schema import MESSAGES, OPT_INPUT_DATA, VERSIONS

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
CHANGES = st.lists(st.dictionaries(TEXT, TEXT | st.integers() | st.none() | st.lists(TEXT)), max_size=3)


class Row:
    """The two ways a row of SQLAlchemy is read."""

    def __init__(self, fields: dict[str, object]) -> None:
        self._mapping = fields

    def __getattr__(self, name: str) -> object:
        return self._mapping[name]


PARTS = st.lists(st.builds(IncompatiblePart, id=TEXT, reason=TEXT), max_size=3).map(tuple)


@given(changes=CHANGES, sentence=TEXT, parent=st.none() | TEXT, seq=st.integers(1), incompatible=PARTS)
def test_versions(
    changes: list[dict[str, object]],
    sentence: str,
    parent: str | None,
    seq: int,
    incompatible: tuple[IncompatiblePart, ...],
) -> None:
    record = VersionRecord(
        id="v2",
        session_id="s",
        parent=parent,
        created_at=1,
        author="assistant",
        approver="owner",
        sentence=sentence,
        changes=changes,
        source="",
        data_id="d",
        hash="h",
        incompatible=incompatible,
    )
    row = rows.version_row(record, seq)
    assert set(row) == set(VERSIONS.c.keys())
    assert rows.version_record(Row(row)) == record  # type: ignore[arg-type]


@given(text=TEXT)
def test_data_know_their_size_in_bytes(text: str) -> None:
    record = DataRecord(id="d", created_at=1, json_data=text)
    row = rows.data_row(record)
    assert set(row) == set(OPT_INPUT_DATA.c.keys())
    assert row["size"] == len(text.encode())
    assert rows.data_record(Row(row)) == record  # type: ignore[arg-type]


def test_an_envelope_without_a_time_is_filed_under_the_time_it_came() -> None:

    container = MessageContainer(chat_session_id="s", message=Prompt(prompt="hello"))
    row = rows.message_row(container, "s", 1, now=7)
    assert set(row) == set(MESSAGES.c.keys())
    assert (row["kind"], row["created_at"]) == ("prompt", 7)
    assert rows.message_container(Row(row)) == container  # type: ignore[arg-type]
