"""Pictures for models with eyes: as PNG, made without any library; and a picture to find out whether a model sees."""

from __future__ import annotations

import re
import struct
import zlib

_SIDE = 64
"""Pixels; smaller pictures are refused by some models."""
COLOURS = {
    "red": (220, 20, 20),
    "green": (20, 160, 40),
    "blue": (20, 40, 220),
    "yellow": (250, 230, 20),
    "black": (0, 0, 0),
    "white": (255, 255, 255),
}
SIGHT_QUESTION = "Which colour is the left half of this picture, and which the right half? Answer with two words."


def as_png(rgb: bytes, width: int, height: int) -> bytes:
    """Return a PNG of a picture given as bytes, three a pixel, row by row."""
    rows = b"".join(b"\0" + rgb[at : at + 3 * width] for at in range(0, 3 * width * height, 3 * width))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def two_halves(left: str, right: str) -> bytes:
    """Return a picture of two colours as PNG."""
    half = _SIDE // 2
    row = bytes(COLOURS[left]) * half + bytes(COLOURS[right]) * half
    return as_png(row * _SIDE, _SIDE, _SIDE)


def names_halves(answer: str, left: str, right: str) -> bool:
    """Whether an answer names both colours, in their order, and no other."""
    return [word for word in re.findall("[a-z]+", answer.lower()) if word in COLOURS] == [left, right]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
