"""Train the policy on demonstrations that are there, and go on from the last checkpoint.

    python -m training.hands.train results/hands/steps results/hands/policy.pt --eyes results/eyes/detector.pt

The same command runs on a processor and on a GPU (`training.resumable`), while scenes are still being drawn.
Demonstrations of every 25th scene are not trained on: how far the policy is off on those is printed with each
checkpoint. `--eyes` begins with the trunk and the words of trained eyes, `--hands` with other trained hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from thinkaloud.worlds.learned_files import SIDE
from training import resumable
from training.eyes.train import as_input
from training.growing_data import Arrays, GrowingData
from training.hands.beginning import begin_with
from training.hands.network import Policy
from training.hands.sentences import WORDS

_PER_SCENE = 4  # demonstrations of a scene in a batch
_SPREAD = 1.0  # cells: how far the target is spread
_CELLS = SIDE // 2
_CLOSE = 0.04 / 0.6  # 4 cm, as a share of the table
Light = tuple[Any, Any, Any]
"""How bright each picture is in each colour, how far its heights are off, and whether it has any."""


def draw_light(rng: np.random.Generator, count: int, device: str) -> Light:
    """Draw the light and the depth of pictures; nothing is mirrored, for places have sides."""
    gain = rng.uniform(0.8, 1.12, (count, 1, 1, 1)) * rng.normal(1, 0.02, (count, 3, 1, 1))
    off, known = rng.normal(0, 0.02, (count, 1, 1)), rng.uniform(size=(count, 1, 1)) >= 0.05
    gain, off, known = (torch.from_numpy(each.astype(np.float32)).to(device) for each in (gain, off, known))
    return gain, off, known


def vary(picture: Any, light: Light) -> Any:
    """Return the network's input in this light."""
    gain, off, known = light
    colour = ((picture[:, :3] + 0.5) * gain).clamp(0, 1) - 0.5
    is_known = picture[:, 4] * known
    return torch.cat([colour, ((picture[:, 3] + off) * is_known)[:, None], is_known[:, None]], dim=1)


def to_input(rgb: Any, heights: Any) -> Any:
    """Return pictures as the network's input."""
    return as_input(rgb.permute(0, 3, 1, 2), heights.float())


def draw_batch(
    arrays: Arrays, scenes: Any, rng: np.random.Generator, device: str, *, varied: bool
) -> tuple[Any, Any, Any]:
    """Return pictures, sentences and points: a few demonstrations of each scene, which share its picture.

    Every batch has the same shape; of a scene with fewer demonstrations, some come twice.
    """
    picture = to_input(arrays["rgb"][scenes], arrays["heights"][scenes])
    if varied:
        picture = vary(picture, draw_light(rng, len(scenes), device))
    sentences, points = arrays["sentences"][scenes], arrays["points"][scenes]
    there = sentences[..., 0] > 0
    by_chance = torch.from_numpy(rng.uniform(size=tuple(there.shape)).astype(np.float32)).to(device)
    order = torch.argsort(by_chance + 2.0 * ~there, dim=1)[:, :_PER_SCENE]
    order = torch.where(torch.gather(there, 1, order), order, order[:, :1])
    rows = torch.arange(len(order), device=device)[:, None]
    return picture, sentences[rows, order].long(), points[rows, order]


def without_empty(arrays: Arrays) -> Arrays:
    """Return demonstrations without scenes that have none, and without columns that no whole task fills."""
    some = arrays["sentences"][:, 0, 0] > 0
    kept = {name: part[some] for name, part in arrays.items()}
    if (arrays["sentences"][:, 1:, 0] == 0).all():
        kept |= {name: kept[name][:, :1] for name in ("sentences", "points")}
    return kept


def loss_of(policy: Any, batch: tuple[Any, Any, Any]) -> tuple[Any, dict[str, float]]:
    """Return the loss: cross-entropy over cells of where the expert picked and placed."""
    picture, sentence, points = batch
    each_scene = sentence.shape[1]
    what, where = (part.repeat_interleave(each_scene, dim=0) for part in policy.look(picture))
    maps = policy.answer(what, where, sentence.flatten(0, 1))
    wanted = points.flatten(0, 1)
    known = torch.isfinite(wanted[..., 0])
    cells = torch.arange(_CELLS, device=maps.device) + 0.5
    off = (wanted.nan_to_num()[..., None] * _CELLS - cells) ** 2 / (2 * _SPREAD**2)
    target = torch.softmax(-(off[:, :, 0, :, None] + off[:, :, 1, None, :]).flatten(2), dim=2)
    each = -(target * functional.log_softmax(maps.flatten(2), dim=2)).sum(dim=2)
    parts = [(each[:, part] * known[:, part]).sum() / known[:, part].sum().clamp(min=1) for part in (0, 1)]
    best = maps.flatten(2).argmax(dim=2)
    at = torch.stack([best // _CELLS, best % _CELLS], dim=2).float().add(0.5) / _CELLS
    close = torch.linalg.vector_norm(at - wanted.nan_to_num(), dim=2) < _CLOSE
    told = {"pick": parts[0].detach(), "place": parts[1].detach()}
    for part, name in enumerate(("picked", "placed")):
        told[name] = (close[:, part] & known[:, part]).sum() / known[:, part].sum().clamp(min=1)
    return parts[0] + parts[1], told


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, with a checkpoint from time to time."""
    parser = resumable.options(__doc__, steps=6000, batch=16)
    parser.add_argument("--eyes", type=Path, help="a checkpoint of trained eyes to begin with")
    parser.add_argument("--hands", type=Path, help="a checkpoint of other trained hands to begin with")
    given = parser.parse_args(arguments)
    device = resumable.begin(given)
    made_by = "training.hands.demonstrations"
    data = GrowingData(given.data, made_by, device, wait=given.wait, prepare=without_empty)
    policy = Policy(len(WORDS), given.width)
    begin_with(policy, WORDS, eyes=given.eyes, hands=given.hands)
    policy = policy.to(device)

    def loss(rng: np.random.Generator) -> resumable.Losses:
        return loss_of(policy, draw_batch(data.arrays, data.draw(rng, given.batch), rng, device, varied=True))

    def held_out() -> resumable.Losses:
        same = np.random.default_rng(0)
        return resumable.over_parts(
            data.held,
            given.batch,
            lambda rows: loss_of(policy, draw_batch(data.arrays, rows, same, device, varied=False)),
        )

    def card() -> dict[str, Any]:
        seen = int((data.arrays["sentences"][data.train][..., 0] > 0).sum())
        return {"words": list(WORDS), "demonstrations": seen, "held_out": len(data.held)}

    resumable.train(given, policy, loss, held_out, card)


if __name__ == "__main__":
    main()
