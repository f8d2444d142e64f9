"""What a person types, line by line, while the robot works: from a terminal, a pipe or a file."""

from __future__ import annotations

import asyncio
import codecs
import io
import os
import re
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, TextIO

from thinkaloud.episode.interrupts import before_leaving, leave
from thinkaloud.records import writable
from thinkaloud.untrusted.output import complain

QUIT, WAIT = ("/quit", "/exit", "/q"), "/wait"
_IN_ONE_GO = 0.5
"""Seconds. A line that follows another sooner than this was written before its author saw the robot's reaction."""
_LOOK = 0.1
"""Seconds between two looks at the lines that wait."""
_KEYS = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|O.|.)?")  # arrows and the like


@dataclass(frozen=True, slots=True)
class InputLine:
    """A line, and whether it arrived together with the previous one: pasted, or from a pipe or a file."""

    text: str
    in_one_go: bool = False


class InputLines:
    """Lines in the order they arrived, one by one; None marks the end.

    Any thread may add lines; one coroutine gets them.
    """

    def __init__(self) -> None:
        self._lines: deque[InputLine | None] = deque()
        self._latest = float("-inf")
        self._lock = threading.Lock()
        self._waiting: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None
        self._heeding = False
        self.arriving: Callable[[], bool] = lambda: False
        """The reader sets this to say whether input has arrived that is not passed on yet."""

    def put(self, text: str, at: float | None = None) -> None:
        """Add a line that arrived now, or at another time on the clock."""
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
                with suppress(RuntimeError):  # the event loop was closed: nobody is listening
                    loop.call_soon_threadsafe(come.set)

    async def get(self) -> InputLine | None:
        """Wait for the next line. Asking for it marks the previous one as handled."""
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

    def waiting(self) -> list[str]:
        """The lines that nobody has got yet."""
        return [line.text.strip() for line in list(self._lines) if line is not None]

    async def wait_for(self, words: Collection[str], unless: str) -> None:
        """Wait until somebody typed one of these lines by itself, not `unless` this one came before; take none."""
        while not self.is_there(words, unless):  # noqa: ASYNC110 - another thread adds the lines
            await asyncio.sleep(_LOOK)

    def is_there(self, words: Collection[str], unless: str) -> bool:
        """Whether somebody typed one of these lines by itself, not `unless` this one came before."""
        for line in list(self._lines):
            text = "" if line is None else line.text.strip().lower()
            if line is None or text == unless:
                return False
            if text in words and not line.in_one_go:
                return True
        return False

    def heeded(self) -> None:
        """Mark the latest line as handled."""
        self._heeding = False

    def are_coming(self) -> bool:
        """Whether a line is waiting, being handled, or being read."""
        # In this order: what has finished arriving is among the lines.
        return self._heeding or (self._waiting is not None and (self.arriving() or bool(self._lines)))


def name_unread(lines: InputLines) -> int:
    """Name the requests that nobody will read, because the person left while everything was loading; the status."""
    unread = [text for text in lines.waiting() if not text.startswith("/")]
    if unread:
        complain(f"Not started, and dropped: {'; '.join(map(repr, unread))}.")
    return int(bool(unread))


@contextmanager
def leaving_at_once(lines: InputLines) -> Iterator[None]:
    """End the program as soon as somebody quits in this block, in which it loads its own modules."""
    over = threading.Event()

    def watch() -> None:
        while not over.wait(_LOOK):
            if lines.is_there(QUIT, unless=WAIT):
                leave(name_unread(lines))

    threading.Thread(target=watch, daemon=True, name="quit").start()
    try:
        yield
    finally:
        over.set()


