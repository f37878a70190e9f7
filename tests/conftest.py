"""The suite is sealed: no connection but loopback, no settings from outside, and no silent skip."""

import ipaddress
import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

hypothesis.settings.register_profile("suite", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--require-system-parts",
        action="store_true",
        help="fail the tests whose system part is missing, instead of skipping them",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "system_part(command): needs this program, which pip does not install")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("system_part"):
        command = marker.args[0]
        if shutil.which(command) is None:
            reason = f"system part missing: {command}"
            if item.config.getoption("--require-system-parts"):
                pytest.fail(reason, pytrace=False)
            pytest.skip(reason)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    reasons = [str(report.longrepr) for report in terminalreporter.stats.get("skipped", [])]
    missing = [reason for reason in reasons if "system part missing" in reason]
    if missing:
        terminalreporter.section(f"{len(missing)} tests skipped because a system part is missing", sep="!")


@pytest.fixture(autouse=True, scope="session")
def clean_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No setting of the person who runs the tests reaches them or the processes they start."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("DECISION_AI_")]:
            patch.delenv(name)
        patch.setenv("DECISION_AI_STATE_DIR", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(autouse=True)
def sealed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, clean_environment: None) -> None:
    """Every test has a state folder of its own and reaches nothing but loopback."""
    monkeypatch.setenv("DECISION_AI_STATE_DIR", str(tmp_path / "state"))
    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))


def _guarded(connect: Any) -> Any:
    def guarded(sock: socket.socket, address: Any) -> Any:
        if sock.family in {socket.AF_INET, socket.AF_INET6} and not _is_loopback(str(address[0])):
            raise PermissionError(f"a test may reach loopback only, not {address!r}")
        return connect(sock, address)

    return guarded


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
