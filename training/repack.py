"""An adapter in fewer bits, or of a lower rank: `python -m training.repack IN.gguf OUT.gguf [--rank R] [--bits B]`.

By default five bits for all of it, four for what the gates of the feed-forward layers add: 0.63 of the size in eight
bits. That changes what the adapter adds to the weights by six hundredths. A lower rank keeps the largest singular
values of each change. Whether either matters, a benchmark says.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter, ReaderTensor
from gguf.quants import dequantize, quantize
from numpy.typing import NDArray

Matrix = NDArray[np.float32]

_FIVE, _FOUR = GGMLQuantizationType.Q5_0, GGMLQuantizationType.Q4_1
_STORED = {4: (GGMLQuantizationType.Q4_0,) * 2, 5: (_FIVE, _FOUR), 8: (GGMLQuantizationType.Q8_0,) * 2}
"""How each number of bits is stored: most of it, and what the gates add."""


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("adapter", type=Path)
    options.add_argument("out", type=Path)
    options.add_argument("--rank", type=int, help="a lower rank than it has")
    options.add_argument("--bits", type=int, choices=sorted(_STORED), default=5)
    given = options.parse_args()
    reader = GGUFReader(str(given.adapter))
    said = {name: field.contents() for name, field in reader.fields.items()}
    writer = GGUFWriter(str(given.out), str(said["general.architecture"]))
    writer.add_type("adapter")
    writer.add_string("general.name", str(said["general.name"]))
    writer.add_string("general.license", "apache-2.0")
    writer.add_string("adapter.type", "lora")
    tensors = {each.name: _values(each) for each in reader.tensors}
    rank = next(values.shape[1] for name, values in tensors.items() if name.endswith("lora_b"))
    if given.rank is not None:
        tensors = _of_rank(tensors, given.rank)
    writer.add_float32("adapter.lora.alpha", float(said["adapter.lora.alpha"]) * (given.rank or rank) / rank)
    most, gates = _STORED[given.bits]
    for name, values in tensors.items():
        kind = gates if name.endswith("ffn_gate.weight.lora_b") else most
        writer.add_tensor(name, quantize(values, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    print(f"{given.adapter.stat().st_size / 1e6:.1f} MB in, {given.out.stat().st_size / 1e6:.1f} MB out")


def _values(tensor: ReaderTensor) -> Matrix:
    values = np.array(dequantize(tensor.data, tensor.tensor_type), np.float32)
    return values.reshape([int(n) for n in reversed(tensor.shape)])


def _of_rank(tensors: dict[str, Matrix], rank: int) -> dict[str, Matrix]:
    """The nearest adapter of a lower rank: of each change, what its largest singular values make of it."""
    found = {}
    for name in (each for each in tensors if each.endswith("lora_a")):
        other = f"{name.removesuffix('lora_a')}lora_b"
        left, inner = np.linalg.qr(tensors[other])
        right, outer = np.linalg.qr(tensors[name].T)
        u, sizes, v = np.linalg.svd(inner @ outer.T)
        root = np.sqrt(sizes[:rank])
        found[name] = np.ascontiguousarray((right @ v[:rank].T * root).T, np.float32)
        found[other] = np.ascontiguousarray(left @ u[:, :rank] * root, np.float32)
    return found


if __name__ == "__main__":
    main()
