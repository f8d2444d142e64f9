"""Train the detector on pictures that are there, and go on from the last checkpoint.

    python -m training.eyes.train results/eyes/pictures results/eyes/detector.pt --steps 3000

The same command runs on a processor and on a GPU (`resumable`), while more pictures are drawn. Every 25th picture
is not trained on: the loss on those is printed with each checkpoint.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from thinkaloud_worlds.random_tables import DISH_WORDS, EYES_WORDS, KITCHEN_WORDS
from thinkaloud_worlds.random_tables.words import KIND_WORDS
from training import resumable
from training.eyes.network import STRIDE, Detector
from training.growing_data import Arrays, GrowingData

_KINDS = [EYES_WORDS.index(word) for word in (*KIND_WORDS, *KITCHEN_WORDS, *DISH_WORDS)]
_OTHERS = [number for number in range(len(EYES_WORDS)) if number not in _KINDS]
_HEIGHT_UNIT = 0.1
Batch = tuple[Any, Any, Any]
"""Network input, the thing each cell shows, and the truths of the words about each thing."""


def as_input(rgb: Any, heights: Any) -> Any:
    """Return the network's input for pictures (0 to 255) and their heights in metres (NaN where unknown)."""
    known = torch.isfinite(heights)
    height = torch.where(known, heights, torch.zeros_like(heights)).clamp(-0.1, 0.4) / _HEIGHT_UNIT
    return torch.cat([rgb.float() / 255 - 0.5, height[:, None], known[:, None].float()], dim=1)


def draw_batch(arrays: Arrays, chosen: Any, rng: np.random.Generator, device: str, *, varied: bool) -> Batch:
    """Return a batch; if `varied`, mirrored, in other light, with depth that is off or missing."""
    rgb, heights, owner, truths = (arrays[name][chosen] for name in ("rgb", "heights", "things", "truths"))
    heights, owner = heights.float(), owner.long()
    if varied:
        for axis in (1, 2):
            if rng.uniform() < 0.5:
                rgb, heights, owner = (torch.flip(each, (axis,)) for each in (rgb, heights, owner))
        count = len(rgb)
        gain = rng.uniform(0.8, 1.12, (count, 1, 1, 1)) * rng.normal(1, 0.02, (count, 1, 1, 3))
        off = rng.normal(0, 0.003, (count, 1, 1))
        off[rng.uniform(size=count) < 0.12] = np.nan
        gain, off = (torch.from_numpy(each.astype(np.float32)).to(device) for each in (gain, off))
        rgb, heights = (rgb * gain).clamp(0, 255), heights + off
    picture = as_input(rgb.permute(0, 3, 1, 2), heights).contiguous(memory_format=torch.channels_last)
    return picture, owner, truths.long()


def loss_of(detector: Any, batch: Batch) -> tuple[Any, dict[str, float]]:
    """Return the loss: words, and boxes, with the same weight for small things as for large ones."""
    picture, owner, truths = batch
    words, boxes = detector(picture)
    cells = owner[:, ::STRIDE, ::STRIDE]
    number, rows, columns = torch.nonzero(cells >= 0, as_tuple=True)
    thing = cells[number, rows, columns]
    instance = number * truths.shape[1] + thing
    sizes = torch.bincount(instance, minlength=truths.shape[0] * truths.shape[1])
    weight = 1.0 / sizes[instance].float().clamp(min=3.0).sqrt()
    weight = weight / weight.sum().clamp(min=1e-6)
    true = truths[number, thing]
    logits = words[number, :, rows, columns]
    every = _binary(logits, true)
    on_things = (every * weight[:, None]).sum()
    around = functional.softplus(words[:, _KINDS])[(cells < 0)[:, None].expand(-1, len(_KINDS), -1, -1)].mean()
    box = _box_loss(boxes[number, :, rows, columns], owner, number, thing, rows, columns, truths.shape[1])
    boxed = (box * weight).sum()
    total = on_things + 8.0 * around + 2.0 * boxed
    return total, {"words": on_things.detach(), "around": around.detach(), "boxes": boxed.detach()}


def _binary(logits: Any, true: Any) -> Any:
    """Cross-entropy where a word is true or false, none where it is open; true words count for more, being rarer."""
    loss = 6.0 * (true == 1) * functional.softplus(-logits) + (true == 0) * functional.softplus(logits)
    return loss / 3.0


def _box_loss(boxes: Any, owner: Any, number: Any, thing: Any, rows: Any, columns: Any, most: int) -> Any:
    """One minus the overlap of each cell's box with the box of what is visible of its thing, plus how far it is off."""
    batch, height, width = owner.shape
    count = batch * most
    flat = torch.where(owner >= 0, torch.arange(batch, device=owner.device)[:, None, None] * most + owner, count)
    y = torch.arange(height, device=owner.device)[None, :, None].expand_as(flat).reshape(-1)
    x = torch.arange(width, device=owner.device)[None, None, :].expand_as(flat).reshape(-1)
    at = flat.reshape(-1)

    def extreme(value: Any, reduce: str, start: int) -> Any:
        return torch.full((count + 1,), start, device=owner.device).scatter_reduce(0, at, value, reduce)

    left, top = extreme(x, "amin", width), extreme(y, "amin", height)
    right, bottom = extreme(x, "amax", -1) + 1, extreme(y, "amax", -1) + 1
    own = number * most + thing
    cx, cy = columns * STRIDE + 0.5, rows * STRIDE + 0.5
    want = torch.stack([cx - left[own], cy - top[own], right[own] - cx, bottom[own] - cy], dim=1).float()
    inner = torch.minimum(boxes, want)
    shared = (inner[:, 0] + inner[:, 2]) * (inner[:, 1] + inner[:, 3])
    area = (boxes[:, 0] + boxes[:, 2]) * (boxes[:, 1] + boxes[:, 3])
    wanted = (want[:, 0] + want[:, 2]) * (want[:, 1] + want[:, 3])
    overlap = shared / (area + wanted - shared).clamp(min=1e-3)
    off = functional.smooth_l1_loss(boxes.add(1).log(), want.add(1).log(), reduction="none").mean(dim=1)
    return (1 - overlap) + off


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, with a checkpoint from time to time."""
    given = resumable.options(__doc__, steps=3000, batch=16).parse_args(arguments)
    device = resumable.begin(given)
    data = GrowingData(given.data, "training.eyes.pictures", device, wait=given.wait)
    if data.arrays["truths"].shape[-1] != len(EYES_WORDS):
        raise SystemExit(
            f"The pictures in {given.data} were drawn with other words: draw them again, in another folder."
        )
    detector = Detector(len(EYES_WORDS), given.width).to(device, memory_format=torch.channels_last)

    def loss(rng: np.random.Generator) -> resumable.Losses:
        return loss_of(detector, draw_batch(data.arrays, data.draw(rng, given.batch), rng, device, varied=True))

    def held_out() -> resumable.Losses:
        unvaried = np.random.default_rng(0)
        return resumable.over_parts(
            data.held,
            given.batch,
            lambda rows: loss_of(detector, draw_batch(data.arrays, rows, unvaried, device, varied=False)),
        )

    def card() -> dict[str, Any]:
        return {"words": list(EYES_WORDS), "pictures": len(data.train), "held_out": len(data.held)}

    resumable.train(given, detector, loss, held_out, card)


if __name__ == "__main__":
    main()
