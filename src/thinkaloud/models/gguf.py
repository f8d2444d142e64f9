"""Read and write GGUF files with numpy alone, as far as merging an adapter into a model's weights requires.

    base = read(path)
    base.tensors["blk.0.attn_q.weight"].values()      # float32 numbers, whatever the storage format

The metadata is kept as raw bytes, so that a copy has exactly the same metadata.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from thinkaloud.models.gguf_header import TEXT, TensorInfo, read_header, unreadable

_Numbers = npt.NDArray[np.float32]
_Bytes = npt.NDArray[np.uint8]

_ALIGNMENT = 32
_BLOCK = 32
"""Numbers that share a scale, in every quantised format supported here."""


def _from_halves(raw: _Bytes) -> _Numbers:
    return raw.view(np.float16).astype(np.float32)


def _halves(values: _Numbers) -> _Bytes:
    return values.astype(np.float16).view(np.uint8)


def _nibbles(raw: _Bytes) -> _Numbers:
    return np.concatenate([raw & 15, raw >> 4], axis=1).astype(np.float32)


def _packed(whole: _Numbers) -> _Bytes:
    small = whole.astype(np.uint8)
    return np.bitwise_or(small[:, : _BLOCK // 2], np.left_shift(small[:, _BLOCK // 2 :], np.uint8(4)))


def _inverse(scale: _Numbers) -> _Numbers:
    return np.divide(1, scale, out=np.zeros_like(scale), where=scale != 0)


def _from_q4_0(raw: _Bytes) -> _Numbers:
    return _from_halves(raw[:, :2].copy()) * (_nibbles(raw[:, 2:]) - 8)


def _q4_0(values: _Numbers) -> _Bytes:
    far = np.take_along_axis(values, np.abs(values).argmax(axis=1, keepdims=True), axis=1)
    scale: _Numbers = (far / -8).astype(np.float32)
    return np.concatenate([_halves(scale), _packed(np.clip(np.floor(values * _inverse(scale) + 8.5), 0, 15))], axis=1)


def _from_q4_1(raw: _Bytes) -> _Numbers:
    return _from_halves(raw[:, :2].copy()) * _nibbles(raw[:, 4:]) + _from_halves(raw[:, 2:4].copy())


def _q4_1(values: _Numbers) -> _Bytes:
    low = values.min(axis=1, keepdims=True)
    scale = (values.max(axis=1, keepdims=True) - low) / 15
    packed = _packed(np.clip(np.floor((values - low) * _inverse(scale) + 0.5), 0, 15))
    return np.concatenate([_halves(scale), _halves(low), packed], axis=1)


def _from_q5_0(raw: _Bytes) -> _Numbers:
    high = np.unpackbits(raw[:, 2:6], axis=1, bitorder="little").astype(np.float32)
    return _from_halves(raw[:, :2].copy()) * (_nibbles(raw[:, 6:]) + 16 * high - 16)


def _q5_0(values: _Numbers) -> _Bytes:
    far = np.take_along_axis(values, np.abs(values).argmax(axis=1, keepdims=True), axis=1)
    scale: _Numbers = (far / -16).astype(np.float32)
    whole = np.clip(np.floor(values * _inverse(scale) + 16.5), 0, 31).astype(np.uint8)
    high = np.packbits(whole >> 4, axis=1, bitorder="little")
    return np.concatenate([_halves(scale), high, _packed((whole & 15).astype(np.float32))], axis=1)


def _from_q8_0(raw: _Bytes) -> _Numbers:
    return _from_halves(raw[:, :2].copy()) * raw[:, 2:].view(np.int8).astype(np.float32)


def _q8_0(values: _Numbers) -> _Bytes:
    scale = np.abs(values).max(axis=1, keepdims=True) / 127
    whole = np.rint(values * _inverse(scale)).astype(np.int8).view(np.uint8)
    return np.concatenate([_halves(scale), whole], axis=1)


@dataclass(frozen=True)
class Kind:
    """A storage format: llama.cpp's number for it, numbers and bytes per block, and how to decode and encode."""

    name: str
    number: int
    count: int
    size: int
    decode: Callable[[_Bytes], _Numbers]
    encode: Callable[[_Numbers], _Bytes]


