"""A recording connection keeps what a session sends, and tells history from the rest."""

from decision_ai.client.schemas.chat_messages.chat import ChatResponse
from decision_ai.client.schemas.chat_messages.container import MessageContainer
from decision_ai.client.schemas.chat_messages.live import ChatResponseDelta, LiveContainer
from decision_ai.wire.conversation import REFUSED
from decision_ai_server.testing import RecordingConnection


def test_what_is_sent_is_kept_in_order_and_history_is_told_from_the_rest():
    answer = MessageContainer(chat_session_id="s", message=ChatResponse(response="Yes."))
    refusal = answer.model_copy(update={"message_id": f"{REFUSED}1"})
    delta = LiveContainer(chat_session_id="s", message=ChatResponseDelta(delta="Y"))
    connection = RecordingConnection()

    for envelope in (delta, answer, refusal):
        connection.push(envelope)
    connection.close(1001, "going away")

    assert connection.sent == [delta, answer, refusal]
    assert connection.stored == [answer]
    assert connection.kinds == ["chat_response_delta", "chat_response", "chat_response"]
    assert connection.closed == (1001, "going away")
