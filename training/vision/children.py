"""Commands that run beside each other, and the one file in which all of them tell how far they are."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

_PATIENCE = 20.0  # seconds
_LAST_LINES = 12


class Log:
    """Lines with the seconds since the beginning; printed, and kept in a file."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._began, self._lock = time.monotonic(), threading.Lock()

    def __call__(self, who: str, line: str) -> None:
        """Write a line."""
        text = f"{time.monotonic() - self._began:6.0f} s  {who:<8} {line}"
        with self._lock:
            print(text, flush=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.write(text + "\n")


class Child:
    """A command whose output goes to the log. It has a group of its own, so that what it started ends with it."""

    def __init__(
        self, name: str, arguments: Sequence[str], log: Log, *, threads: int = 0, gently: bool = False, tell: int = 1
    ) -> None:
        self.name, self._log, self._tell = name, log, tell
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        if threads:
            environment |= {"OMP_NUM_THREADS": str(threads), "OPENBLAS_NUM_THREADS": str(threads)}
        nice = ["nice", "-n", "10"] if gently else []
        self._process = subprocess.Popen(
            [*nice, sys.executable, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=environment,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        quiet = list[str]()
        with self._process.stdout as lines:
            for number, line in enumerate(lines, 1):
                if number % self._tell == 0:
                    self._log(self.name, line.rstrip())
                    quiet.clear()
                else:
                    quiet = [*quiet[-_LAST_LINES:], line.rstrip()]
        if self._process.wait() > 0:  # then what it said last says why
            for line in quiet:
                self._log(self.name, line)

    def ended(self) -> int | None:
        """Return the exit status, or None while it runs."""
        return self._process.poll()

    def wait(self, until: float) -> int:
        """Wait for its end, and end it at a time of the monotonic clock; return its exit status."""
        while self._process.poll() is None and time.monotonic() < until:
            time.sleep(0.2)
        if self._process.poll() is None:
            self._log(self.name, "its time is over: it is ended")
            self.stop()
        self._reader.join(_PATIENCE)
        return self._process.wait()

    def stop(self) -> None:
        """Ask it to end, then end it and everything that it started."""
        for how in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, how)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE)
