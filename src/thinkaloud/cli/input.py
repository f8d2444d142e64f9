"""What a person types, line by line, while other things go on: from a terminal, a pipe or a file."""

from __future__ import annotations

import asyncio
import codecs
import os
import re
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Any, TextIO

from thinkaloud.cli.interrupts import before_leaving
from thinkaloud.records import writable

_IN_ONE_GO = 0.5
"""Seconds: a line that comes sooner than this after another was written before anybody saw what that one led to."""
_KEYS = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|O.|.)?")  # arrows and the like


@dataclass(frozen=True, slots=True)
class InputLine:
    """A line, and whether it came in one go with the line before it: pasted, or from a pipe or a file."""

    text: str
    in_one_go: bool = False


class InputLines:
    """Lines in the order in which they came, each of them on its own; None is the end of them.

    They may come from any thread; one coroutine gets them.
    """

    def __init__(self) -> None:
        self._lines: deque[InputLine | None] = deque()
        self._latest = float("-inf")
        self._lock = threading.Lock()
        self._waiting: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None
        self._heeding = False

    def put(self, text: str, at: float | None = None) -> None:
        """A line has come, now or at another second of the clock."""
        at = time.monotonic() if at is None else at
        self._add(InputLine(text, at - self._latest < _IN_ONE_GO))
        self._latest = at

    def end(self) -> None:
        """No more will come."""
        self._add(None)

    def _add(self, line: InputLine | None) -> None:
        with self._lock:
            self._lines.append(line)
            if self._waiting is not None:
                loop, come = self._waiting
                with suppress(RuntimeError):  # the loop was closed: nobody listens any more
                    loop.call_soon_threadsafe(come.set)

    async def get(self) -> InputLine | None:
        """The next line, as soon as there is one; who asks for it has dealt with the one before."""
        self.heeded()
        come = asyncio.Event()
        with self._lock:
            self._waiting = (asyncio.get_running_loop(), come)
            if self._lines:
                come.set()
        try:
            await come.wait()
            line = self._lines.popleft()
            self._heeding = line is not None
            return line
        finally:
            self._waiting = None

    def heeded(self) -> None:
        """The line that was got last has been dealt with."""
        self._heeding = False

    def are_coming(self) -> bool:
        """Whether there is a line that somebody waits for or is just dealing with."""
        return self._heeding or (self._waiting is not None and bool(self._lines))


class PipeReader:
    """Reads in a thread, since a file or a pipe cannot be waited for in any other way."""

    def __init__(self, lines: InputLines, stream: TextIO) -> None:
        self._lines, self._stream = lines, stream

    def __enter__(self) -> PipeReader:
        threading.Thread(target=self._read, daemon=True, name="input").start()
        return self

    def __exit__(self, *_: object) -> None:
        """The thread ends with the process; it may be waiting for a line that never comes."""

    def _read(self) -> None:
        try:
            with suppress(ValueError):  # the stream was closed
                for line in self._stream:
                    self._lines.put(writable(line.rstrip("\r\n")))
        finally:
            self._lines.end()


class KeyReader:
    """Reads keys from a terminal, so that what is being typed stays in one piece while the robot talks.

    In a thread, as from a pipe: a line is there as soon as it is typed, whatever the robot does. Knows Backspace,
    Ctrl-U, Ctrl-W and Ctrl-D. Not covered: moving within the line, and a history.
    """

    def __init__(self, lines: InputLines, fd: int, show: Callable[[str], None]) -> None:
        self._lines, self._fd, self._show = lines, fd, show
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line, self._over = "", False
        self._before: list[Any] = []
        self._awake: tuple[int, int] = (-1, -1)
        self._parting = ExitStack()

    def __enter__(self) -> KeyReader:
        import termios
        import tty

        self._before = termios.tcgetattr(self._fd)
        tty.setcbreak(self._fd, termios.TCSADRAIN)  # what was typed while the model was loaded is not thrown away
        self._parting.enter_context(before_leaving(self._restore))
        self._awake = os.pipe()
        self._thread = threading.Thread(
            target=self._read, args=(asyncio.get_running_loop(),), daemon=True, name="keyboard"
        )
        self._thread.start()
        self._show("")
        return self

    def __exit__(self, *_: object) -> None:
        os.write(self._awake[1], b".")
        self._thread.join()
        for end in self._awake:
            os.close(end)
        self._parting.close()
        self._restore()

    def _restore(self) -> None:
        """Have the terminal show again what is typed."""
        import termios

        termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._over and self._awake[0] not in select.select([self._fd, self._awake[0]], [], [])[0]:
            try:
                pressed = os.read(self._fd, 4096)
            except OSError:  # the terminal is gone
                pressed = b""
            if not pressed:
                self._end()
            for key in _KEYS.sub("", self._decoder.decode(pressed)):
                self.press(key)
            with suppress(RuntimeError):  # the loop was closed: nobody looks any more
                loop.call_soon_threadsafe(self._show, self._line)

    def press(self, key: str) -> None:
        """One key."""
        if key in "\r\n":
            self._lines.put(self._line)
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
        if not self._over:
            self._over = True
            self._lines.end()


def reading_input(lines: InputLines, show: Callable[[str], None] | None) -> PipeReader | KeyReader:
    """In this block, standard input is read; `show` draws the line that is being typed, where that is a terminal."""
    if show is not None and sys.stdin.isatty():
        return KeyReader(lines, sys.stdin.fileno(), show)
    with suppress(AttributeError, ValueError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    return PipeReader(lines, sys.stdin)
