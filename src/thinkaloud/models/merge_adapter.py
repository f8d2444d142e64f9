"""Merge an adapter into the weights, once, in a cache folder, so that it costs no extra time in each call."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from thinkaloud.errors import ModelMissing
from thinkaloud.models import gguf
from thinkaloud.models.gguf import Kind, Tensor
from thinkaloud.models.gguf_header import require_fit
from thinkaloud.models.load_check import cache_folder, require_loadable, vouch
from thinkaloud.models.weight_digest import digest_weights

_KIND = gguf.Q8_0
"""The storage format of merged weights."""


_PREFIX = "embedded-"
_UNUSED = 30 * 24 * 3600
"""Seconds after which unused merged weights are deleted; their adapter has probably been replaced."""


def merged(base: Path, adapter: Path, notice: Callable[[str], None], kind: Kind = _KIND) -> Path:
    """Return the file of merged weights, making it if necessary; OSError if that fails."""
    folder = cache_folder()
    path = folder / f"{_PREFIX}{digest_weights(base)[:12]}-{digest_weights(adapter)[:12]}-{kind.name.lower()}.gguf"
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with _alone(folder):
            if not path.is_file():  # another process may have made it in the meantime
                require_mergeable(base, adapter)  # before the notice
                notice(f"Preparing the embedded model for this machine, once: {path}")
                require_loadable(base)
                _make(base, adapter, path, kind)
                vouch(path)
                _tidy(folder, path)
    with suppress(OSError):
        os.utime(path)
    return path


def require_mergeable(base: Path, adapter: Path) -> None:
    """Raise ModelMissing if an adapter is damaged or does not fit the weights; their numbers are not looked at."""
    _pairs(gguf.read_gguf(base), gguf.read_gguf(adapter), adapter)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Let one process work at a time, where the system has file locks; elsewhere several do the same, and the last
    wins."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with (folder / "lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(base: Path, adapter: Path, path: Path, kind: Kind) -> None:
    """Write to a temporary name first, so that the final file is always complete."""
    number, name = tempfile.mkstemp(prefix=f"{_PREFIX}new-", dir=path.parent)
    os.close(number)
    try:
        merge(base, adapter, Path(name), kind)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)


def _tidy(folder: Path, path: Path) -> None:
    for other in folder.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if other != path and time.time() - other.stat().st_mtime > _UNUSED:
                other.unlink()


def merge(base: Path, adapter: Path, out: Path, kind: Kind | None = _KIND) -> None:
    """Write `base` with the adapter's changes; other tensors are copied. `kind=None` keeps each tensor's format."""
    whole, changes = gguf.read_gguf(base), gguf.read_gguf(adapter)
    pairs = _pairs(whole, changes, adapter)
    alpha = float(changes.said["adapter.lora.alpha"])
    kinds = {name: (kind or tensor.kind) if name in pairs else tensor.kind for name, tensor in whole.tensors.items()}
    with out.open("wb") as file:
        gguf.write(file, whole.kept, {name: (tensor.shape, kinds[name]) for name, tensor in whole.tensors.items()})
        for name, tensor in whole.tensors.items():
            if name in pairs:
                down, up = (half.values() for half in pairs[name])
                changed = tensor.values() + (alpha / len(down)) * (up @ down)
                tensor = Tensor.of(changed.astype(np.float32), kinds[name])
            gguf.write_tensor(file, tensor)


def _pairs(whole: gguf.File, changes: gguf.File, adapter: Path) -> Mapping[str, tuple[Tensor, Tensor]]:
    there, added = ({name: tensor.shape for name, tensor in each.tensors.items()} for each in (whole, changes))
    changed = require_fit(there, added, adapter)
    if not isinstance(changes.said.get("adapter.lora.alpha"), float):
        raise ModelMissing(f"{adapter} is not an adapter.")
    return {name: (changes.tensors[f"{name}.lora_a"], changes.tensors[f"{name}.lora_b"]) for name in changed}
