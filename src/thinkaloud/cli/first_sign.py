"""The first sign of life: the program says that it is starting while its own modules are loaded.

A terminal shows it on a line that is cleared. Elsewhere only `chat` says it, because a single line on standard error
means bad input there: see `thinkaloud run --help`.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from thinkaloud.untrusted.output import write_sign

_AFTER = 0.5
"""Seconds until it is said where it cannot be cleared."""
_TALKING, _OTHERS = ("chat",), ("run", "plan", "resume", "fork")
_ending: ContextVar[threading.Event | None] = ContextVar("first_sign", default=None)


@contextmanager
def say_starting(arguments: Sequence[str]) -> Iterator[None]:
    """Say in this block that the program is starting, until `end_first_sign`."""
    on_screen, command = sys.stderr.isatty(), next((each for each in arguments if not each.startswith("-")), "")
    if command not in _TALKING and not (on_screen and command in _OTHERS):
        yield
        return
    over = threading.Event()
    _ending.set(over)
    if on_screen:
        write_sign("\rStarting …")
    else:
        threading.Thread(target=_say_later, args=(over,), daemon=True).start()
    yield


def _say_later(over: threading.Event) -> None:
    if not over.wait(_AFTER):
        write_sign("Starting …\n")


def end_first_sign() -> None:
    """Something else is shown from here on."""
    over = _ending.get()
    if over is not None and not over.is_set():
        over.set()
        if sys.stderr.isatty():
            write_sign("\r\x1b[2K")
