"""Writes the generated parts of docs/protocol.md anew: the diagram and the examples. Run it with `make docs`.

A generated part stands between `<!-- generated: NAME -->` and `<!-- end -->`; NAME is `moves` or a golden
file.
"""

import json
import re
from pathlib import Path
from typing import Any

from decision_ai.wire.moves import diagram

DOCS = Path(__file__).parent
GOLDEN = DOCS.parent / "tests" / "golden"
_PART = re.compile(r"(<!-- generated: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)
_LONGEST = 120
"""Longer texts, such as whole programs, are cut in the examples."""


def generated(text: str) -> str:
    """The document with its generated parts as they should be."""
    return _PART.sub(lambda part: f"{part[1]}{_content(part[2])}\n{part[3]}", text)


def _content(name: str) -> str:
    if name == "moves":
        return f"```mermaid\n{diagram()}\n```"
    example = _shortened(json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8")))
    if not name.startswith("values/") and name != "client/prompt":
        example = example["message"]  # the envelope is shown once
    return f"```json\n{json.dumps(example, indent=2, ensure_ascii=False)}\n```"


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_shortened(item) for item in value]
    if isinstance(value, str) and len(value) > _LONGEST:
        return f"{value[:_LONGEST]} …"
    return value


if __name__ == "__main__":
    document = DOCS / "protocol.md"
    document.write_text(generated(document.read_text(encoding="utf-8")), encoding="utf-8")
