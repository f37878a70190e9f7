from typing import Any

import pytest

from decision_ai.client.backoff import Backoff
from decision_ai.client.remote_files import remote_files
from decision_ai.client.request_handler import RequestHandler
from decision_ai.errors import ConnectionFailed, ServerRefused


class Flaky(RequestHandler):
    """Away for the first tries."""

    def __init__(self, base_url: str, failures: int) -> None:
        super().__init__(base_url, "k")
        self.failures = failures

    def opt_input_data(self, opt_input_data_id: str) -> str:
        self.failures -= 1
        if self.failures >= 0:
            raise ConnectionFailed("away")
        return super().opt_input_data(opt_input_data_id)


@pytest.mark.parametrize("failures", [0, 3])
async def test_a_server_that_is_away_for_a_moment_is_waited_for(rest: Any, failures: int) -> None:
    rest.say({"json_data": "{}"})
    requests = Flaky(rest.url, failures)
    files = remote_files(requests, "s1", Backoff(first=0.001, longest=0.001, patience=5))
    assert await files.data("d") == "{}"
    requests.close()


async def test_patience_ends(rest: Any) -> None:
    requests = Flaky(rest.url, 10_000)
    with pytest.raises(ConnectionFailed, match="away"):
        await remote_files(requests, "s1", Backoff(first=0.001, patience=0.02)).data("d")
    requests.close()


async def test_a_refusal_is_final(rest: Any) -> None:
    rest.say({"title": "Not found"}, 404)
    requests = RequestHandler(rest.url, "k")
    with pytest.raises(ServerRefused):
        await remote_files(requests, "s1", Backoff()).head()
    assert len(rest.asked) == 1
    requests.close()
