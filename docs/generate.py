"""Writes the generated parts of docs/ anew: diagram, examples, tables of settings. Run it with `make docs`.

A generated part stands between `<!-- generated: NAME -->` and `<!-- end -->`; NAME is `moves`, `settings/llm`
or a golden file.
"""

import json
import re
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from decision_ai.wire.moves import diagram
from decision_ai_server.settings import LlmSettings

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
    if name == "settings/llm":
        return _settings_table(LlmSettings)
    example = _shortened(json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8")))
    if not name.startswith("values/") and name != "client/prompt":
        example = example["message"]  # the envelope is shown once
    return f"```json\n{json.dumps(example, indent=2, ensure_ascii=False)}\n```"


def _settings_table(settings: type[BaseModel]) -> str:
    lines = ["| setting | default | meaning |", "| --- | --- | --- |"]
    for name, field in settings.model_fields.items():
        default = "" if field.default is None else f"`{json.dumps(field.default)}`"
        lines.append(f"| `{name.upper()}` | {default} | {' '.join((field.description or '').split())} |")
    return "\n".join(lines)


def _shortened(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_shortened(item) for item in value]
    if isinstance(value, str) and len(value) > _LONGEST:
        return f"{value[:_LONGEST]} …"
    return value


if __name__ == "__main__":
    for document in DOCS.glob("*.md"):
        document.write_text(generated(document.read_text(encoding="utf-8")), encoding="utf-8")
