"""Begin the eyes' training from a file that was exported, in place of a checkpoint that nobody kept.

    python -m training.eyes.again EYES.onnx results/eyes/detector.pt --pictures results/eyes/pictures

An exported network has its normalisation merged into its convolutions. Pictures tell the mean and the variance that
each of them has, and with these it is taken apart again: the network says the same as before, and can be trained on.
Words that the file does not have begin as new ones do. With a larger `--width`, some channels begin as copies of others
and share their work, so a wider network begins as what the narrower one has learned.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from torch import nn

from thinkaloud_worlds.random_tables import EYES_WORDS
from training.eyes.network import Detector
from training.eyes.train import draw_batch
from training.growing_data import GrowingData

_PICTURES = 128
_UNLIKE = 0.05  # how far a copied channel is from what it copies, or both would learn the same


def merged_of(file: Path) -> tuple[list[str], dict[str, Any]]:
    """Return the words of an exported file, and its weights by name, in the order in which they are used."""
    model = onnx.load(str(file))
    told = {each.key: each.value for each in model.metadata_props}
    return json.loads(told["words"]), {
        each.name: torch.from_numpy(onnx.numpy_helper.to_array(each).copy()) for each in model.graph.initializer
    }


def load_merged(detector: Any, words: Sequence[str], weights: dict[str, Any], known: Sequence[str]) -> None:
    """Put the weights of a file into a detector whose normalisation does nothing yet."""
    own = {name: part for name, part in weights.items() if name.startswith("detector.")}
    rest = [part for name, part in weights.items() if name not in own]
    pairs = _normalised(detector)
    shapes = [part.shape for pair in pairs for part in (pair[0].weight, pair[1].bias)]
    if [part.shape for part in rest] != shapes:
        raise SystemExit("The file is of another width or form than this network: give its --width.")
    with torch.no_grad():
        for (folded, norm), weight, bias in zip(pairs, rest[::2], rest[1::2], strict=True):
            folded.weight.copy_(weight)
            norm.weight.copy_(torch.sqrt(torch.ones_like(bias) + norm.eps))
            norm.bias.copy_(bias)
        detector.boxes.weight.copy_(own["detector.boxes.weight"])
        detector.boxes.bias.copy_(own["detector.boxes.bias"])
        for row, word in enumerate(words):
            if word in known:
                detector.words.weight[row] = own["detector.words.weight"][known.index(word)]
                detector.words.bias[row] = own["detector.words.bias"][known.index(word)]


def take_apart(detector: Any, picture: Any) -> None:
    """Let each normalisation have the mean and variance that these pictures have there; what comes out stays."""
    found = dict[Any, tuple[Any, Any]]()

    def see(folded: Any, _: Any, out: Any) -> None:
        found[folded] = out.mean(dim=(0, 2, 3)), out.var(dim=(0, 2, 3), unbiased=False)

    pairs = _normalised(detector)
    hooks = [folded.register_forward_hook(see) for folded, _ in pairs]
    with torch.no_grad():
        detector.eval()(picture)
        for hook in hooks:
            hook.remove()
        for folded, norm in pairs:
            mean, variance = found[folded]
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_(torch.sqrt(variance + norm.eps))
            norm.bias.add_(mean)


def width_of(weights: dict[str, Any]) -> float:
    """Return the width of an exported file."""
    return float(weights["detector.boxes.weight"].shape[1]) / Detector(1, 1.0).trunk.out


def widen(narrow: Any, wide: Any, unlike: float = _UNLIKE) -> None:
    """Let a wider detector say what a narrower one does."""
    state = wide.state_dict()
    for name, part in narrow.state_dict().items():
        if part.ndim == 0:
            continue
        most = state[name].shape[0]
        grown = part[torch.arange(most) % len(part)].clone()
        if part.ndim == 4:
            if most > len(part):
                grown[len(part) :] += unlike * part.std() * torch.randn(grown[len(part) :].shape)
            number = torch.arange(state[name].shape[1]) % part.shape[1]
            grown = grown[:, number] / torch.bincount(number)[number][None, :, None, None]
        state[name] = grown
    wide.load_state_dict(state)


def _normalised(detector: Any) -> list[tuple[Any, Any]]:
    parts = [part for part in detector.modules() if isinstance(part, nn.Sequential) and len(part) > 1]
    return [(part[0], part[1]) for part in parts if isinstance(part[1], nn.BatchNorm2d)]


def begin_again(file: Path, checkpoint: Path, pictures: Path, width: float) -> None:
    """Write a checkpoint with which `training.eyes.train` goes on."""
    known, weights = merged_of(file)
    own = width_of(weights)
    if width < own:
        raise SystemExit(f"{file} has a larger width: give --width {own:g} or more.")
    detector = Detector(len(EYES_WORDS), own)
    load_merged(detector, EYES_WORDS, weights, known)
    data = GrowingData(pictures, "training.eyes.pictures", "cpu", wait=0.0)
    rng = np.random.default_rng(0)
    take_apart(detector, draw_batch(data.arrays, data.draw(rng, _PICTURES), rng, "cpu", varied=False)[0])
    if width > own:
        torch.manual_seed(0)
        narrow, detector = detector, Detector(len(EYES_WORDS), width)
        widen(narrow, detector)
    optimiser = torch.optim.AdamW(detector.parameters(), lr=1e-3, weight_decay=0.01)
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    torch.save(
        {
            "network": detector.state_dict(),
            "optimiser": optimiser.state_dict(),
            "best": None,
            "best_loss": float("inf"),
            "words": list(EYES_WORDS),
            "pictures": 0,
            "held_out": 0,
            "step": 0,
            "seconds": 0.0,
            "width": width,
        },
        checkpoint,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("onnx", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--pictures", type=Path, required=True, help="drawn pictures: a hundred are enough")
    parser.add_argument("--width", type=float, default=2.0)
    given = parser.parse_args(arguments)
    begin_again(given.onnx, given.checkpoint, given.pictures, given.width)


if __name__ == "__main__":
    main()
