"""Ctrl-C: the first makes the robot hold still, the second exits at once.

A terminal that is closed, or cut off, makes it hold still too, unless the program was started with `nohup`. The exit
status is then 128 plus the number of the signal, as usual: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType
from typing import Any

from thinkaloud.untrusted.output import complain

_NAMES = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
_HANG_UP: signal.Signals | None = getattr(signal, "SIGHUP", None)  # Windows has none
if _HANG_UP is not None:
    _NAMES[_HANG_UP] = "the terminal was closed"


def ending_signals() -> list[signal.Signals]:
    """The signals that end a program. `nohup` has a closed terminal ignored."""
    return [each for each in _NAMES if each != _HANG_UP or signal.getsignal(each) is not signal.SIG_IGN]


@contextmanager
def _waking() -> Iterator[None]:
    """In this block, a signal wakes the event loop. Otherwise one that arrives just before a wait is noticed late."""
    loop = asyncio.get_running_loop()
    inside, outside = socket.socketpair()
    with inside, outside:
        inside.setblocking(False)
        outside.setblocking(False)
        loop.add_reader(inside, lambda: inside.recv(64))
        before = signal.set_wakeup_fd(outside.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            loop.remove_reader(inside)


class Interrupts:
    """In this block, signals call `stop` with their name. Needs a running event loop in the main thread."""

    def __init__(self, stop: Callable[[str], None]) -> None:
        self.on_signal = stop
        self._before: dict[signal.Signals, Any] = {}
        self._awake = ExitStack()
        self.caught: int | None = None

    def __enter__(self) -> Interrupts:
        self._loop = asyncio.get_running_loop()
        if threading.current_thread() is threading.main_thread():
            self._awake.enter_context(_waking())
            self._before = {number: signal.signal(number, self._hear) for number in ending_signals()}
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        self._awake.close()

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if number == _HANG_UP:
            _write_to_nobody()
        if self.caught is not None:
            if number == _HANG_UP:  # shell and system may both say so, and nobody is there who is in a hurry
                return
            leave(128 + number)
        self.caught = number
        # Not called from here: a listener may be holding a lock right now.
        self._loop.call_soon_threadsafe(self.on_signal, _NAMES[signal.Signals(number)])

    def forget(self) -> None:
        """The signal has been handled; the next one counts as the first again."""
        self.caught = None

    @property
    def status(self) -> int | None:
        """The exit status that the caught signal asks for."""
        return None if self.caught is None else 128 + self.caught


@contextmanager
def at_once() -> Iterator[None]:
    """In this block, a signal ends the process: nothing has started that would need a proper end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, _leave) for number in ending_signals()}
    try:
        with _waking():
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def as_ctrl_c() -> Iterator[Callable[[], int]]:
    """In this block, SIGTERM and a closed terminal act like Ctrl-C. Yields a function that returns the exit status."""
    caught = [int(signal.SIGINT)]

    def hear(number: int, frame: FrameType | None) -> None:
        caught.append(number)
        if number == _HANG_UP:
            _write_to_nobody()
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a script's background job
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)

    if threading.current_thread() is not threading.main_thread():
        yield lambda: 128 + caught[-1]
        return
    before = {number: signal.signal(number, hear) for number in ending_signals() if number != signal.SIGINT}
    try:
        yield lambda: 128 + caught[-1]
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


@contextmanager
def on_hang_up(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """In this block of the main thread, handle a terminal that is closed."""
    if _HANG_UP not in ending_signals() or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(_HANG_UP, handler)
    try:
        yield
    finally:
        signal.signal(_HANG_UP, before)


def _write_to_nobody() -> None:
    """Have writing to a terminal that is gone not fail: the robot is to be stopped, and the journal to say so."""
    with open(os.devnull, "wb") as nobody:  # noqa: PTH123
        for stream in (1, 2):
            with suppress(OSError):
                if stat.S_ISCHR(os.fstat(stream).st_mode):
                    os.dup2(nobody.fileno(), stream)


@contextmanager
def before_leaving(action: Callable[[], None]) -> Iterator[None]:
    """In this block, run a cleanup even if the process exits at once."""
    _in_order.append(action)
    try:
        yield
    finally:
        _in_order.remove(action)


_in_order: list[Callable[[], None]] = []


def _leave(number: int, frame: FrameType | None) -> None:
    with suppress(OSError):  # the terminal may be gone
        complain("thinkaloud: Interrupted.")
    leave(128 + number)


def leave(status: int) -> None:
    """End this process now, without waiting for threads. The journal is on disk already."""
    for action in list(_in_order):
        action()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, RuntimeError):  # last: the signal arrived during a write
            continue
    os._exit(status)
