"""A lock between processes, which the operating system releases when its holder dies.

Not covered: network file systems without `flock`.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock during a block; wait for it first."""
    held = lock(path, wait=True)
    try:
        yield
    finally:
        if held is not None:
            unlock(held)


def lock(path: Path, *, wait: bool) -> TextIO | None:
    """Return the held lock file; None if someone else holds it and we do not wait."""
    while True:
        file = path.open("a")
        try:
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The last holder may have removed the file: then our lock protects nothing, and we try again.
            if os.fstat(file.fileno()).st_ino == path.stat().st_ino:
                return file
        except BlockingIOError:
            file.close()
            return None
        except FileNotFoundError:
            pass
        except BaseException:
            file.close()
            raise
        file.close()


def unlock(file: TextIO) -> None:
    """Release the lock, and leave no file behind."""
    Path(file.name).unlink(missing_ok=True)
    file.close()
