"""Frames come out of a pipe as they went in."""

import os
import threading

import pytest

from decision_ai.sandbox import framing
from decision_ai.sandbox.framing import Frame, Kind

pytestmark = pytest.mark.core


def test_round_trip_of_a_frame_larger_than_the_pipe() -> None:
    read, write = os.pipe()
    body = os.urandom(300_000)
    writer = threading.Thread(target=framing.write, args=(write, Kind.SOLVED, body))
    writer.start()
    frame = framing.read(read)
    writer.join()
    os.close(write)

    assert frame == Frame(Kind.SOLVED, body)
    assert framing.read(read) is None
    os.close(read)


def test_end_in_the_middle_is_an_end() -> None:
    read, write = os.pipe()
    os.write(write, framing.head(Kind.JOB, b"12345") + b"123")
    os.close(write)

    assert framing.read(read) is None
    os.close(read)


def test_bounds_of_findings_follow_from_the_model() -> None:
    small = framing.most_priced_bytes(0, 0, 0)

    assert small >= framing.MOST_BYTES[Kind.FINDINGS]
    assert framing.most_priced_bytes(1000, 0, 0) > small + 1000 * 100
    assert framing.most_priced_bytes(0, 1000, 0) > small + 1000 * 100
    assert framing.most_priced_bytes(0, 0, 1000) >= small + 1000
    assert framing.MOST_BYTES[Kind.FINDINGS] < framing.MOST_EXPORTED_BYTES
