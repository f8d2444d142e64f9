"""Readings of a writer become demonstrations for the judge.

    python -m training.robots.measure --model openai:mine --learnt 200 --out results/training/learnt.jsonl
    python -m training.robots.judged results/training/learnt.jsonl --out results/training/judging/writer.jsonl

What a writer really gets wrong, of robots that it learnt from, and what it nearly wrote: harder to tell from the right
reading than what chance makes (`near_misses`). Right readings are left out where there are more of them than wrong
ones. The file lies beside those of `training.generate`, and is packed with them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from thinkaloud.understand.prompting.prompt import NO, YES
from training.heldout import violations
from training.samples import Sample

FAMILY = "judge.writer"


def samples_of(measured: Iterable[Mapping[str, Any]], rng: np.random.Generator) -> Iterator[Sample]:
    """As many right as wrong readings, each with what the judge should say."""
    asked = {each["prompt"]: each["right"] for line in measured for each in line.get("questions", ())}
    wrong = [prompt for prompt, is_right in asked.items() if not is_right and not violations(prompt)]
    right = [prompt for prompt, is_right in asked.items() if is_right and not violations(prompt)]
    chosen = [right[int(number)] for number in rng.permutation(len(right))[: len(wrong)]]
    for answer, prompts in ((NO, wrong), (YES, chosen)):
        yield from (Sample(FAMILY, ((prompt, f"{answer}\n\n"),)) for prompt in prompts)


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("measured", type=Path, nargs="+")
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    lines = [json.loads(line) for path in given.measured for line in path.read_text(encoding="utf-8").splitlines()]
    found = list(samples_of(lines, np.random.default_rng(given.seed)))
    texts = (json.dumps({"family": each.family, "parts": each.parts}, ensure_ascii=False) for each in found)
    given.out.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    print(f"{len(found)} readings, half of them wrong")


if __name__ == "__main__":
    main()
