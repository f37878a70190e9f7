"""Values and sentences as source text. Labels are hostile data: everything here comes back out as itself."""

import keyword
import re
import unicodedata
from collections.abc import Iterable

from decision_ai_server.modellers.offline.words import number_text

_LATEX_SPECIAL = str.maketrans(
    {char: f"\\{char}" for char in "_{}%&#$"} | {"\\": r"\backslash ", "^": r"\hat{}", "~": r"\sim "}
)
_LONGEST_NAME = 48


def literal(value: object) -> str:
    """A label or number as a Python literal, strings in double quotes where that needs no escape."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return repr(value)
    if not isinstance(value, str):
        return number_text(value)
    plain = value.isprintable() and '"' not in value and "\\" not in value
    return f'"{value}"' if plain else ascii(value)


def tuple_literal(values: Iterable[object]) -> str:
    """Several values as a Python tuple."""
    texts = [literal(value) for value in values]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def docstring(text: str) -> str:
    """A sentence as the docstring of a method."""
    line = " ".join(text.split())
    safe = line.isprintable() and "\\" not in line and '"""' not in line and not line.endswith('"')
    return f'"""{line}"""' if safe else ascii(line)


def formula(text: str) -> str:
    """LaTeX as a Python literal, raw where possible."""
    line = " ".join(text.split())
    raw = line.isprintable() and '"' not in line and not line.endswith("\\")
    return f'r"{line}"' if raw else ascii(line)


def latex(text: object) -> str:
    """A name or label as upright text in a formula."""
    shown = "".join(char if char.isprintable() else " " for char in str(text))
    return rf"\text{{{shown.translate(_LATEX_SPECIAL)}}}"


def identifier(words: Iterable[object], taken: Iterable[str]) -> str:
    """A readable method name that is not taken yet."""
    text = unicodedata.normalize("NFKD", "_".join(str(word) for word in words).replace("ß", "ss"))
    slug = re.sub(r"[^a-z0-9]+", "_", text.encode("ascii", "ignore").decode().lower()).strip("_")
    slug = slug[:_LONGEST_NAME].strip("_") or "rule"
    name = slug if slug[0].isalpha() and not keyword.iskeyword(slug) else f"rule_{slug}"
    known = {*taken}
    number = 2
    while (found := name if number == 2 and name not in known else f"{name}_{number}") in known:
        number += 1
    return found
