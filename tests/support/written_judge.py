"""A judge written by hand: a step worked if the table became redder on the right, and hindsight likes short sentences.

It is a real file for the senses `learned`. What the world does with judgements can be tried without any training.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from thinkaloud.worlds.learned_files import LONGEST_SENTENCE

WORDS = ("pick", "the", "block", "bowl", "and", "place", "it", "on", "red", "blue", "top", "side", "middle", "corner")


def write_judge(path: Path, *, threshold: float = 0.5, false_yes: float = 0.1, false_no: float = 0.2) -> Path:
    """Write the file."""
    onnx: Any = pytest.importorskip("onnx", reason="the extra 'training' is not installed")
    make, kinds = onnx.helper, onnx.TensorProto
    right = np.zeros((1, 5, 128, 128), np.float32)
    right[0, 0, :, 72:], right[0, 1:3, :, 72:] = 0.08, -0.04  # how red the right side is
    weight = np.zeros((len(WORDS) + 1,), np.float32)
    weight[[WORDS.index("red") + 1, WORDS.index("bowl") + 1]] = 3.0  # hindsight: it was about red, or a bowl
    weight[WORDS.index("side") + 1] = 1.0  # and a little likelier, about a side
    given = {"right": right, "weight": weight, "last": np.array([1]), "flat": np.array([1])}
    nodes = [
        make.make_node("Sub", ["after", "before"], ["change"]),
        make.make_node("Mul", ["change", "right"], ["redder"]),
        make.make_node("ReduceSum", ["redder"], ["sum"], keepdims=0),
        make.make_node("Reshape", ["sum", "flat"], ["foresight"]),
        make.make_node("Gather", ["weight", "sentences"], ["words"], axis=0),
        make.make_node("ReduceSum", ["words", "last"], ["hindsight"], keepdims=0),
    ]
    graph = make.make_graph(
        nodes,
        "written",
        [
            make.make_tensor_value_info("before", kinds.FLOAT, [1, 5, 128, 128]),
            make.make_tensor_value_info("after", kinds.FLOAT, [1, 5, 128, 128]),
            make.make_tensor_value_info("sentences", kinds.INT64, ["sentences", LONGEST_SENTENCE]),
        ],
        [
            make.make_tensor_value_info("foresight", kinds.FLOAT, [1]),
            make.make_tensor_value_info("hindsight", kinds.FLOAT, ["sentences"]),
        ],
        [onnx.numpy_helper.from_array(value, name) for name, value in given.items()],
    )
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 17)], ir_version=8)
    told = {"words": WORDS, "same": {}, "threshold": threshold, "false_yes": false_yes, "false_no": false_no}
    make.set_model_props(model, {name: json.dumps(value) for name, value in told.items()})
    onnx.save(model, str(path))
    return path
