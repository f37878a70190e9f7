"""The tables as the code sees them; `sql/` creates them, and a test holds the two together."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()
_ID = String(64)

OPT_MODELS = Table(
    "opt_models",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("created_at", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("source", Text, nullable=False),
)

OPT_INPUT_DATA = Table(
    "opt_input_data",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("created_at", BigInteger, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("json_data", Text, nullable=False),
)

CHAT_SESSIONS = Table(
    "chat_sessions",
    METADATA,
    Column("id", _ID, primary_key=True),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("model_id", _ID, ForeignKey("opt_models.id"), nullable=False),
    Column("data_id", _ID, ForeignKey("opt_input_data.id"), nullable=False),
    Column("head", _ID, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("reasoning_enabled", Boolean, nullable=True),
    Column("branch", _ID, nullable=False, server_default="main"),
    Index("chat_sessions_newest", "created_at", "id"),
)

VERSIONS = Table(
    "versions",
    METADATA,
    Column("session_id", _ID, ForeignKey("chat_sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("id", _ID, nullable=False),
    Column("parent", _ID, nullable=True),
    Column("created_at", BigInteger, nullable=False),
    Column("author", Text, nullable=False),
    Column("approver", Text, nullable=False),
    Column("sentence", Text, nullable=False),
    Column("changes", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("data_id", _ID, ForeignKey("opt_input_data.id"), nullable=False),
    Column("hash", Text, nullable=False),
    Column("incompatible", Text, nullable=False, server_default="[]"),
    UniqueConstraint("session_id", "id"),
)

BRANCHES = Table(
    "branches",
    METADATA,
    Column("session_id", _ID, ForeignKey("chat_sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("name", _ID, primary_key=True),
    Column("tip", _ID, nullable=False),
)

MESSAGES = Table(
    "messages",
    METADATA,
    Column("session_id", _ID, ForeignKey("chat_sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("message_id", Text, nullable=False),
    Column("kind", String(64), nullable=False),
    Column("envelope", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    UniqueConstraint("session_id", "message_id"),
)

CHECKS = Table(
    "checks",
    METADATA,
    Column("session_id", _ID, ForeignKey("chat_sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("name", _ID, nullable=False),
    Column("sentence", Text, nullable=False),
    Column("code", Text, nullable=False),
    UniqueConstraint("session_id", "name"),
)

JOURNAL = Table(
    "journal",
    METADATA,
    Column("session_id", _ID, ForeignKey("chat_sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(64), nullable=False),
    Column("payload", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

APPLIED_MIGRATIONS = Table("applied_migrations", METADATA, Column("name", Text, primary_key=True))
