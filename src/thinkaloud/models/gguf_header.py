"""Read the header of a GGUF file with nothing but Python, so that it can be inspected anywhere.

    header = read_header(path)
    header.said["general.architecture"], header.tensors["blk.0.attn_q.weight"].shape

Lists (mostly of tokens) are not decoded; `kept` has them as raw bytes.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from thinkaloud.errors import ModelMissing

_SIMPLE = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
TEXT, LIST = 8, 9
_SIZE = struct.Struct("<Q")


@dataclass(frozen=True)
class TensorInfo:
    """A tensor: its shape, slowest-varying axis first; llama.cpp's number for the storage format; its offset."""

    shape: tuple[int, ...]
    kind: int
    offset: int


@dataclass(frozen=True)
class Header:
    """The metadata (as values and as raw bytes), the tensors, and the byte at which the header ends."""

    said: Mapping[str, Any]
    kept: Mapping[str, bytes]
    tensors: Mapping[str, TensorInfo]
    end: int

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The tensors' shapes by name."""
        return {name: tensor.shape for name, tensor in self.tensors.items()}


def read_header(path: Path) -> Header:
    """Read the header of a file, once while it stays the same; ModelMissing if it is not GGUF, or is cut short."""
    try:
        about = path.stat()
        return _read_header(path, about.st_ino, about.st_size, about.st_mtime_ns)
    except OSError as error:
        raise unreadable(path) from error


@lru_cache(maxsize=16)
def _read_header(path: Path, *_: int) -> Header:
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _Cursor(data).header()
    except (OSError, struct.error, ValueError, KeyError, UnicodeDecodeError, MemoryError, OverflowError) as error:
        raise unreadable(path) from error


def unreadable(path: Path) -> ModelMissing:
    """Return the error for a file that cannot be read as GGUF."""
    return ModelMissing(f"{path} cannot be read as GGUF: damaged, cut short, or an unknown version.")


def require_fit(
    base: Mapping[str, tuple[int, ...]], changes: Mapping[str, tuple[int, ...]], adapter: Path
) -> tuple[str, ...]:
    """Return the names of the weights that an adapter changes; ModelMissing if their shapes do not fit."""
    changed = tuple(name.removesuffix(".lora_a") for name in changes if name.endswith(".lora_a"))
    for name in changed:
        down, up, weight = changes[f"{name}.lora_a"], changes.get(f"{name}.lora_b"), base.get(name)
        if up is None or weight is None or (*up[:1], *down[1:]) != weight or up[1:] != down[:1]:
            raise ModelMissing(f"The adapter {adapter} does not fit the weights: {name}.")
    if not changed or 2 * len(changed) != len(changes):
        raise ModelMissing(f"{adapter} is not an adapter.")
    return changed


class _Cursor:
    """Reads a file's bytes in order; reading past the end raises struct.error or ValueError."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data, self._at = data, 0

    def header(self) -> Header:
        magic, _, tensors, values = self._unpack("4sIQQ")
        if magic != b"GGUF":
            raise ValueError("not a GGUF file")
        said, kept = dict[str, Any](), dict[str, bytes]()
        for _ in range(values):
            name, start = self._text(), self._at
            said[name] = self._value(*self._unpack("I"))
            kept[name] = self._data[start : self._at]
        infos = {self._text(): TensorInfo(self._shape(), *self._unpack("IQ")) for _ in range(tensors)}
        return Header(said, kept, infos, self._at)

    def _unpack(self, what: str) -> tuple[Any, ...]:
        found = struct.unpack_from(f"<{what}", self._data, self._at)
        self._at += struct.calcsize(f"<{what}")
        return found

    def _text(self) -> str:
        (size,) = self._unpack("Q")
        found = self._data[self._at : self._at + size]
        if len(found) < size:
            raise ValueError("cut short")
        self._at += size
        return found.decode()

    def _shape(self) -> tuple[int, ...]:
        (count,) = self._unpack("I")
        return self._unpack(f"{count}Q")[::-1]

    def _value(self, kind: int) -> Any:
        if kind == TEXT:
            return self._text()
        if kind != LIST:
            return self._unpack(_SIMPLE[kind])[0]
        inner, count = self._unpack("IQ")
        if inner == TEXT:
            data, at, size_at = self._data, self._at, _SIZE.unpack_from
            for _ in range(count):  # a vocabulary of a hundred thousand tokens, each time a model is opened
                at += size_at(data, at)[0] + 8
            self._at = at
        elif inner in _SIMPLE:
            self._at += count * struct.calcsize(f"<{_SIMPLE[inner]}")
        else:
            raise ValueError("a list of lists")
        return None
