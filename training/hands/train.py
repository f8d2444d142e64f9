"""Train the policy on demonstrations that are there, and go on from the last checkpoint.

    python -m training.hands.train results/hands/steps results/hands/policy.pt --eyes results/eyes/detector.pt

The same command runs on a processor and on a GPU (`training.resumable`). Demonstrations of every 25th scene are not
trained on: how far the policy is off on those is printed with each checkpoint. `--eyes` begins with trained eyes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from thinkaloud.worlds.learned_files import SIDE
from training import resumable
from training.eyes.train import as_input
from training.hands.network import Policy, begin_with_eyes
from training.hands.sentences import WORDS

HELD_OUT = 25  # every 25th scene
_PER_SCENE = 4  # demonstrations of a scene in a batch
_SPREAD = 1.0  # cells: how far the target is spread
_CELLS = SIDE // 2
_CLOSE = 0.04 / 0.6  # 4 cm, as a share of the table
Arrays = dict[str, Any]


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


def to_input(rgb: Any, heights: Any, device: str) -> Any:
    """Return pictures as the network's input."""
    return as_input(
        torch.from_numpy(np.ascontiguousarray(rgb.transpose(0, 3, 1, 2))).to(device),
        torch.from_numpy(np.ascontiguousarray(heights)).to(device),
    )


def draw_batch(
    arrays: Arrays, scenes: Any, rng: np.random.Generator, device: str, *, varied: bool
) -> tuple[Any, Any, Any]:
    """Return pictures, sentences and points: a few demonstrations of each scene, which share its picture."""
    picture = to_input(arrays["rgb"][scenes], arrays["heights"][scenes].astype(np.float32), device)
    if varied:
        picture = vary(picture, draw_light(rng, len(scenes), device))
    sentences, points = arrays["sentences"][scenes], arrays["points"][scenes]
    order = np.argsort(rng.uniform(size=sentences.shape[:2]) + (sentences[..., 0] == 0), axis=1)[:, :_PER_SCENE]
    rows = np.arange(len(scenes))[:, None]
    sentence = torch.from_numpy(sentences[rows, order].astype(np.int64)).to(device)
    return picture, sentence, torch.from_numpy(points[rows, order]).to(device)


def loss_of(policy: Any, batch: tuple[Any, Any, Any]) -> tuple[Any, dict[str, float]]:
    """Return the loss: cross-entropy over cells of where the expert picked and placed."""
    picture, sentence, points = batch
    there = sentence[..., 0] > 0
    scene = torch.nonzero(there)[:, 0]
    what, where = policy.look(picture)
    maps = policy.answer(what[scene], where[scene], sentence[there])
    wanted = points[there]
    known = torch.isfinite(wanted[..., 0])
    cells = torch.arange(_CELLS, device=maps.device) + 0.5
    off = (wanted.nan_to_num()[..., None] * _CELLS - cells) ** 2 / (2 * _SPREAD**2)
    target = torch.softmax(-(off[:, :, 0, :, None] + off[:, :, 1, None, :]).flatten(2), dim=2)
    each = -(target * functional.log_softmax(maps.flatten(2), dim=2)).sum(dim=2)
    parts = [(each[:, part][known[:, part]]).sum() / known[:, part].sum().clamp(min=1) for part in (0, 1)]
    best = maps.flatten(2).argmax(dim=2)
    at = torch.stack([best // _CELLS, best % _CELLS], dim=2).float().add(0.5) / _CELLS
    close = torch.linalg.vector_norm(at - wanted.nan_to_num(), dim=2) < _CLOSE
    told = {"pick": parts[0].item(), "place": parts[1].item()}
    for part, name in enumerate(("picked", "placed")):
        told[name] = (close[:, part] & known[:, part]).sum().item() / max(known[:, part].sum().item(), 1)
    return parts[0] + parts[1], told


def main() -> None:
    """Train, with a checkpoint from time to time."""
    parser = resumable.options(__doc__, steps=6000, batch=16)
    parser.add_argument("--eyes", type=Path, help="a checkpoint of trained eyes to begin with")
    given = parser.parse_args()
    device = resumable.begin(given)
    arrays = resumable.read_files(given.data, "training.hands.demonstrations")
    scenes = np.arange(len(arrays["rgb"]))
    train, kept = scenes[scenes % HELD_OUT != 0], scenes[::HELD_OUT][:40]
    policy = Policy(len(WORDS), given.width)
    if given.eyes is not None:
        begin_with_eyes(policy, given.eyes)
    policy = policy.to(device)

    def loss(rng: np.random.Generator) -> resumable.Losses:
        chosen = np.sort(rng.choice(train, given.batch))
        return loss_of(policy, draw_batch(arrays, chosen, rng, device, varied=True))

    def held_out() -> str:
        batch = draw_batch(arrays, kept, np.random.default_rng(0), device, varied=False)
        return resumable.tell(loss_of(policy, batch)[1])

    demonstrations = int((arrays["sentences"][train][..., 0] > 0).sum())
    resumable.train(given, policy, loss, held_out, {"words": list(WORDS), "demonstrations": demonstrations})


if __name__ == "__main__":
    main()
