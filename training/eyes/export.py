"""Write a trained detector as an ONNX file, with its words and the calibration of its scores.

    python -m training.eyes.export results/eyes/detector.pt results/eyes/learned.onnx

The calibration comes from random tables, kitchens and dishes (`--kitchens` and `--dishes` are their shares, as in
training) that neither the training nor the benchmark draws: a raw score becomes the likelihood that a box is right, and
the least likelihood to report is the one with the best F1 there.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from thinkaloud.perceive.learned_eyes import Calibration, LearnedDetector
from thinkaloud.worlds.vision import overlap
from thinkaloud_worlds.random_tables import SAME_WORDS, draw_phrases, fits
from thinkaloud_worlds.random_tables.words import OPEN, TRUE
from training import drawn_files, resumable
from training.eyes.network import CHANNELS, Detector, ForPhrases
from training.eyes.pictures import HEIGHT, SHARES, WIDTH, Shares, draw_scene, share_options

_FIRST_SEED = 500_000
_RIGHT = 0.5  # a box that overlaps the true one this much is right
_VISIBLE = 0.25
_EVERYTHING = Calibration(least=0.0)


def write_onnx(detector: Any, words: list[str], path: Path, calibration: Calibration = _EVERYTHING) -> None:
    """Write the detector, for pictures of any size and any number of phrases."""
    resumable.write_onnx(
        ForPhrases(detector),
        (torch.zeros(1, CHANNELS, HEIGHT, WIDTH), torch.ones(2, len(words))),
        path,
        (("picture", "phrases"), ("scores", "boxes")),
        {
            "words": words,
            "same": SAME_WORDS,
            "calibration": [calibration.slope, calibration.offset, calibration.least],
        },
        {
            "picture": {2: "height", 3: "width"},
            "phrases": {0: "phrases"},
            "scores": {0: "phrases", 1: "rows", 2: "columns"},
            "boxes": {1: "rows", 2: "columns"},
        },
    )


def judge_boxes(
    file: Path, tables: int, jobs: int = 1, shares: Shares = SHARES
) -> tuple[NDArray[np.float64], NDArray[np.bool_], int]:
    """Return the raw score of each box on drawn scenes, whether it is right, and how many things were to be found."""
    judged = drawn_files.over_seeds(partial(_judge_scene, file, shares), range(_FIRST_SEED, _FIRST_SEED + tables), jobs)
    raw = [score for each in judged for score, _ in each[0]]
    right = [is_right for each in judged for _, is_right in each[0]]
    return np.array(raw), np.array(right, dtype=bool), sum(wanted for _, wanted in judged)


@cache
def _open(file: Path) -> LearnedDetector:
    return LearnedDetector(file)


def _judge_scene(file: Path, shares: Shares, seed: int) -> tuple[list[tuple[float, bool]], int]:
    """Return the raw score of each box in a scene and whether it is right, and how many things were to be found."""
    judged, wanted = list[tuple[float, bool]](), 0
    scene, picture = draw_scene(seed, shares, whole=True)
    phrases = {text: words for text, words in draw_phrases(scene).items() if _open(file).understands(text)}
    found = _open(file).find(picture.view, list(phrases))
    for phrase, words in phrases.items():
        truths = [fits(thing.truths, words) for thing in scene.things]
        whole = [box for number, value in enumerate(truths) if value == TRUE and (box := picture.box(number))]
        maybe = [box for number, value in enumerate(truths) if value == OPEN and (box := picture.box(number))]
        wanted += sum(value == TRUE and picture.visible(n) >= _VISIBLE for n, value in enumerate(truths))
        for each in sorted((one for one in found if one.phrase == phrase), key=lambda one: -one.score):
            met = next((box for box in whole if overlap(each.box, box) >= _RIGHT), None)
            if met is None and any(overlap(each.box, box) >= _RIGHT for box in maybe):
                continue
            if met is not None:
                whole.remove(met)
            judged.append((each.score, met is not None))
    return judged, wanted


def calibrate(raw: NDArray[np.float64], right: NDArray[np.bool_], wanted: int) -> Calibration:
    """Fit a logistic curve to right and wrong boxes, and choose the least likelihood that is worth reporting."""
    if right.all() or not right.any():
        return Calibration()
    odds = np.log(np.clip(raw, 1e-6, 1 - 1e-6) / (1 - np.clip(raw, 1e-6, 1 - 1e-6)))
    seen = np.stack([odds, np.ones_like(odds)], axis=1)
    weights = _logistic(seen, right)
    curve = Calibration(float(weights[0]), float(weights[1]), 0.0)
    likely = np.array([curve(each) for each in raw])
    levels = np.linspace(0.1, 0.9, 33)
    scores = [2 * (right & (likely >= t)).sum() / max((likely >= t).sum() + wanted, 1) for t in levels]
    return Calibration(curve.slope, curve.offset, float(levels[int(np.argmax(scores))]))


def _logistic(seen: NDArray[np.float64], right: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Fit by Newton's method, held back a little for few boxes; a step that would make it worse is halved."""

    def loss(weights: NDArray[np.float64]) -> float:
        at = seen @ weights
        return float(np.logaddexp(0.0, np.where(right, -at, at)).sum() + 0.005 * weights @ weights)

    weights = np.array([1.0, 0.0])
    for _ in range(50):
        likely = 0.5 * (1 + np.tanh(seen @ weights / 2))
        slope = seen.T @ (likely - right) + 0.01 * weights
        bend = (seen * (likely * (1 - likely))[:, None]).T @ seen + 0.01 * np.eye(2)
        step = np.linalg.solve(bend, slope)
        while loss(weights - step) > loss(weights) and np.abs(step).max() > 1e-9:
            step = step / 2
        weights = weights - step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def export(checkpoint: Path, onnx: Path, tables: int = 200, jobs: int = 1, shares: Shares = SHARES) -> None:
    """Export without a calibration, calibrate on scenes of its own, and export with that; say how good it is there."""
    saved = resumable.load_checkpoint(checkpoint)
    detector = resumable.load_trained(Detector(len(saved["words"]), saved["width"]), saved)
    raw_file = onnx.with_name(f"{onnx.stem}-uncalibrated.onnx")
    write_onnx(detector, saved["words"], raw_file)
    raw, right, wanted = judge_boxes(raw_file, tables, jobs, shares)
    raw_file.unlink()
    calibration = calibrate(raw, right, wanted)
    write_onnx(detector, saved["words"], onnx, calibration)
    likely = np.array([calibration(each) for each in raw])
    kept = likely >= calibration.least
    print(f"{saved['step']} steps on {saved['pictures']} pictures; {onnx.stat().st_size / 1e6:.2f} MB")
    print(f"slope {calibration.slope:.2f}, offset {calibration.offset:.2f}, least {calibration.least:.2f}")
    precision = (right & kept).sum() / max(kept.sum(), 1)
    print(f"precision {precision:.3f}, recall {(right & kept).sum() / max(wanted, 1):.3f}, {wanted} things")
    for low in (0.2, 0.4, 0.6, 0.8):
        band = (likely >= low) & (likely < low + 0.2)
        if band.any():
            print(f"  scores {low:.1f} to {low + 0.2:.1f}: {right[band].mean():.2f} right, {int(band.sum())} boxes")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("onnx", type=Path)
    parser.add_argument("--tables", type=int, default=200)
    share_options(parser)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args(arguments)
    export(given.checkpoint, given.onnx, given.tables, given.jobs, Shares.given(given))


if __name__ == "__main__":
    main()
