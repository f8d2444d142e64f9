"""Output to standard output and standard error that cannot control a terminal, whoever wrote the text.

A scene, a path, a model or an endpoint may contain anything: escape codes that colour, hide or overwrite lines, change
the window's title or the writing direction, or fill the keyboard buffer. Unprintable characters become spaces here, and
equivalent `\\u` codes in JSON. Nothing else in the command line writes; a test checks that.
"""

from __future__ import annotations

import re
import sys
import traceback

_LONGEST_LINE, _LAST = 1000, 300
"""The most letters of a message on standard error, and how many of them are kept for its end, which says what to do."""
_UNSEEN = re.compile(r"[^\x00-\x7e]")


def printable(text: str) -> str:
    """Text on one line, without control codes."""
    return harmless(text).replace("\n", " ").strip()


def harmless(text: str) -> str:
    """Text without control codes except line ends."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter == "\n" else " " for letter in text)


def write_line(text: str = "", *, indent: int = 0) -> None:
    """Print one line on standard output."""
    sys.stdout.write(" " * indent + printable(text) + "\n")
    sys.stdout.flush()


def write_json(line: str) -> None:
    """Print a line of JSON on standard output: the same data, in printable characters."""
    sys.stdout.write(_UNSEEN.sub(_code, line) + "\n")
    sys.stdout.flush()


def complain(text: str) -> None:
    """Print one line on standard error."""
    line = " ".join(harmless(text).split()).encode("utf-8", "replace").decode()
    if len(line) > _LONGEST_LINE:
        line = f"{line[: _LONGEST_LINE - _LAST - 3]} … {line[-_LAST:]}"
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


def write_sign(text: str) -> None:
    """Write a text of ours on standard error, with its own line ends and codes."""
    sys.stderr.write(text)
    sys.stderr.flush()


def write_fault() -> None:
    """Print the traceback of the current exception on standard error."""
    sys.stderr.write(harmless(traceback.format_exc()))
    sys.stderr.flush()


def _code(found: re.Match[str]) -> str:
    letter = found[0]
    if letter.isprintable():
        return letter
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
