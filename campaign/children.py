"""Runs work in a separate process, with limits on time and memory: whatever happens to it, the campaign goes on.

The process is forked from this one, which has already imported everything heavy: a command line that would take a
second or two to start is ready in milliseconds. It has its own session, so that its leftovers are ended with it.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

_POLL = 0.005
_MOST_READ = 5_000_000
Work = Callable[[], int | None]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of a process."""

    seconds: float = 30.0
    memory: int = 4 * 2**30
    """Bytes of address space, on top of what it has at the start, such as weights already mapped."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended, and its output; `peak` is the most memory it used, in bytes."""

    status: int | None
    signal: int | None
    timed_out: bool
    out: str
    err: str
    seconds: float
    peak: int


class Child:
    """A forked process in a folder, with its output in files there."""

    def __init__(
        self,
        work: Work,
        folder: Path,
        bounds: Bounds | None = None,
        environ: Mapping[str, str] | None = None,
        stdin: bytes | int = b"",
        stdout: int | None = None,
    ) -> None:
        """`stdin` is the input, or a file descriptor to read from; `stdout` is a file descriptor to write to."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._bounds = folder, bounds or Bounds()
        self._said = (folder / ".out", folder / ".err")
        for path in self._said:  # a process killed at once has no output
            path.write_bytes(b"")
        if isinstance(stdin, bytes):
            (folder / ".in").write_bytes(stdin)
        sys.stdout.flush()
        sys.stderr.flush()
        self._start = time.monotonic()
        self.pid = os.fork()
        if self.pid == 0:
            self._live(work, stdin, stdout, environ or {})

    def _live(self, work: Work, stdin: bytes | int, stdout: int | None, environ: Mapping[str, str]) -> None:
        status = 70
        try:
            os.setsid()
            source = stdin if isinstance(stdin, int) else os.open(self._folder / ".in", os.O_RDONLY)
            said = [_written(path) for path in self._said]
            for target, descriptor in enumerate((source, said[0] if stdout is None else stdout, said[1])):
                os.dup2(descriptor, target)
            sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
            sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
            sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
            resource.setrlimit(resource.RLIMIT_AS, (most := _held() + self._bounds.memory, most))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            os.environ.update(environ)
            os.chdir(self._folder)
            status = work() or 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc()
            status = 1
        finally:
            with contextlib.suppress(BaseException):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)

    def kill(self) -> None:
        """End the process now, with everything it started."""
        for target in (os.kill, os.killpg):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                target(self.pid, signal.SIGKILL)

    def wait(self) -> Ended:
        """Wait until the process ends, at the latest when its time is over."""
        timed_out, until = False, self._start + self._bounds.seconds
        while True:
            pid, status, used = os.wait4(self.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > until and not timed_out:
                timed_out = True
                self.kill()
            time.sleep(_POLL)
        seconds = time.monotonic() - self._start
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)  # its leftovers
        died = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
        out, err = (_read(path) for path in self._said)
        code = None if died else os.WEXITSTATUS(status)
        return Ended(code, died, timed_out, out, err, seconds, used.ru_maxrss * 1024)


def _held() -> int:
    """The address space of this process, in bytes."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    return 0


def in_child(
    work: Work,
    folder: Path,
    bounds: Bounds | None = None,
    environ: Mapping[str, str] | None = None,
    stdin: bytes | int = b"",
) -> Ended:
    """Run work in a separate process, and wait for its end."""
    return Child(work, folder, bounds, environ, stdin).wait()


def command(*arguments: str) -> Work:
    """thinkaloud's command line with these arguments, as work for a child."""

    def work() -> int:
        from thinkaloud.cli import cli

        cli.main(list(arguments), prog_name="thinkaloud")

    return work


def _written(path: Path) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_MOST_READ).decode(errors="replace")
