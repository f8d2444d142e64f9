"""A policy written by hand: it picks what has the first colour of a sentence, and places on what has the second.

It is a real file for the hands `learned`. What the world does with points can be tried without any training.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thinkaloud.worlds.learned_files import LONGEST_SENTENCE

WORDS = ("pick", "the", "block", "bowl", "and", "place", "it", "on", "red", "blue")
_FIRST = 6
"""Words before this one say what to pick."""


def write_policy(path: Path, *, least: float = 0.0) -> Path:
    """Write the file."""
    onnx: Any = pytest.importorskip("onnx", reason="the extra 'training' is not installed")
    make, kinds = onnx.helper, onnx.TensorProto
    weights = np.zeros((len(WORDS) + 1, 5, 3, 3), np.float32)  # over a few pixels, for one of them is noisy
    weights[9, :3] = np.array([8.0, -8.0, -8.0])[:, None, None]
    weights[10, :3] = np.array([-16.0, -0.0, 16.0])[:, None, None]
    position = np.arange(LONGEST_SENTENCE)
    parts = np.stack([position < _FIRST, position >= _FIRST]).astype(np.float32)
    given = {"weights": weights, "parts": parts, "first": np.array([0])}
    nodes = [
        make.make_node("Conv", ["picture", "weights"], ["lit"], strides=[2, 2], pads=[1, 1, 1, 1]),
        make.make_node("Squeeze", ["lit", "first"], ["words"]),
        make.make_node("Squeeze", ["sentence", "first"], ["tokens"]),
        make.make_node("Gather", ["words", "tokens"], ["each"], axis=0),
        make.make_node("Einsum", ["parts", "each"], ["two"], equation="pt,tij->pij"),
        make.make_node("Unsqueeze", ["two", "first"], ["maps"]),
    ]
    graph = make.make_graph(
        nodes,
        "written",
        [
            make.make_tensor_value_info("picture", kinds.FLOAT, [1, 5, 128, 128]),
            make.make_tensor_value_info("sentence", kinds.INT64, [1, LONGEST_SENTENCE]),
        ],
        [make.make_tensor_value_info("maps", kinds.FLOAT, [1, 2, 64, 64])],
        [onnx.numpy_helper.from_array(value, name) for name, value in given.items()],
    )
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 17)], ir_version=8)
    told = {"words": WORDS, "same": {"cube": "block"}, "least": least}
    make.set_model_props(model, {name: json.dumps(value) for name, value in told.items()})
    onnx.save(model, str(path))
    return path
