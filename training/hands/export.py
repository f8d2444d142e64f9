"""Write a trained policy as an ONNX file, with its words and the least sureness to act on.

    python -m training.hands.export results/hands/policy.pt results/hands/learned.onnx

The limit comes from scenes that neither the training nor the benchmark draws: at it, asking for what is not there is
refused as often as possible while at most one in fifty things that are there is refused, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from thinkaloud.execute.learned_hands import LearnedHands
from thinkaloud.worlds.learned_files import SIDE
from thinkaloud_worlds.random_tables.words import COLOUR_WORDS
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.tabletop.pointed_pixels import PICK, point_in
from training import drawn_files, resumable
from training.eyes.network import CHANNELS
from training.hands.demonstrations import blocks_and_bowls
from training.hands.network import EXAMPLE, Policy
from training.hands.sentences import SAME

_FIRST_SEED = 500_000
_REFUSED = 2.0  # percent of what is there


def write_onnx(policy: Any, words: list[str], path: Path, least: float = 0.0) -> None:
    """Write the policy, for one picture and one sentence at a time."""
    example = torch.zeros(1, CHANNELS, SIDE, SIDE), EXAMPLE
    told = {"words": words, "same": SAME, "least": least}
    resumable.write_onnx(policy, example, path, (("picture", "sentence"), ("maps",)), told, {})


def sureness(file: Path, scenes: int, jobs: int = 1) -> tuple[list[float], list[float]]:
    """Return how sure the hands are of things that are there, and of things that are not."""
    found = drawn_files.over_seeds(partial(_sure_of, file), range(_FIRST_SEED, _FIRST_SEED + scenes), jobs)
    return [sure for there, _ in found for sure in there], [sure for _, absent in found for sure in absent]


@cache
def _open(file: Path) -> LearnedHands:
    return LearnedHands(file)


def _sure_of(file: Path, seed: int) -> tuple[list[float], list[float]]:
    """Return how sure the hands are of what is on a table, and of three blocks that are not."""
    picture, things = blocks_and_bowls(generator(seed, 1))
    others = [f"{colour} block" for colour in list(COLOUR_WORDS)[:10] if f"{colour} block" not in things]
    there, absent = (
        [point_in(_open(file), picture, PICK.format(object=name)).pick.sure for name in names]
        for names in (things, others[:3])
    )
    return there, absent


def export(checkpoint: Path, onnx: Path, scenes: int = 60, jobs: int = 1, *, always: bool = False) -> None:
    """Export, find the limit on scenes of its own, and export with that. `always`: without a limit."""
    saved = resumable.load_checkpoint(checkpoint)
    policy = resumable.load_trained(Policy(len(saved["words"]), saved["width"]), saved)
    if always:
        write_onnx(policy, saved["words"], onnx)
        print(f"{saved['step']} steps on {saved['demonstrations']} demonstrations; {onnx.stat().st_size / 1e6:.2f} MB")
        return
    unlimited = onnx.with_name(f"{onnx.stem}-unlimited.onnx")
    write_onnx(policy, saved["words"], unlimited)
    there, absent = sureness(unlimited, scenes, jobs)
    unlimited.unlink()
    least = float(np.percentile(there, _REFUSED))
    write_onnx(policy, saved["words"], onnx, least)
    refused = float((np.array(absent) < least).mean())
    print(f"{saved['step']} steps on {saved['demonstrations']} demonstrations; {onnx.stat().st_size / 1e6:.2f} MB")
    print(f"least {least:.3f}: refuses {refused:.0%} of {len(absent)} requests for what is not there")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("onnx", type=Path)
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--always", action="store_true", help="act however unsure: for a policy of whole tasks")
    given = parser.parse_args(arguments)
    export(given.checkpoint, given.onnx, given.scenes, given.jobs, always=given.always)


if __name__ == "__main__":
    main()
