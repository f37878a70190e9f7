"""The text for the person, read off JSON that is still being written."""

from collections.abc import Collection

_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_REPLACEMENT = "�"


class PartialText:
    """Reads the wanted texts of a JSON object while it arrives; broken JSON gives less, no error.

    A field counts where it is a member of the object itself (the arguments of a call) or of the object's
    `action` (a whole decision).

    Args:
        field_names: the fields whose texts are wanted, such as `answer` and `question`.
    """

    def __init__(self, field_names: Collection[str]) -> None:
        self._wanted = {(name,) for name in field_names} | {("action", name) for name in field_names}
        # One entry per open object or list: the key that is being filled, or None in a list or before a key.
        self._path: list[str | None] = []
        self._in_list: list[bool] = []
        self._in_text = False
        self._is_key = False
        self._escape = ""
        self._high = ""
        self._key: list[str] = []
        self._out: list[str] = []

    def feed(self, fragment: str) -> str:
        """Take the next piece of the JSON text.

        Returns:
            The characters of the wanted texts that became readable, unescaped; never half an escape.
        """
        self._out = []
        for character in fragment:
            if self._escape:
                self._unescape(character)
            elif self._in_text:
                self._read_text(character)
            else:
                self._read_structure(character)
        return "".join(self._out)

    def _read_structure(self, character: str) -> None:
        match character:
            case '"':
                self._in_text = True
                self._is_key = bool(self._path) and not self._in_list[-1] and self._path[-1] is None
                self._key = []
            case "{" | "[":
                self._path.append(None)
                self._in_list.append(character == "[")
            case "}" | "]" if self._path:
                self._path.pop()
                self._in_list.pop()
            case "," if self._path:
                self._path[-1] = None

    def _read_text(self, character: str) -> None:
        if character == '"':
            self._flush_high()
            self._in_text = False
            if self._is_key:
                self._path[-1] = "".join(self._key)
        elif character == "\\":
            self._escape = "\\"
        else:
            self._flush_high()
            self._say(character)

    def _unescape(self, character: str) -> None:
        self._escape += character
        if self._escape[1] != "u":
            self._escape = ""
            self._flush_high()
            self._say(_ESCAPES.get(character, character))
        elif len(self._escape) == len("\\uXXXX"):
            digits, self._escape = self._escape[2:], ""
            self._say_unit(digits)

    def _say_unit(self, digits: str) -> None:
        """One UTF-16 unit: a character, or half of one, in which case the first half waits for the second."""
        try:
            unit = chr(int(digits, 16))
        except ValueError:
            unit = _REPLACEMENT
        if self._high and "\udc00" <= unit <= "\udfff":
            pair, self._high = self._high + unit, ""
            self._say(pair.encode("utf-16", "surrogatepass").decode("utf-16"))
            return
        self._flush_high()
        if "\ud800" <= unit <= "\udbff":
            self._high = unit
        else:
            self._say(unit)

    def _flush_high(self) -> None:
        if self._high:
            self._high = ""
            self._say(_REPLACEMENT)

    def _say(self, character: str) -> None:
        if self._is_key:
            self._key.append(character)
        elif tuple(self._path) in self._wanted:
            self._out.append(_REPLACEMENT if "\ud800" <= character <= "\udfff" else character)
