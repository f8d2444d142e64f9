"""Remove secrets from what is shown or stored: keys, passwords, addresses that contain one.

    secrets = Secrets(["sk-proj-…"])
    secrets.clean("bad key sk-proj-Zq9X")      # a part of it is enough: "bad key …"

A secret is found as it is, shortened at either end, with anything but letters and digits in between, in capitals,
backwards, and as base64, hexadecimal, percent, `\\u` and `&#` codes. Not covered: a server that disguises a key on
purpose; it has the key anyway.
"""

from __future__ import annotations

import base64
import re
import urllib.parse
from collections.abc import Iterable, Iterator

HIDDEN = "…"
_PART = 6
"""In a message, this many matching letters and digits in a row count as part of a secret."""
_LONG_PART = 12
"""The same for what is encoded, and in a model's answer: those are words, and a password may have words in it."""
_SHORTEST = 8
"""A shorter key (`none`, `test`) is a placeholder: it is hidden in messages where it stands alone, not in answers."""


def hide_credentials(address: str) -> str:
    """An address without its possible secrets: name and password, and everything after a question mark."""
    return re.sub(r"//\S*@", "//", re.split("[?#]", address)[0])


class Secrets:
    """The secrets to hide. Empty ones are ignored."""

    def __init__(self, secrets: Iterable[str]) -> None:
        found = {flat: secret for secret in secrets if (flat := _flat(secret))}
        long = [secret for flat, secret in found.items() if len(flat) >= _SHORTEST]
        self._in_messages = _Parts(long, _PART)
        self._in_answers = _Parts(long, _LONG_PART)
        short = [re.escape(secret) for flat, secret in found.items() if len(flat) < _SHORTEST]
        self._short = re.compile(rf"(?<!\w)(?:{'|'.join(short)})(?!\w)") if short else None

    def clean(self, message: str) -> str:
        """A message without secrets or parts of them. Call this before shortening the message."""
        message = self._short.sub(HIDDEN, message) if self._short else message
        return self._in_messages.hide(message)

    def clean_answer(self, text: str) -> str:
        """A model's answer without secrets."""
        return self._in_answers.hide(text)

    def stream(self) -> Stream:
        """The same for text that arrives in pieces."""
        return Stream(self._in_answers)


class Stream:
    """Passes text on as it arrives, but holds back what may become a secret."""

    def __init__(self, parts: _Parts) -> None:
        self._parts = parts
        self._text, self._shown = "", 0
        """The latest text, and how much of it has been shown: a secret may have begun there."""

    def feed(self, piece: str) -> str:
        """What can be shown now."""
        self._text += piece
        return self._show(self._parts.begins_at(self._text))

    def end(self) -> str:
        """The rest."""
        return self._show(len(self._text))

    def _show(self, end: int) -> str:
        end = max(end, self._shown)
        shown = self._parts.hide(self._text, self._shown, end)
        begin = self._parts.before(self._text, end)
        self._text, self._shown = self._text[begin:], end - begin
        return shown


class _Parts:
    """All parts of the secrets with certain lengths, by length."""

    def __init__(self, secrets: Iterable[str], length: int) -> None:
        self._parts: dict[int, set[str]] = {}
        self._beginnings: set[str] = set()
        for secret in secrets:
            self._add(_flat(secret), length)
            self._add(_flat(secret)[::-1], length)
            for form in _encoded(secret):
                self._add(_flat(form), max(length, _LONG_PART))
        self._longest = max(self._parts, default=0)

    def _add(self, form: str, length: int) -> None:
        size = min(length, len(form))
        for at in range(len(form) - size + 1):
            part = form[at : at + size]
            self._parts.setdefault(size, set()).add(part)
            self._beginnings |= {part[:end] for end in range(1, size)}

    def hide(self, text: str, start: int = 0, stop: int | None = None) -> str:
        """The text between two positions, with a placeholder for each secret that begins there."""
        stop = len(text) if stop is None else stop
        shown, end = "", start
        for first, last in self._found(text):
            if last >= end and first < stop:
                shown += text[end:first] + HIDDEN if first >= end else ""
                end = last + 1
        return shown + text[end:stop]

    def begins_at(self, text: str) -> int:
        """Where something begins that may become a secret as more text arrives; otherwise the end."""
        found, flat, at = len(text), "", len(text)
        for letter in reversed(text):
            at -= 1
            if _counts(letter):
                flat = letter.lower() + flat
                if len(flat) >= self._longest:
                    break
                if flat in self._beginnings:
                    found = at
        return found

    def before(self, text: str, end: int) -> int:
        """From where the text must be kept, to tell whether a secret continues after `end`."""
        letters = 0
        while end > 0 and letters < self._longest:
            end -= 1
            letters += _counts(text[end])
        return end

    def _found(self, text: str) -> Iterator[tuple[int, int]]:
        """The first and last position of each secret in a text."""
        places = [at for at, letter in enumerate(text) if _counts(letter)] if self._parts else []
        flat = "".join(text[at] for at in places).lower()
        marked = bytearray(len(flat))
        for size, parts in self._parts.items():
            for at in range(len(flat) - size + 1):
                if flat[at : at + size] in parts:
                    marked[at : at + size] = b"x" * size
        for run in re.finditer(b"x+", marked):
            yield places[run.start()], places[run.end() - 1]


def _counts(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()


def _flat(text: str) -> str:
    """Letters and digits alone, so that quotes, spaces and signs in between hide nothing."""
    return "".join(filter(_counts, text)).lower()


def _encoded(secret: str) -> Iterator[str]:
    data = secret.encode()
    yield data.hex()  # with percent signs in between, too
    yield "".join(f"x{byte:02x}" for byte in data)
    yield "".join(f"u{byte:04x}" for byte in data)
    yield "".join(f"x{byte:x}" for byte in data)
    yield " ".join(str(byte) for byte in data)
    yield urllib.parse.quote(secret, safe="")
    yield "".join(letter if _counts(letter) else f"%{ord(letter):02x}" for letter in secret)
    for before in range(3):  # by where in a group of three bytes it begins; its first and last letters mix with others
        yield base64.b64encode(b"\0" * before + data).decode().rstrip("=")[(before * 8 + 5) // 6 : -1]
