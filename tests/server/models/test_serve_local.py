import pytest
from pydantic import SecretStr

from decision_ai.errors import DecisionAIError
from decision_ai_server.models.serve_local import refuse_what_cannot_be_served
from decision_ai_server.settings import LocalModelSettings


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_this_machine_needs_no_key(host: str) -> None:
    refuse_what_cannot_be_served(host, LocalModelSettings())


def test_others_need_a_key() -> None:
    with pytest.raises(DecisionAIError, match=r"at 0\.0\.0\.0 others could .* DECISION_AI_LOCAL_API_KEY"):
        refuse_what_cannot_be_served("0.0.0.0", LocalModelSettings())
    refuse_what_cannot_be_served("0.0.0.0", LocalModelSettings(local_api_key=SecretStr("k")))


def test_the_extra_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("decision_ai_server.models.serve_local.find_spec", lambda name: None)
    with pytest.raises(
        DecisionAIError, match=r"the extra `local` is not installed; run: .*decision-ai\[local\]"
    ):
        refuse_what_cannot_be_served("127.0.0.1", LocalModelSettings())
