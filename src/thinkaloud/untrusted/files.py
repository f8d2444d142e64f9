"""Files, JSON and TOML that others wrote: scenes, settings, guidelines, what an endpoint answers.

Every problem with one of them becomes one error, in one line: malformed text, but also an endless file, data nested so
deeply that walking through it overflows the stack, and numbers with thousands of digits.
"""

from __future__ import annotations

import errno
import json
import os
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from thinkaloud.errors import BadInput

LARGEST_FILE = 16 * 2**20
"""Bytes; scenes and guidelines have thousands, the graph of a whole home a few hundred thousand."""
DEEPEST = 100
_LARGEST_NUMBER = 2**63
_LONGEST_SHOWN = 80
_TOO_DEEP = "it is nested too deeply"


_DOTTED = re.compile(rf"""(?<![\w.'"-])(?:[\w'"-]++[ \t]*+[.][ \t]*+){{{DEEPEST}}}""")
"""A key with this many parts; tomllib takes minutes for one with many thousands."""
_TOO_LONG = "it has a whole number of more than 64 bits"


class Malformed(ValueError):
    """A malformed text: why, and in which line, if that is known."""

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(why)
        self.why, self.line = why, line


class FileMissing(Malformed):
    """A file that is not there."""


def expand(path: str | Path) -> Path:
    """Expand a typed path: `~` is the user's home folder; the `~name` of an unknown user stays as it is.

    Raises BadInput for an impossible path, which Python reports in many ways: too long, a link loop, a NUL.
    """
    try:
        found = Path(path).expanduser()
    except RuntimeError:
        found = Path(path)
    try:
        found.lstat()
    except (OSError, ValueError) as error:
        if isinstance(error, ValueError) or error.errno in (errno.ENAMETOOLONG, errno.ELOOP):
            why = getattr(error, "strerror", None) or str(error)
            raise BadInput(f"{str(path)[:_LONGEST_SHOWN]!r} cannot be the path of anything: {why}.") from None
    return found


def read_file(path: Path, encoding: str = "utf-8") -> str:
    """The text of a file; raises Malformed if it cannot be read, is not text, or is endless."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        kind = FileMissing if isinstance(error, FileNotFoundError) else Malformed
        raise kind(f"cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(data) > LARGEST_FILE:
        raise Malformed(f"is larger than {LARGEST_FILE >> 20} MiB")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Malformed(f"is not a text file (byte {error.start} is not UTF-8)") from error


def read_json(text: str, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """Parse JSON; `pairs` builds the mappings."""
    try:
        data = json.loads(text, object_pairs_hook=pairs, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise Malformed(f"{error.msg} in line {error.lineno}, column {error.colno}", error.lineno) from None
    except RecursionError:
        raise Malformed(_TOO_DEEP) from None
    except Malformed:
        raise
    except ValueError:
        raise Malformed(_TOO_LONG) from None
    return _plain(data)


def read_toml(text: str) -> dict[str, Any]:
    """Parse TOML."""
    if _DOTTED.search(text):
        raise Malformed(_TOO_DEEP)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"line (\d+)", str(error))
        line = int(found[1]) if found else len(text.splitlines()) or 1
        raise Malformed(re.sub(r" [(]at .*", "", str(error)), line) from None
    except RecursionError:
        raise Malformed(_TOO_DEEP) from None
    except ValueError:
        raise Malformed(_TOO_LONG) from None
    plain: dict[str, Any] = _plain(data)
    return plain


def _no_number(word: str) -> float:
    raise Malformed(f"{word} is no number that something can have")


def _plain(data: Any) -> Any:
    """Return the data if it is not nested too deeply and its numbers are not too large. Works without recursion."""
    left = [(data, 0)]
    while left:
        value, depth = left.pop()
        if depth > DEEPEST:
            raise Malformed(_TOO_DEEP)
        match value:
            case dict():
                left += [(each, depth + 1) for each in value.values()]
            case list():
                left += [(each, depth + 1) for each in value]
            case bool():
                pass
            case int() if not -_LARGEST_NUMBER <= value < _LARGEST_NUMBER:
                raise Malformed(_TOO_LONG)
    return data


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, whole or not at all; BadInput, in one line, where that cannot be."""
    aside = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        aside.replace(path)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror or error}.") from None
