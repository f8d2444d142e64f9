"""Ctrl-C: the first makes the robot hold still, the second exits at once.

The exit status is then 128 plus the number of the signal, as usual: 130 for Ctrl-C, 143 for SIGTERM.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any

from thinkaloud.untrusted.output import complain

_NAMES = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}


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
            for number in _NAMES:
                self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)
        self._awake.close()

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self.caught is not None:
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
    before = {number: signal.signal(number, _leave) for number in _NAMES}
    try:
        with _waking():
            yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def as_ctrl_c() -> Iterator[Callable[[], int]]:
    """In this block, SIGTERM acts like Ctrl-C. Yields a function that returns the exit status for the signal."""
    caught = [signal.SIGINT]

    def hear(number: int, frame: FrameType | None) -> None:
        caught.append(signal.SIGTERM)
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a script's background job
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)

    if threading.current_thread() is not threading.main_thread():
        yield lambda: 128 + caught[-1]
        return
    before = signal.signal(signal.SIGTERM, hear)
    try:
        yield lambda: 128 + caught[-1]
    finally:
        signal.signal(signal.SIGTERM, before)


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