F32 = Kind("F32", 0, 1, 4, lambda raw: raw.view(np.float32), lambda values: values.view(np.uint8))
F16 = Kind("F16", 1, 1, 2, _from_halves, _halves)
Q4_0 = Kind("Q4_0", 2, _BLOCK, 18, _from_q4_0, _q4_0)
Q4_1 = Kind("Q4_1", 3, _BLOCK, 20, _from_q4_1, _q4_1)
Q5_0 = Kind("Q5_0", 6, _BLOCK, 22, _from_q5_0, _q5_0)
Q8_0 = Kind("Q8_0", 8, _BLOCK, 34, _from_q8_0, _q8_0)
_KINDS = {kind.number: kind for kind in (F32, F16, Q4_0, Q4_1, Q5_0, Q8_0)}


@dataclass(frozen=True)
class Tensor:
    """A named table of numbers; the first axis of `shape` is the slowest-varying one, as in numpy."""

    shape: tuple[int, ...]
    kind: Kind
    raw: _Bytes

    def values(self) -> _Numbers:
        """Return the numbers as float32."""
        return self.kind.decode(self.raw.reshape(-1, self.kind.size)).reshape(self.shape)

    @classmethod
    def of(cls, values: _Numbers, kind: Kind) -> Tensor:
        """Store numbers in the given format."""
        blocks = np.ascontiguousarray(values, dtype=np.float32).reshape(-1, kind.count)
        return cls(values.shape, kind, kind.encode(blocks).reshape(-1))


@dataclass(frozen=True)
class File:
    """The content of a GGUF file: its metadata (as values and as raw bytes) and its tensors."""

    said: Mapping[str, Any]
    kept: Mapping[str, bytes]
    tensors: Mapping[str, Tensor]


def read_gguf(path: Path) -> File:
    """Read a file; the tensors stay on disk until they are used."""
    header = read_header(path)
    start = _padded(header.end)
    try:
        if header.said.get("general.alignment", _ALIGNMENT) != _ALIGNMENT:
            raise ValueError("an unsupported alignment")
        data = np.memmap(path, np.uint8, "r")
        return File(
            header.said, header.kept, {name: _tensor(data[start:], info) for name, info in header.tensors.items()}
        )
    except (OSError, ValueError, KeyError, MemoryError, OverflowError) as error:
        raise unreadable(path) from error


def _tensor(data: _Bytes, info: TensorInfo) -> Tensor:
    known = _KINDS[info.kind]
    size = int(np.prod(info.shape)) // known.count * known.size
    raw = data[info.offset : info.offset + size]
    if len(raw) < size:
        raise ValueError("cut short")
    return Tensor(info.shape, known, raw)


def _text_bytes(text: str) -> bytes:
    """Encode a text as GGUF does."""
    return struct.pack("<Q", len(text.encode())) + text.encode()


def text_value(text: str) -> bytes:
    """Encode a text as a metadata value."""
    return struct.pack("<I", TEXT) + _text_bytes(text)


def write(file: BinaryIO, kept: Mapping[str, bytes], shapes: Mapping[str, tuple[tuple[int, ...], Kind]]) -> None:
    """Write the beginning of a file, up to its tensors; call `write_tensor` for each of them in this order."""
    head = [struct.pack("<4sIQQ", b"GGUF", 3, len(shapes), len(kept))]
    head += [_text_bytes(name) + value for name, value in kept.items()]
    offset = 0
    for name, (shape, kind) in shapes.items():
        head.append(
            _text_bytes(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape[::-1], kind.number, offset)
        )
        offset += _padded(int(np.prod(shape)) // kind.count * kind.size)
    content = b"".join(head)
    file.write(content + bytes(_padded(len(content)) - len(content)))


def write_tensor(file: BinaryIO, tensor: Tensor) -> None:
    """Write the numbers of one tensor."""
    file.write(tensor.raw.tobytes())
    file.write(bytes(_padded(len(tensor.raw)) - len(tensor.raw)))


def write_file(path: Path, kept: Mapping[str, bytes], tensors: Iterable[tuple[str, Tensor]]) -> None:
    """Write a whole file."""
    all_of_it = dict(tensors)
    with path.open("wb") as file:
        write(file, kept, {name: (tensor.shape, tensor.kind) for name, tensor in all_of_it.items()})
        for tensor in all_of_it.values():
            write_tensor(file, tensor)


def _padded(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
