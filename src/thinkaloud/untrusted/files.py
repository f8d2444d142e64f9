"""Files, JSON and TOML that others wrote: scenes, settings, guidelines, what an endpoint answers.

Whatever is wrong with one of them is one error, in one line. Besides what is malformed that is a file without an end,
data nested so deeply that whoever walks through it runs out of stack, and numbers of thousands of digits.
"""

from __future__ import annotations

import errno
import json
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
"""A key of so many parts; tomllib takes minutes for one of many thousands."""
_TOO_LONG = "it has a whole number of more than 64 bits"


class Malformed(ValueError):
    """A text that is not what it should be: why, and in which line, where that is known."""

    def __init__(self, why: str, line: int | None = None) -> None:
        super().__init__(why)
        self.why, self.line = why, line


class FileMissing(Malformed):
    """A file that is not there."""


def expand(path: str | Path) -> Path:
    """A path as it is typed; `~` is one's own folder, and somebody's that nobody knows stays what it is.

    BadInput for what cannot be a path at all, which Python says in many places and ways: too long, in circles, a NUL.
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
    """The text of a file; Malformed where it cannot be read, is no text, or has no end."""
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
        raise Malformed(f"is not a text file (byte {error.start} is no UTF-8)") from error


def read_json(text: str, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """The data in a text; `pairs` makes the mappings of it."""
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
    """The data in a text."""
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
    """The data again, if it is no deeper and its numbers are no larger than anything can be; without recursion."""
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
