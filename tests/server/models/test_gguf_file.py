import contextlib
import json
import struct
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from decision_ai.errors import DecisionAIError
from decision_ai_server.models.gguf_file import chat_template, corrected_template
from tests.server.models.tiny import TEMPLATE, array, gguf, number, string, text

QWEN = (
    r'{{- "<tool_call>\n{{\"name\": <function-name>, \"arguments\": <args-json-object>}}\n</tool_call>" }}'
    "{{ x }}"
)


def test_the_template_is_found_behind_values_of_every_kind(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(
        gguf(
            number("layers", 2),
            array("types", 5, [struct.pack("<i", 1)] * 3),
            array("tokens", 8, [text("a"), text("ü")]),
            string(TEMPLATE, "{{ messages }}"),
        )
    )
    assert chat_template(path) == "{{ messages }}"
    assert corrected_template(path) is None


def test_a_file_without_a_template(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf(number("layers", 2)))
    assert chat_template(path) is None
    assert corrected_template(path) is None


def test_the_doubled_braces_of_qwen_are_corrected_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf(string(TEMPLATE, QWEN)))
    corrected = corrected_template(path)
    assert corrected is not None
    shown = corrected[corrected.index("{\\") : corrected.index("}\\n") + 1].replace('\\"', '"')
    assert json.loads(shown.replace("<function-name>", '"f"').replace("<args-json-object>", "{}")) == {
        "name": "f",
        "arguments": {},
    }
    assert corrected.endswith("{{ x }}")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "does not begin like one"),
        (b"PK\x03\x04", "does not begin like one"),
        (b"GGUF", "ends in the middle"),
        (gguf(text("k") + struct.pack("<I", 99)), "unknown type 99"),
        (gguf(struct.pack("<Q", 2**60)), "a text of"),
        (gguf(array("nested", 9, [array("", 9, [])])), "unknown type 9"),
        (gguf(text("k") + struct.pack("<IIQ", 9, 4, 2**62)), "a list of"),
        (gguf(text("k") + struct.pack("<IIQ", 9, 8, 2**20)), "a text of|ends in the middle"),
    ],
)
def test_what_is_no_gguf_is_told(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(content)
    with pytest.raises(DecisionAIError, match=f"is not a GGUF file: .*({why})"):
        chat_template(path)


@given(st.binary(max_size=200))
def test_no_bytes_end_in_another_error(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "m.gguf"
    path.write_bytes(b"GGUF" + content)
    with contextlib.suppress(DecisionAIError):
        chat_template(path)
