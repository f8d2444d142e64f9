"""Sessions made smaller: what they hold is compressed, with what they say again and again as a dictionary.

Nothing is lost. Rows keep their places, kinds and checksums, which are those of the content; only the content takes
less room. What is written later is written as ever, so a packed session can be continued, and packed again.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

LARGEST_DICTIONARY = 32_768
"""How far back zlib looks: more would never be used."""
_SAMPLES = 200


class NotUnpacked(ValueError):
    """What was packed cannot be read: it is damaged, or its dictionary is."""


def choose_dictionary(texts: Sequence[str]) -> bytes:
    """Some texts from everywhere, for all the others; the longest last, since near matches are the cheapest."""
    every = max(1, len(texts) // _SAMPLES)
    sample = sorted(dict.fromkeys(texts[::every]), key=len)
    chosen: list[bytes] = []
    room = LARGEST_DICTIONARY
    for text in _spread(sample):
        data = text.encode()[:room]
        chosen.append(data)
        room -= len(data)
    chosen.sort(key=len)
    return b"".join(chosen)


def _spread(texts: Sequence[str]) -> Iterable[str]:
    """Short and long ones in turns, so that no kind of text takes all the room."""
    order = [*range(0, len(texts), 4), *range(2, len(texts), 4), *range(1, len(texts), 2)]
    return (texts[each] for each in order)


def pack(text: str, dictionary: bytes) -> bytes:
    """A text, compressed."""
    packer = zlib.compressobj(9, zdict=dictionary) if dictionary else zlib.compressobj(9)
    return packer.compress(text.encode()) + packer.flush()


def unpack(data: bytes, dictionary: bytes) -> str:
    """The text again; what was compressed without a dictionary needs none."""
    unpacker = zlib.decompressobj(zdict=dictionary) if dictionary else zlib.decompressobj()
    try:
        text = unpacker.decompress(data) + unpacker.flush()
        if not unpacker.eof:
            raise NotUnpacked("it ends too early")
        return text.decode()
    except (zlib.error, UnicodeDecodeError) as error:
        raise NotUnpacked(str(error)) from error
