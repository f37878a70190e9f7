"""The entry: a server, its models, data and sessions."""

import warnings
from collections.abc import Callable, Iterator
from typing import Self

from decision_ai.client.chat_session import ChatSession
from decision_ai.client.local_server import LocalServer, join_or_start
from decision_ai.client.request_handler import RequestHandler
from decision_ai.client.schemas.chat_session import ChatSessionState
from decision_ai.client.settings import ClientSettings
from decision_ai.client.uploads import DataForm, ModelForm, data_text, model_source


class DecisionAI:
    """A client of one server; without an address, of a private one that ends with its last client.

    Args:
        base_url: address of a server; default `DECISION_AI_URL`, else a private server on this machine.
        api_key: the key that server gave you; default `DECISION_AI_API_KEY`.
        on_notice: told, if a private server has other settings than this process; default a warning.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        on_notice: Callable[[str], None] | None = None,
    ) -> None:
        self._settings = settings = ClientSettings()
        url = base_url or settings.url
        key = api_key or (settings.api_key.get_secret_value() if settings.api_key else None)
        self._server: LocalServer | None = None
        if url is None:
            self._server = server = join_or_start(settings.state_dir)
            self.request_handler = RequestHandler(server.url, server.key, revive=server.revive)
            if server.notice is not None:
                (on_notice or _warn)(server.notice)
        else:
            self.request_handler = RequestHandler(url, key)
        """Talks REST to the server; `ChatSession.from_state` takes it."""

    def create_opt_model(self, model: ModelForm, name: str | None = None) -> str:
        """Store a model and get its id.

        Args:
            model: path or text of a model file, or its model class; an id is given back as it is.
            name: what to call it; default the name of its model class.

        Raises:
            DecisionAIError: if the file cannot be found.
            ServerRefused: if the file is not a model file.
        """
        source = model_source(model)
        if source is None:
            return str(model)
        return self.request_handler.create_opt_model(source, name)

    def create_chat_session(
        self, model: ModelForm, data: DataForm, reasoning_enabled: bool | None = None
    ) -> ChatSession:
        """Start a session.

        Args:
            model: path or text of a model file, its model class, or the id of a stored model.
            data: an `InputData` object; a dictionary of values and tables by field; a data frame of pandas or
                Polars; a path of a JSON, CSV or Excel file or of a folder of CSV files; JSON text; or an id
                of stored data.
            reasoning_enabled: whether the assistant says what it thinks before it acts.

        Raises:
            DecisionAIError: if a file cannot be found or read.
            DataError: if tables do not fit the model's classes; every problem names its place.
            ServerRefused: if the model does not build on the data.
        """
        text = data_text(data, lambda: self._source(model))
        data_id = str(data) if text is None else self.request_handler.create_opt_input_data(text)
        model_id = self.create_opt_model(model)
        state = self.request_handler.create_chat_session(model_id, data_id, reasoning_enabled)
        return ChatSession(self.request_handler, state.id, settings=self._settings)

    def _source(self, model: ModelForm) -> str:
        source = model_source(model)
        return self.request_handler.opt_model_source(str(model)) if source is None else source

    def list_chat_sessions(self) -> Iterator[ChatSessionState]:
        """All sessions, newest first, fetched page by page as you go."""
        before: str | None = None
        while True:
            page = self.request_handler.chat_sessions(before=before)
            yield from page.items
            before = page.next
            if before is None:
                return

    def continue_chat_session(self, chat_session_id: str) -> ChatSession:
        """A session that was started before.

        Raises:
            ServerRefused: if there is none of this id.
        """
        state, _ = self.request_handler.chat_session(chat_session_id)
        return ChatSession(self.request_handler, state.id, settings=self._settings)

    def delete_chat_session(self, chat_session_id: str) -> None:
        """Delete a session with everything that was said in it."""
        self.request_handler.delete_chat_session(chat_session_id)

    def close(self) -> None:
        """Let go of the server; a private one ends when no other process uses it."""
        self.request_handler.close()
        if self._server is not None:
            self._server.release()
            self._server = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"DecisionAI({self.request_handler.base_url!r})"


def _warn(notice: str) -> None:
    """Warn at the line of whoever made the client."""
    warnings.warn(notice, stacklevel=3)
