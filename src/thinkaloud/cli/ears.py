"""What a person types, line by line, while other things go on: from a terminal, a pipe or a file."""

from __future__ import annotations

import asyncio
import codecs
import os
import re
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TextIO

from thinkaloud.cli.options import clean

Lines = asyncio.Queue[str | None]
"""Lines as they were said; None is the end of them."""

_KEYS = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|O.|.)?")  # arrows and the like


class Piped:
    """Reads in a thread, since a file or a pipe cannot be waited for in any other way."""

    def __init__(self, lines: Lines, stream: TextIO) -> None:
        self._lines, self._stream = lines, stream

    def __enter__(self) -> Piped:
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, args=(loop,), daemon=True, name="ears").start()
        return self

    def __exit__(self, *_: object) -> None:
        """The thread ends with the process; it may be waiting for a line that never comes."""

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError, ValueError):  # the loop or the stream was closed: nobody listens any more
            try:
                for line in self._stream:
                    loop.call_soon_threadsafe(self._lines.put_nowait, clean(line.rstrip("\r\n")))
            finally:
                loop.call_soon_threadsafe(self._lines.put_nowait, None)


class Typed:
    """Reads keys from a terminal, so that what is being typed stays in one piece while the robot talks.

    Knows Backspace, Ctrl-U, Ctrl-W and Ctrl-D. Not covered: moving within the line, and a history.
    """

    def __init__(self, lines: Lines, fd: int, show: Callable[[str], None]) -> None:
        self._lines, self._fd, self._show = lines, fd, show
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line = ""
        self._before: list[Any] = []

    def __enter__(self) -> Typed:
        import termios
        import tty

        self._before = termios.tcgetattr(self._fd)
        tty.setcbreak(self._fd)
        asyncio.get_running_loop().add_reader(self._fd, self._read)
        self._show("")
        return self

    def __exit__(self, *_: object) -> None:
        import termios

        asyncio.get_running_loop().remove_reader(self._fd)
        termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    def _read(self) -> None:
        try:
            pressed = os.read(self._fd, 4096)
        except OSError:  # the terminal is gone
            pressed = b""
        if not pressed:
            self._end()
        for key in _KEYS.sub("", self._decoder.decode(pressed)):
            self.press(key)
        self._show(self._line)

    def press(self, key: str) -> None:
        """One key."""
        if key in "\r\n":
            self._lines.put_nowait(self._line)
            self._line = ""
        elif key in "\x7f\b":
            self._line = self._line[:-1]
        elif key == "\x15":
            self._line = ""
        elif key == "\x17":
            self._line = re.sub(r"\S*\s*$", "", self._line)
        elif key == "\x04":
            if not self._line:
                self._end()
        elif key.isprintable():
            self._line += key

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._fd)
        self._lines.put_nowait(None)


def listening(lines: Lines, show: Callable[[str], None] | None) -> Piped | Typed:
    """Ears for standard input; `show` draws the line that is being typed, where that is a terminal."""
    if show is not None and sys.stdin.isatty():
        return Typed(lines, sys.stdin.fileno(), show)
    with suppress(AttributeError, ValueError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    return Piped(lines, sys.stdin)
