"""Write a trained judge as an ONNX file, with its threshold and how often it errs.

    python -m training.senses.export results/senses/judge.pt results/senses/learned.onnx

`--kitchen` exports a judge of steps in the kitchen. Threshold and error rates come from attempts that neither the
training nor the benchmark draws: the threshold is the one with the best F1 of foresight and hindsight together.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from thinkaloud.verify.learned_senses import NEARLY
from thinkaloud.worlds.learned_files import LONGEST_SENTENCE
from training import drawn_files, resumable
from training.eyes.network import CHANNELS
from training.growing_data import as_tensors
from training.senses.network import ForSentences, Judge
from training.senses.subjects import TABLE, Subject, subject_option
from training.senses.train import draw_batch

_FIRST_SEED = 500_000
Rates = tuple[float, float, float]
"""The threshold, the share of failed steps that are said to have worked, and of others that are said to have failed."""


def write_onnx(
    judge: Any, words: list[str], path: Path, rates: Rates = (0.5, 0.0, 0.0), subject: Subject = TABLE
) -> None:
    """Write the judge, for a pair of pictures and any number of sentences."""
    picture = torch.zeros(1, CHANNELS, *subject.size)
    told: dict[str, Any] = {"words": words, "same": subject.same, "size": subject.size}
    told |= dict(zip(("threshold", "false_yes", "false_no"), rates, strict=True))
    resumable.write_onnx(
        ForSentences(judge),
        (picture, picture, torch.ones(3, LONGEST_SENTENCE, dtype=torch.long)),
        path,
        (("before", "after", "sentences"), ("foresight", "hindsight")),
        told,
        {"sentences": {0: "sentences"}, "hindsight": {0: "sentences"}},
    )


def judge_attempts(
    judge: Any, count: int, jobs: int = 1, subject: Subject = TABLE
) -> tuple[NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return foresight's likelihoods on other attempts, whether hindsight agrees, and whether they worked."""
    sure, agrees, worked = list[float](), list[bool](), list[bool]()
    for drawn in drawn_files.over_seeds(subject.draw, range(_FIRST_SEED, _FIRST_SEED + count), jobs):
        arrays = as_tensors({name: np.asarray(part)[None] for name, part in drawn.items()}, "cpu")
        batch = draw_batch(arrays, torch.tensor([0]), np.random.default_rng(0), "cpu", varied=False)
        said = batch["sentences"][0][batch["sentences"][0, :, 0] > 0]
        with torch.no_grad():
            foresight, hindsight = ForSentences(judge)(batch["before"], batch["after"], said)
        sure.append(float(foresight[0].sigmoid()))
        agrees.append(bool((hindsight[0] - hindsight.max()).exp() >= NEARLY))
        worked.append(bool(batch["worked"][0]))
    return np.array(sure), np.array(agrees), np.array(worked)


def choose(sure: NDArray[np.float64], agrees: NDArray[np.bool_], worked: NDArray[np.bool_]) -> Rates:
    """Return the threshold with the best F1, and the error rates there."""
    levels = np.linspace(0.05, 0.95, 37)
    said = [(sure >= level) & agrees for level in levels]
    scores = [2 * (each & worked).sum() / max(each.sum() + worked.sum(), 1) for each in said]
    best = int(np.argmax(scores))
    wrong_yes = (said[best] & ~worked).sum() / max((~worked).sum(), 1)
    wrong_no = (~said[best] & worked).sum() / max(worked.sum(), 1)
    return float(levels[best]), float(wrong_yes), float(wrong_no)


def export(checkpoint: Path, onnx: Path, attempts: int = 400, jobs: int = 1, subject: Subject = TABLE) -> None:
    """Export with a threshold that was chosen on attempts of its own; say how often it errs there."""
    saved = resumable.load_checkpoint(checkpoint)
    judge = resumable.load_trained(Judge(len(saved["words"]), saved["width"]), saved)
    rates = choose(*judge_attempts(judge, attempts, jobs, subject))
    write_onnx(judge, saved["words"], onnx, rates, subject)
    print(f"{saved['step']} steps on {saved['attempts']} attempts; {onnx.stat().st_size / 1e6:.2f} MB")
    print(
        f"threshold {rates[0]:.2f}; of {attempts} other attempts: {rates[1]:.0%} of the failed ones are said to "
        f"have worked, {rates[2]:.0%} of the others to have failed"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("onnx", type=Path)
    parser.add_argument("--attempts", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=1)
    subject_option(parser)
    given = parser.parse_args(arguments)
    export(given.checkpoint, given.onnx, given.attempts, given.jobs, given.subject)


if __name__ == "__main__":
    main()
