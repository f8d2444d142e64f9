"""Ctrl-C: the first one makes the robot hold still, the second one leaves at once.

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
    """In this block, a signal wakes the event loop. Else one that comes just before it waits is noticed much later."""
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
    """In this block, signals go to `stop` with a name; inside a running event loop of the main thread."""

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
        # Not from here: whoever listens may hold a lock at this very moment.
        self._loop.call_soon_threadsafe(self.on_signal, _NAMES[signal.Signals(number)])

    def forget(self) -> None:
        """That one has been dealt with; the next one is the first again."""
        self.caught = None

    @property
    def status(self) -> int | None:
        """The exit status that the caught signal asks for."""
        return None if self.caught is None else 128 + self.caught


@contextmanager
def at_once() -> Iterator[None]:
    """In this block, a signal ends the process: there is nothing yet that would have to be brought to an end."""
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
    """In this block, SIGTERM is to us what Ctrl-C is; tells the exit status that the one which came asks for."""
    caught = [signal.SIGINT]

    def hear(number: int, frame: FrameType | None) -> None:
        caught.append(signal.SIGTERM)
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in what a script has started in the background
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
    """In this block, something has to be put in order even where the process is left at once."""
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
        except (OSError, ValueError, RuntimeError):  # the last: the signal came while something was being written
            continue
    os._exit(status)
