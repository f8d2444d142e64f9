"""Train the judge on attempts that are there, and go on from the last checkpoint.

    python -m training.senses.train results/senses/attempts results/senses/judge.pt --eyes results/eyes/detector.pt

The same command runs on a processor and on a GPU (`training.resumable`). Every 25th attempt is not trained on: how
often both judges are right on those is printed with each checkpoint.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from training import resumable
from training.hands.network import begin_with_eyes
from training.hands.sentences import WORDS
from training.hands.train import draw_light, to_input, vary
from training.senses.network import Judge

HELD_OUT = 25  # every 25th attempt
Arrays = dict[str, Any]


def draw_batch(arrays: Arrays, chosen: Any, rng: np.random.Generator, device: str, *, varied: bool) -> dict[str, Any]:
    """Return attempts as tensors; if `varied`, in other light, the same before and after."""
    rgb, heights = arrays["rgb"][chosen], arrays["heights"][chosen].astype(np.float32)
    batch = {name: to_input(rgb[:, at], heights[:, at], device) for at, name in enumerate(("before", "after"))}
    if varied:
        light = draw_light(rng, len(chosen), device)
        batch = {name: vary(picture, light) for name, picture in batch.items()}
    for name in ("sentences", "worked", "truth"):
        batch[name] = torch.from_numpy(arrays[name][chosen].astype(np.int64)).to(device)
    return batch


def loss_of(judge: Any, batch: dict[str, Any]) -> tuple[Any, dict[str, float]]:
    """Return the loss: foresight of the sentence that was said, and hindsight among the candidates and the batch."""
    looked = judge.look(batch["before"], batch["after"])
    sentences, worked, truth = batch["sentences"], batch["worked"].float(), batch["truth"]
    said = judge.foresight(looked, sentences[:, 0])
    foresight = functional.binary_cross_entropy_with_logits(said, worked)
    happened, known = judge.happened(looked), torch.nonzero(truth >= 0)[:, 0]
    count, candidates = sentences.shape[:2]
    meant = judge.meant(sentences.flatten(0, 1)).reshape(count, candidates, -1)
    scores = torch.einsum("bcv,bv->bc", meant, happened).masked_fill(sentences[..., 0] == 0, -1e4)
    hindsight = said.sum() * 0.0
    if len(known):
        hindsight = functional.cross_entropy(scores[known], truth[known])
        true = meant[known, truth[known]]
        across = true @ happened[known].T  # CLIP's other side: which pictures fit a sentence
        hindsight = hindsight + 0.3 * functional.cross_entropy(across, torch.arange(len(known), device=across.device))
    found = scores.argmax(dim=1)
    told = {
        "foresight": foresight.item(),
        "hindsight": hindsight.item(),
        "judged": ((said > 0) == (worked > 0)).float().mean().item(),
        "named": (found == truth)[known].float().mean().item() if len(known) else 0.0,
        "both": (((said > 0) & (found == 0)) == (worked > 0)).float().mean().item(),
    }
    return foresight + 0.5 * hindsight, told


def main() -> None:
    """Train, with a checkpoint from time to time."""
    parser = resumable.options(__doc__, steps=6000, batch=24)
    parser.add_argument("--eyes", type=Path, help="a checkpoint of trained eyes to begin with")
    given = parser.parse_args()
    device = resumable.begin(given)
    arrays = resumable.read_files(given.data, "training.senses.attempts")
    numbers = np.arange(len(arrays["rgb"]))
    train, kept = numbers[numbers % HELD_OUT != 0], numbers[::HELD_OUT][:80]
    judge = Judge(len(WORDS), given.width)
    if given.eyes is not None:
        begin_with_eyes(judge, given.eyes)
    judge = judge.to(device)

    def loss(rng: np.random.Generator) -> resumable.Losses:
        chosen = np.sort(rng.choice(train, given.batch))
        return loss_of(judge, draw_batch(arrays, chosen, rng, device, varied=True))

    def held_out() -> str:
        batch = draw_batch(arrays, kept, np.random.default_rng(0), device, varied=False)
        return resumable.tell(loss_of(judge, batch)[1])

    resumable.train(given, judge, loss, held_out, {"words": list(WORDS), "attempts": len(train)})


if __name__ == "__main__":
    main()
