"""Write a trained policy as an ONNX file, with its words and the least sureness to act on.

    python -m training.hands.export results/hands/policy.pt results/hands/learned.onnx

The limit comes from scenes that neither the training nor the benchmark draws: at it, asking for what is not there is
refused as often as possible while at most one in fifty things that are there is refused, too.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch

from thinkaloud.execute.learned_hands import LearnedHands
from thinkaloud.worlds.learned_files import SIDE
from thinkaloud_worlds.random_tables.words import COLOUR_WORDS
from thinkaloud_worlds.seeds import generator
from thinkaloud_worlds.tabletop.pointed_pixels import PICK, point_in
from training import resumable
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


def sureness(hands: LearnedHands, scenes: int) -> tuple[list[float], list[float]]:
    """Return how sure the hands are of things that are there, and of things that are not."""
    there, absent = list[float](), list[float]()
    for seed in range(_FIRST_SEED, _FIRST_SEED + scenes):
        picture, things = blocks_and_bowls(generator(seed, 1))
        others = [f"{colour} block" for colour in list(COLOUR_WORDS)[:10] if f"{colour} block" not in things]
        for names, sure in ((things, there), (others[:3], absent)):
            sure += [point_in(hands, picture, PICK.format(object=name)).pick.sure for name in names]
    return there, absent


def main() -> None:
    """Export, find the limit, and export with it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("onnx", type=Path)
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--always", action="store_true", help="act however unsure: for a policy of whole tasks")
    given = parser.parse_args()
    saved = torch.load(given.checkpoint, map_location="cpu", weights_only=True)
    policy = Policy(len(saved["words"]), saved["width"])
    policy.load_state_dict(saved["network"])
    write_onnx(policy, saved["words"], given.onnx)
    print(
        f"{saved['step']} steps on {saved['demonstrations']} demonstrations; {given.onnx.stat().st_size / 1e6:.2f} MB"
    )
    if given.always:
        return
    there, absent = sureness(LearnedHands(given.onnx), given.scenes)
    least = float(np.percentile(there, _REFUSED))
    write_onnx(policy, saved["words"], given.onnx, least)
    refused = float((np.array(absent) < least).mean())
    print(f"least {least:.3f}: refuses {refused:.0%} of {len(absent)} requests for what is not there")


if __name__ == "__main__":
    main()
