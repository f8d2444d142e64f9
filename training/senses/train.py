"""Train the judge on attempts that are there, and go on from the last checkpoint.

    python -m training.senses.train results/senses/attempts results/senses/judge.pt --eyes results/eyes/detector.pt

The same command runs on a processor and on a GPU (`training.resumable`), while attempts are still being drawn. Every
25th attempt is not trained on: how often both judges are right on those is printed with each checkpoint. `--eyes`
begins with the trunk and the words of trained eyes, `--hands` with those of trained hands, and their sentences. With
`--frozen` the trunk stays as it begins, which takes less time. `--kitchen` trains a judge of steps in the kitchen.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from training import resumable
from training.growing_data import Arrays, GrowingData
from training.hands.beginning import begin_with
from training.hands.train import draw_light, to_input, vary
from training.senses.network import Judge
from training.senses.subjects import Subject, subject_option


def draw_batch(arrays: Arrays, chosen: Any, rng: np.random.Generator, device: str, *, varied: bool) -> dict[str, Any]:
    """Return attempts as tensors; if `varied`, in other light, the same before and after."""
    rgb, heights = arrays["rgb"][chosen], arrays["heights"][chosen]
    batch = {name: to_input(rgb[:, at], heights[:, at]) for at, name in enumerate(("before", "after"))}
    if varied:
        light = draw_light(rng, len(chosen), device)
        batch = {name: vary(picture, light) for name, picture in batch.items()}
    for name in ("sentences", "worked", "truth"):
        batch[name] = arrays[name][chosen].long()
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
        "foresight": foresight.detach(),
        "hindsight": hindsight.detach(),
        "judged": ((said > 0) == (worked > 0)).float().mean(),
        "named": (found == truth)[known].float().mean() if len(known) else 0.0,
        "both": (((said > 0) & (found == 0)) == (worked > 0)).float().mean(),
    }
    return foresight + 0.5 * hindsight, told


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, with a checkpoint from time to time."""
    parser = resumable.options(__doc__, steps=6000, batch=24)
    parser.add_argument("--eyes", type=Path, help="a checkpoint of trained eyes to begin with")
    parser.add_argument("--hands", type=Path, help="a checkpoint of trained hands to begin with")
    parser.add_argument("--frozen", action="store_true", help="leave the trunk as it begins")
    subject_option(parser)
    given = parser.parse_args(arguments)
    subject: Subject = given.subject
    device = resumable.begin(given)
    data = GrowingData(given.data, subject.made_by, device, wait=given.wait)
    judge = Judge(len(subject.words), given.width, frozen=given.frozen)
    begin_with(judge, subject.words, eyes=given.eyes, hands=given.hands)
    judge = judge.to(device)

    def loss(rng: np.random.Generator) -> resumable.Losses:
        return loss_of(judge, draw_batch(data.arrays, data.draw(rng, given.batch), rng, device, varied=True))

    def held_out() -> resumable.Losses:
        same = np.random.default_rng(0)
        return resumable.over_parts(
            data.held,
            given.batch,
            lambda rows: loss_of(judge, draw_batch(data.arrays, rows, same, device, varied=False)),
        )

    def card() -> dict[str, Any]:
        return {"words": list(subject.words), "attempts": len(data.train), "held_out": len(data.held)}

    resumable.train(given, judge, loss, held_out, card)


if __name__ == "__main__":
    main()
