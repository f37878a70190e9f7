"""One SQL store; the only folder that knows SQLAlchemy."""
