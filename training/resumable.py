"""A training in steps that can be interrupted: checkpoints, a rate that goes down, an end by the clock, and the export.

Eyes, hands and senses are trained by this one loop. The same seed draws the same batches; a checkpoint is written every
fifty steps, and the same command goes on from it. With `--minutes` the training ends when they are over, as a finished
one that is shorter.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

_SAVE_EVERY = 50
_WARM = 100  # steps
Losses = tuple[Any, dict[str, float]]
"""The loss, and its parts to be told."""


def options(about: str | None, *, steps: int, batch: int) -> argparse.ArgumentParser:
    """Return the options that every training has: the files, the checkpoint, and how long it goes on."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--minutes", type=float, default=math.inf, help="end by then, with the rate gone down by then")
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--width", type=float, default=1.0, help="channels, as a multiple; a GPU has time for 2")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=0)
    return parser


def begin(given: argparse.Namespace) -> str:
    """Seed everything; return the device to train on."""
    if given.threads:
        torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    torch.backends.cudnn.benchmark = True
    torch.set_float32_matmul_precision("high")
    return "cuda" if torch.cuda.is_available() else "cpu"


def train(
    given: argparse.Namespace,
    network: Any,
    loss: Callable[[np.random.Generator], Losses],
    held_out: Callable[[], str],
    card: Mapping[str, Any],
) -> None:
    """Train a network from its last checkpoint on. `card` is what is kept with it, such as its vocabulary."""
    optimiser = torch.optim.AdamW(network.parameters(), lr=given.rate, weight_decay=0.01)
    first, before = 0, 0.0
    if given.checkpoint.exists():
        saved = torch.load(given.checkpoint, map_location=next(network.parameters()).device, weights_only=True)
        if saved["width"] != given.width:
            raise SystemExit(f"{given.checkpoint} has another width: delete it, or give --width {saved['width']}.")
        network.load_state_dict(saved["network"])
        optimiser.load_state_dict(saved["optimiser"])
        first, before = saved["step"], saved["seconds"]
    began = time.perf_counter() - before
    sums = dict[str, float]()
    for step in range(first, given.steps):
        spent = time.perf_counter() - began
        for group in optimiser.param_groups:
            group["lr"] = rate_at(max(step / given.steps, spent / 60 / given.minutes), step, given.rate)
        network.train()
        found, parts = loss(np.random.default_rng([given.seed, step]))
        optimiser.zero_grad()
        found.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        sums = {name: sums.get(name, 0.0) * 0.98 + value * 0.02 for name, value in parts.items()} if sums else parts
        last = step + 1 == given.steps or spent > given.minutes * 60
        if (step + 1) % _SAVE_EVERY == 0 or last:
            print(f"step {step + 1} of {given.steps}: {tell(sums)}; {spent:.0f} s", flush=True)
            kept = {"step": step + 1, "seconds": spent, "width": given.width, **card}
            _save(given.checkpoint, network=network.state_dict(), optimiser=optimiser.state_dict(), **kept)
            network.eval()
            with torch.no_grad():
                print("  held out:", held_out(), flush=True)
        if last:
            print("done" if step + 1 == given.steps else "the time is up", flush=True)
            break


def rate_at(done: float, step: int, peak: float) -> float:
    """Return the learning rate: up for the first steps, then down along a cosine; `done` goes from 0 to 1."""
    return peak * min((step + 1) / _WARM, 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(done, 1.0))))


def tell(parts: Mapping[str, float]) -> str:
    """Return losses in words."""
    return " ".join(f"{name} {value:.3f}" for name, value in parts.items())


def _save(path: Path, **kept: Any) -> None:
    """Write a checkpoint; a kill leaves the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    torch.save(kept, part)
    part.replace(path)


def read_files(folder: Path, made_by: str) -> dict[str, Any]:
    """Read all finished files of a folder, one array for each name in them."""
    parts = [np.load(path) for path in sorted(folder.glob("*.npz")) if not path.name.endswith(".part.npz")]
    if not parts:
        raise SystemExit(f"There is nothing in {folder}: run {made_by} first.")
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0].files}


def write_onnx(
    network: Any,
    example: tuple[Any, ...],
    path: Path,
    names: tuple[Sequence[str], Sequence[str]],
    told: Mapping[str, Any],
    axes: Mapping[str, Mapping[int, str]],
) -> None:
    """Write a network for ONNX Runtime: its inputs and outputs by name, and what is told with it."""
    import onnx

    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        network.eval(),
        example,
        str(path),
        dynamo=False,  # the older exporter needs no example of every size
        opset_version=17,
        input_names=list(names[0]),
        output_names=list(names[1]),
        dynamic_axes={name: dict(free) for name, free in axes.items()},
    )
    model = onnx.load(str(path))
    onnx.helper.set_model_props(model, {name: json.dumps(value) for name, value in told.items()})
    onnx.save(model, str(path))