class Arrivals:
    """Input on a file descriptor: one thread reads it, and any other can ask whether there is some."""

    def __init__(self, fd: int) -> None:
        self._fd, self._awake = fd, os.pipe()
        self._taken = self._over = False
        self._asking = select.poll()
        self._asking.register(fd, select.POLLIN)

    def are_there(self) -> bool:
        """Whether input has arrived that the thread has not handled."""
        # In this order: input that can no longer be read has been taken.
        return not self._over and (bool(self._asking.poll(0)) or self._taken)

    def __iter__(self) -> Iterator[bytes]:
        """Yield input as it arrives. A piece is unhandled until the next is asked for; an empty one is the end."""
        waiting = select.poll()
        for fd in (self._fd, self._awake[0]):
            waiting.register(fd, select.POLLIN)
        try:
            while not self._over and self._awake[0] not in dict(waiting.poll()):
                self._taken = True
                content = self._take()
                yield content
                self._over = not content
                self._taken = False
        finally:
            self._over = True

    def _take(self) -> bytes:
        try:
            return os.read(self._fd, 65536)
        except OSError:  # the terminal is gone
            return b""

    def leave(self, thread: threading.Thread) -> None:
        """Make the reading thread end."""
        os.write(self._awake[1], b".")
        thread.join()
        for end in self._awake:
            os.close(end)


class PipeReader:
    """Reads in a thread: a line is available as soon as it is written, whatever the robot is doing."""

    def __init__(self, lines: InputLines, stream: TextIO) -> None:
        self._lines, self._stream = lines, stream
        self._arrivals: Arrivals | None = None

    def __enter__(self) -> PipeReader:
        with suppress(OSError):  # not a file
            self._arrivals = Arrivals(self._stream.fileno())
            self._lines.arriving = self._arrivals.are_there
        reading = self._read_lines if self._arrivals is None else self._read_arrivals
        self._thread = threading.Thread(target=reading, daemon=True, name="input")
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._arrivals is not None:
            self._arrivals.leave(self._thread)

    def _read_arrivals(self) -> None:
        assert self._arrivals is not None
        decode = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(self._stream.encoding)("replace"), True)
        begun = ""
        for content in self._arrivals:
            *whole, begun = (begun + decode.decode(content, final=not content)).split("\n")
            for line in whole if content or not begun else [*whole, begun]:
                self._lines.put(writable(line))
            if not content:
                self._lines.end()

    def _read_lines(self) -> None:
        try:
            with suppress(ValueError):  # the stream was closed
                for line in self._stream:
                    self._lines.put(writable(line.rstrip("\r\n")))
        finally:
            self._lines.end()


class KeyReader:
    """Reads keys from a terminal, so that the line being typed stays intact while the robot talks.

    Reads in a thread, as from a pipe: a line is available as soon as it is typed. Handles Backspace, Ctrl-U, Ctrl-W and
    Ctrl-D. Not covered: moving within the line, and a history.
    """

    def __init__(self, lines: InputLines, fd: int, show: Callable[[str], None]) -> None:
        self._lines, self._fd, self._show = lines, fd, show
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._line, self._over = "", False
        self._before: list[Any] = []
        self._parting = ExitStack()

    def __enter__(self) -> KeyReader:
        import termios
        import tty

        self._before = termios.tcgetattr(self._fd)
        tty.setcbreak(self._fd, termios.TCSADRAIN)  # keep what was typed while the model was loading
        self._parting.enter_context(before_leaving(self._restore))
        self._arrivals = Arrivals(self._fd)
        self._lines.arriving = self._arrivals.are_there
        self._thread = threading.Thread(
            target=self._read, args=(asyncio.get_running_loop(),), daemon=True, name="keyboard"
        )
        self._thread.start()
        self._show("")
        return self

    def __exit__(self, *_: object) -> None:
        self._arrivals.leave(self._thread)
        self._parting.close()
        self._restore()

    def _restore(self) -> None:
        """Turn the terminal's echo back on."""
        import termios

        termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        for pressed in self._arrivals:
            if not pressed:
                self._end()
            for key in _KEYS.sub("", self._decoder.decode(pressed)):
                self.press(key)
            with suppress(RuntimeError):  # the event loop was closed: nobody is watching
                loop.call_soon_threadsafe(self._show, self._line)
            if self._over:
                break

    def press(self, key: str) -> None:
        """Handle one key."""
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
    """Read standard input in this block; `show` draws the line being typed, if that is a terminal."""
    if show is not None and sys.stdin.isatty():
        return KeyReader(lines, sys.stdin.fileno(), show)
    with suppress(AttributeError, ValueError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    return PipeReader(lines, sys.stdin)
