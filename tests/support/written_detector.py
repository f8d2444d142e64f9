"""A detector whose weights are written by hand: what is above the table is a thing, and red is red.

It is a real file for the eyes `learned`. What they do with scores and boxes can be tried without any training.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

WORDS = ("thing", "block", "red", "blue", "soft drink")
_REACH = 5
"""How many cells to each side belong to the box of a thing, if they are of a thing: it sees no larger ones whole."""


def write_detector(path: Path, *, calibration: tuple[float, float, float] = (1.0, 0.0, 0.5)) -> Path:
    """Write the file."""
    onnx: Any = pytest.importorskip("onnx", reason="the extra 'training' is not installed")
    make, kinds = onnx.helper, onnx.TensorProto
    count = len(WORDS)
    weights, bias = np.zeros((count, 5, 1, 1), np.float32), np.zeros(count, np.float32)
    weights[:2, 3], bias[:2] = 40.0, -8.0  # the height, in units of 10 cm
    weights[2, :3, 0, 0], bias[2] = (30.0, -30.0, 0.0), -6.0
    weights[3, :3, 0, 0], bias[3] = (-30.0, 0.0, 30.0), -6.0
    bias[4] = -9.0  # nothing is a soft drink
    wide = 2 * _REACH + 1
    around = np.zeros((4, 1, wide, wide), np.float32)
    for side, cells in enumerate(((_REACH, slice(_REACH)), (slice(_REACH), _REACH))):
        around[side, 0][cells] = 2.0
        around[side + 2, 0] = around[side, 0, ::-1, ::-1]
    given = {"weights": weights, "bias": bias, "cut": np.array([1, count - 1]), "around": around}
    given |= {"half": np.ones(4, np.float32), "one": np.array(1.0, np.float32), "first": np.array([0])}
    nodes = [
        make.make_node("Conv", ["picture", "weights", "bias"], ["logits"], strides=[2, 2]),
        make.make_node("Split", ["logits", "cut"], ["thing", "others"], axis=1),
        make.make_node("Sigmoid", ["thing"], ["there"]),
        make.make_node("Conv", ["there", "around", "half"], ["sides"], pads=[_REACH] * 4),
        make.make_node("Squeeze", ["sides", "first"], ["boxes"]),
        make.make_node("Neg", ["logits"], ["negative"]),
        make.make_node("Exp", ["negative"], ["against"]),
        make.make_node("Squeeze", ["against", "first"], ["words"]),
        make.make_node("Einsum", ["phrases", "words"], ["odds"], equation="pw,wij->pij"),
        make.make_node("Add", ["odds", "one"], ["below"]),
        make.make_node("Div", ["one", "below"], ["scores"]),
    ]
    graph = make.make_graph(
        nodes,
        "written",
        [
            make.make_tensor_value_info("picture", kinds.FLOAT, [1, 5, "height", "width"]),
            make.make_tensor_value_info("phrases", kinds.FLOAT, ["phrases", count]),
        ],
        [
            make.make_tensor_value_info("scores", kinds.FLOAT, ["phrases", "rows", "columns"]),
            make.make_tensor_value_info("boxes", kinds.FLOAT, [4, "rows", "columns"]),
        ],
        [onnx.numpy_helper.from_array(value, name) for name, value in given.items()],
    )
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 17)], ir_version=8)
    told = {"words": WORDS, "same": {"crimson": "red"}, "calibration": calibration}
    make.set_model_props(model, {name: json.dumps(value) for name, value in told.items()})
    onnx.save(model, str(path))
    return path
