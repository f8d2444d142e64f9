"""A training in steps that can be interrupted: checkpoints, a rate that goes down, an end by the clock, and the export.

Eyes, hands and senses are trained by this one loop. The same seed draws the same batches; a checkpoint is written from
time to time (`--every`: on a busy processor, less often), and the same command goes on from it. With `--minutes` the
training ends when they are over, as a finished one that is shorter. A checkpoint also has the network as it was when
its loss on held-out rows was least (`best`).
"""

from __future__ import annotations

import argparse
import json
import math
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

_WARM = 100  # steps
Losses = tuple[Any, dict[str, Any]]
"""The loss, and its parts to be told: numbers, or tensors with one, which are read only when they are told."""


def options(about: str | None, *, steps: int, batch: int) -> argparse.ArgumentParser:
    """Return the options that every training has: the files, the checkpoint, and how long it goes on."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--minutes", type=float, default=math.inf, help="end by then, with the rate gone down by then")
    parser.add_argument("--until", type=float, help="the same as a time of the clock: seconds since 1970")
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--width", type=float, default=1.0, help="channels, as a multiple; a GPU has time for 2")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--every", type=float, default=20.0, help="seconds from one checkpoint to the next")
    parser.add_argument("--wait", type=float, default=0.0, help="seconds to wait for the first file")
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
    held_out: Callable[[], Losses],
    card: Callable[[], Mapping[str, Any]],
) -> None:
    """Train a network from its last checkpoint on. `card` is kept with it, such as its `words`."""
    on_gpu = next(network.parameters()).is_cuda
    optimiser = torch.optim.AdamW(network.parameters(), lr=given.rate, weight_decay=0.01, fused=on_gpu)
    first, before, best = 0, 0.0, _Best()
    if given.checkpoint.exists():
        saved = load_checkpoint(given.checkpoint, width=given.width, words=card()["words"])
        network.load_state_dict(saved["network"])
        optimiser.load_state_dict(saved["optimiser"])
        first, before = saved["step"], saved["seconds"]
        best = _Best(saved["best"], saved["best_loss"], saved["held_out"])
    began, minutes = time.perf_counter() - before, given.minutes
    if given.until is not None:
        minutes = (before + max(given.until - time.time(), 0.0)) / 60
    stop = _Stop()
    told, saved_at = dict[str, Any](), before
    for step in range(first, given.steps):
        spent = time.perf_counter() - began
        for group in optimiser.param_groups:
            group["lr"] = rate_at(max(step / given.steps, spent / 60 / max(minutes, 1e-6)), step, given.rate)
        network.train()
        found, parts = loss(np.random.default_rng([given.seed, step]))
        optimiser.zero_grad()
        found.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        told = {name: told[name] * 0.98 + value * 0.02 for name, value in parts.items()} if told else parts
        last = step + 1 == given.steps or spent > minutes * 60 or stop.asked
        if last or spent - saved_at > given.every:
            saved_at = spent
            kept = {**card(), "step": step + 1, "seconds": spent, "width": given.width}
            print(f"step {step + 1} of {given.steps}: {tell(told)}; {spent:.0f} s", flush=True)
            network.eval()
            with torch.no_grad():
                loss_there, parts_there = held_out()
            print(f"  held out: {tell(parts_there)}", flush=True)
            best.update(network, float(loss_there), of=kept["held_out"])
            state = {"network": network.state_dict(), "best": best.network, "best_loss": best.loss}
            _save(given.checkpoint, optimiser=optimiser.state_dict(), **state, **kept)
        if last:
            print("done" if step + 1 == given.steps else "the time is up", flush=True)
            break


class _Stop:
    """Whether somebody asked the training to end, by SIGTERM; it then ends with a checkpoint."""

    def __init__(self) -> None:
        self.asked = False
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, self._ask)

    def _ask(self, *_: object) -> None:
        self.asked = True


class _Best:
    """The network as it was when its loss was least, on the same held-out rows."""

    def __init__(self, network: dict[str, Any] | None = None, loss: float = math.inf, of: int = 0) -> None:
        self.network, self.loss, self._of = network, loss, of

    def update(self, network: Any, loss: float, of: int) -> None:
        """Keep the network if it is better than the one that is kept, or if there were fewer rows to judge that by."""
        if self.network is None or loss <= self.loss or of != self._of:
            self.network = {name: part.detach().clone() for name, part in network.state_dict().items()}
            self.loss, self._of = loss, of


def load_checkpoint(path: Path, *, width: float | None = None, words: Sequence[str] | None = None) -> dict[str, Any]:
    """Read a checkpoint; SystemExit if it is of another width, or has other words, than what goes on from it."""
    saved: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    if width is not None and saved["width"] != width:
        raise SystemExit(f"{path} has another width: delete it, or give --width {saved['width']}.")
    if words is not None and list(saved["words"]) != list(words):
        raise SystemExit(f"{path} was trained with other words: delete it.")
    return saved


def load_trained(network: Any, saved: Mapping[str, Any]) -> Any:
    """Return a network for use, as good as it ever was in the training that a checkpoint is of."""
    network.load_state_dict(saved.get("best") or saved["network"])
    return network.eval()


def over_parts(rows: Any, size: int, losses_of: Callable[[Any], Losses]) -> Losses:
    """Return the mean losses over rows, taken so many at a time."""
    total, told = 0.0, dict[str, float]()
    for part in rows.split(size):
        loss, parts = losses_of(part)
        share = len(part) / len(rows)
        total += float(loss) * share
        told = {name: told.get(name, 0.0) + float(value) * share for name, value in parts.items()}
    return total, told


def rate_at(done: float, step: int, peak: float) -> float:
    """Return the learning rate: up for the first steps, then down along a cosine; `done` goes from 0 to 1."""
    return peak * min((step + 1) / _WARM, 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(done, 1.0))))


def tell(parts: Mapping[str, Any]) -> str:
    """Return losses in words."""
    return " ".join(f"{name} {float(value):.3f}" for name, value in parts.items())


def _save(path: Path, **kept: Any) -> None:
    """Write a checkpoint; a kill leaves the one before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    torch.save(kept, part)
    part.replace(path)


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
