"""Check whether llama.cpp can load a file, first in a separate process, because a damaged file may make it abort.

If a well-formed header contains an impossible value (a negative epsilon, a hundred thousand layers), a C++ assertion
fails, and nothing can catch that. A file that has loaded once is remembered by its header and size and is not tried
again; the shipped weights are never tried. Not covered: damaged numbers, which only make a model talk nonsense.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import subprocess
import sys
import threading
from contextlib import suppress
from importlib import metadata
from pathlib import Path

from thinkaloud.errors import ModelMissing
from thinkaloud.models.gguf_header import read_header
from thinkaloud.models.weight_files import cannot_load, checked

_PATIENCE = 600.0
"""Seconds; large weights on a slow disk take minutes."""
_MOST_KNOWN = 2**16
"""Largest size in bytes of the list of loadable files; a longer list is started again."""
_COMES_ALONG = frozenset({"7a9e4c242b512678c46c91d5d66134de"})
"""Fingerprints of the embedded model."""


def require_loadable(path: Path, *adapters: Path) -> None:
    """Raise ModelMissing if llama.cpp cannot load these files, or crashes on them."""
    marks = [_mark(checked(each)) for each in (path, *adapters)]
    if not _COMES_ALONG.issuperset(marks) and _joined(marks) not in _known():
        _try(path, *adapters)
        _remember(_joined(marks))


def vouch(path: Path) -> None:
    """Mark a file as loadable without a trial: it was made from loadable files and its header has nothing new."""
    with suppress(ModelMissing):  # the code that loads it will report what is wrong
        _remember(_joined([_mark(path)]))


def cache_folder() -> Path:
    """Return the folder for files that can be made again: below XDG_CACHE_HOME, or ~/.cache."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if Path(home).is_absolute() else Path("~/.cache").expanduser()) / "thinkaloud"


def _mark(path: Path) -> str:
    end = read_header(path).end
    with path.open("rb") as file:
        header = file.read(end)
    return hashlib.sha256(header + str(path.stat().st_size).encode()).hexdigest()[:32]


def _joined(marks: list[str]) -> str:
    return f"{metadata.version('xllamacpp')} {'+'.join(marks)}"


def _known() -> list[str]:
    try:
        return (cache_folder() / "loadable").read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return []


def _remember(line: str) -> None:
    with suppress(OSError):  # if this fails, the file is tried again next time
        file = cache_folder() / "loadable"
        file.parent.mkdir(parents=True, exist_ok=True)
        grown = file.exists() and file.stat().st_size > _MOST_KNOWN
        with file.open("w" if grown else "a", encoding="ascii") as known:
            known.write(f"{line}\n")


def _try(path: Path, *adapters: Path) -> None:
    command = [sys.executable, "-P", "-m", __name__, str(path), *map(str, adapters)]
    here = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "GGML_NO_BACKTRACE": "1"}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, env=os.environ | here) as trial:
        try:
            status = trial.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            trial.kill()
            raise ModelMissing(f"{path} cannot be loaded: llama.cpp did not finish within {_PATIENCE:g} s.") from None
        except BaseException:  # for example Ctrl-C
            trial.kill()
            raise
    if status:
        raise cannot_load(path, *adapters)


def _trial(path: Path, *adapters: Path) -> int:
    """Load the files in the separate process; return the exit status, unless llama.cpp aborts."""
    from thinkaloud.models.llama_server import start_server
    from thinkaloud.models.settings import ModelSettings

    threading.Thread(target=_leave_with_parent, daemon=True).start()
    try:
        server = start_server(path, ModelSettings(threads=1, context=64, slots=1), adapters, secrets.token_hex(16))
    except ModelMissing:
        return 1
    server.handle_completions({"prompt": "One, two, three", "n_predict": 2})
    return 0


def _leave_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    os._exit(_trial(*map(Path, sys.argv[1:])))  # exit without cleaning up: there is nothing to save
