"""Take secrets out of what is written down about an exchange."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

REMOVED = "REMOVED"
SHORTEST_SECRET = 4
"""A shorter one would tear the text apart, and guards nothing."""
SECRET_FIELDS = frozenset(
    {"access_token", "api_key", "apikey", "authorization", "cookie", "password", "secret"}
)
DEEPEST_JSON = 2
"""JSON within JSON, as the arguments of a call are."""
DATA = "data:"


@dataclass(frozen=True)
class Scrubber:
    """Replaces secrets by `REMOVED`.

    Args:
        secrets: the values to replace, in whatever JSON text they turn up.
    """

    secrets: frozenset[str]

    def knowing(self, more: Iterable[str]) -> "Scrubber":
        """One that replaces further values; those too short to be secrets are left out."""
        return Scrubber(self.secrets | {secret for secret in more if len(secret) >= SHORTEST_SECRET})

    def value(self, value: Any) -> Any:
        """A JSON value without them; fields that are named like a secret lose their text too."""
        match value:
            case str():
                return self.text(value)
            case list():
                return [self.value(item) for item in value]
            case dict():
                return {
                    self.text(name): REMOVED
                    if isinstance(item, str) and name.lower() in SECRET_FIELDS
                    else self.value(item)
                    for name, item in value.items()
                }
            case _:
                return value

    def text(self, text: str) -> str:
        """A text without them."""
        for form in self._forms():
            text = text.replace(form, REMOVED)
        return text

    def stream(self, events: Sequence[str]) -> list[str]:
        """The events of a stream, or one plain body, without them, also where one is spread over several."""
        bodies = [_body(event) for event in events]
        runs: dict[tuple[Any, ...], list[_Fragment]] = {}
        for body in bodies:
            for fragment in _fragments(body):
                runs.setdefault(fragment.run, []).append(fragment)
        # The texts that came in pieces first: a secret that is found in a piece may be the beginning of a
        # longer one.
        for run in runs.values():
            for fragment, text in zip(run, self._apart([fragment.text for fragment in run]), strict=True):
                fragment.holder[fragment.field] = text
        return [self._event(event, body) for event, body in zip(events, bodies, strict=True)]

    def _event(self, event: str, body: Any) -> str:
        """An event whose body is `body` by now; as it came where nothing had to be removed."""
        if body is None:
            return self.text(event)
        cleaned = self.value(body)
        if cleaned == _body(event):
            return event
        written = json.dumps(cleaned)
        return f"{DATA} {written}\n\n" if event.startswith(DATA) else written

    def _apart(self, texts: Sequence[str]) -> list[str]:
        """Texts that belong together, cleaned as one and cut where they were cut."""
        whole = "".join(texts)
        letters = list(whole)
        for form in self._forms():
            start = whole.find(form)
            while start >= 0:
                letters[start : start + len(form)] = [REMOVED, *[""] * (len(form) - 1)]
                start = whole.find(form, start + len(form))
        ends = [0, *accumulate(len(text) for text in texts)]
        return ["".join(letters[start:end]) for start, end in pairwise(ends)]

    def _forms(self) -> list[str]:
        """The secrets as they are and as JSON writes them, the longest first as one may hold another."""
        forms = set(self.secrets)
        for _ in range(DEEPEST_JSON):
            forms |= {json.dumps(form, ensure_ascii=ascii)[1:-1] for form in forms for ascii in (True, False)}
        return sorted(forms, key=len, reverse=True)


@dataclass(frozen=True)
class _Fragment:
    """A piece of a text that arrives in pieces: which text it belongs to, and where it stands."""

    run: tuple[Any, ...]
    holder: dict[str, Any]
    field: str

    @property
    def text(self) -> str:
        return str(self.holder[self.field])


def _body(event: str) -> Any:
    try:
        return json.loads(event.removeprefix(DATA))
    except ValueError:
        return None


def _fragments(body: Any) -> Iterator[_Fragment]:
    """The pieces of text in an event; what has another form than a completion has none."""
    for choice in _dicts(body, "choices"):
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            continue
        for name, value in delta.items():
            if isinstance(value, str):
                yield _Fragment((choice.get("index"), name), delta, name)
        for call in _dicts(delta, "tool_calls"):
            function = call.get("function")
            if isinstance(function, dict) and isinstance(function.get("arguments"), str):
                run = (choice.get("index"), "call", call.get("index"))
                yield _Fragment(run, function, "arguments")


def _dicts(holder: Any, name: str) -> list[dict[str, Any]]:
    items = holder.get(name) if isinstance(holder, Mapping) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
