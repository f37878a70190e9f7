import os
import socket
from pathlib import Path

import pytest


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("example.org", 443), ("2001:db8::1", 80, 0, 0)])
def test_a_connection_to_the_outside_is_refused(address: tuple[str | int, ...]) -> None:
    family = socket.AF_INET6 if len(address) == 4 else socket.AF_INET
    with socket.socket(family) as sock:
        for connect in (sock.connect, sock.connect_ex):
            with pytest.raises(PermissionError, match="a test may reach loopback only"):
                connect(address)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_loopback_is_open(host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as sock:
        sock.connect((host, server.getsockname()[1]))


def test_the_environment_has_a_state_folder_of_this_test_and_no_other_setting(tmp_path: Path) -> None:
    ours = {name: value for name, value in os.environ.items() if name.startswith("DECISION_AI_")}
    assert ours == {"DECISION_AI_STATE_DIR": str(tmp_path / "state")}
