"""Files of learned parts: networks for ONNX Runtime that carry what they know, and how pictures and sentences go in.

Eyes, hands and senses that are learned open their files here. A file that cannot be used is one clear line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thinkaloud.errors import BadInput, MissingExtra, describe_fault

SIDE = 128
"""Hands and senses look at a square picture of the table from above, in this size."""
LONGEST_SENTENCE = 24
"""Words of a sentence; what comes after them is not read."""
_Map = NDArray[np.float32]


class LearnedFile:
    """A network with what is told about it. `part` is for people: the eyes, the hands, the senses."""

    def __init__(self, part: str, file: Path, told: Sequence[str]) -> None:
        who = f"The {part} 'learned'"
        try:
            import onnxruntime
        except ImportError as error:
            raise MissingExtra(who, "vision") from error
        if not file.is_file():
            raise BadInput(f"{who}: there is no file {file}; `make {part}` trains some.")
        options: Any = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = 2, 3
        try:
            self._session: Any = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
            kept = self._session.get_modelmeta().custom_metadata_map
            self.told: dict[str, Any] = {name: json.loads(kept[name]) for name in told}
        except Exception as error:  # the runtime has many kinds of errors for a file that is none of its own
            raise BadInput(
                f"{who}: {file} cannot be loaded ({describe_fault(error)[:160]}); "
                f"give a file that training.{part}.export wrote."
            ) from error

    def run(self, **inputs: NDArray[Any]) -> list[Any]:
        """Return the outputs for these inputs."""
        return list(self._session.run(None, inputs))


def named_file(part: str, rest: str) -> Path:
    """Return the file that stands after `learned:`; BadInput if none does, for the package brings no weights."""
    if not rest:
        raise BadInput(
            f"The {part} 'learned' come without weights: `make {part}` trains some; then write learned:FILE.onnx."
        )
    return Path(rest).expanduser()


def as_input(rgb: NDArray[np.uint8], height: _Map) -> _Map:
    """Return the network's input for a picture and the heights above the table in metres (NaN where unknown)."""
    known = np.isfinite(height)
    raised = np.clip(np.where(known, height, 0.0), -0.1, 0.4) / 0.1
    colour = rgb.transpose(2, 0, 1).astype(np.float32) / 255 - 0.5
    return np.concatenate([colour, raised[None], known[None]]).astype(np.float32)[None]


def shrink(rgb: NDArray[Any], height: NDArray[Any]) -> tuple[NDArray[np.uint8], _Map]:
    """Return a square picture in the size that hands and senses look at; one of that size stays as it is."""
    share = _shares(rgb.shape[0])
    small = np.einsum("ir,rcx,jc->ijx", share, rgb.astype(np.float32), share, optimize=True)
    nearest = ((np.arange(SIDE) + 0.5) * height.shape[0] / SIDE).astype(int)
    return small.clip(0, 255).astype(np.uint8), height[np.ix_(nearest, nearest)].astype(np.float32)


@lru_cache(maxsize=8)
def _shares(size: int) -> _Map:
    """Return how much of each old row lies in each new one."""
    edges = np.arange(SIDE + 1) * size / SIDE
    low, high = edges[:-1, None], edges[1:, None]
    rows = np.arange(size)[None]
    covered = np.clip(np.minimum(high, rows + 1) - np.maximum(low, rows), 0, None)
    return np.asarray(covered / covered.sum(axis=1, keepdims=True), np.float32)


def square_input(rgb: NDArray[Any], height: NDArray[Any]) -> _Map:
    """Return the input for a square picture of the table from above."""
    return as_input(*shrink(rgb, height))


def split_sentence(sentence: str, same: Mapping[str, str]) -> list[str]:
    """Return the words of a sentence, each in the spelling that the vocabulary has."""
    return [same.get(each, each) for each in re.findall(r"[^\W_]+", sentence.lower())]


def encode_sentence(
    sentence: str, vocabulary: Sequence[str], same: Mapping[str, str]
) -> tuple[NDArray[np.int64], list[str]]:
    """Return a sentence as numbers, 0 after its end, and the words that are not in the vocabulary."""
    words = split_sentence(sentence, same)
    places = {word: place for place, word in enumerate(vocabulary, 1)}
    known = [places[word] for word in words if word in places][:LONGEST_SENTENCE]
    numbers = np.zeros(LONGEST_SENTENCE, np.int64)
    numbers[: len(known)] = known
    return numbers, [word for word in words if word not in places]
