"""Write demonstrations down: `python -m training.generate data/ --tokens 44`.

One file of JSON lines for each demonstrator and part; a finished file is left alone, so that this can be interrupted.
What the benchmarks hold out is refused.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import numpy as np

from training.demonstrators import demonstrators
from training.demonstrators.robots import emphasise
from training.heldout import violations
from training.samples import LONGEST, Sample

CHARACTERS = 4
"""So many make a token, about."""
PART = 1_000_000
"""Characters in a file, about."""


WORK = ("papers", "reading")
APART = "judging"
"""The work of which the tokens are counted by themselves."""


def work_of(name: str) -> str:
    """Which adapter a demonstrator is for: the papers' presets, reading, judging readings, or none that is shipped."""
    for apart in ("ablation", APART):
        if name.startswith(f"{apart}."):
            return apart
    return (
        "reading" if name in ("robots", "described", "knowledge", "worlds") or name.startswith("meaning.") else "papers"
    )


def drawn(name: str, seed: int, part: int, characters: int) -> Iterator[Sample]:
    """Samples of a demonstrator, up to so many characters; none twice, none too long, none with anything held out."""
    rng = np.random.default_rng([seed, zlib.crc32(name.encode()), part])
    seen = set[int]()
    idle = refused = 0
    for sample in demonstrators()[name].forever(rng):
        text = sample.text
        if hash(text) in seen or len(text) > LONGEST:
            idle += 1
            if idle > 20_000:
                return  # it has nothing more to say
            continue
        if found := violations(text):
            refused += 1
            if refused > 5 + len(seen) // 50:
                raise ValueError(f"{name} uses what is held out: {found} in {text!r}")
            continue  # by chance, its words came together like that
        seen.add(hash(text))
        idle = 0
        yield sample
        characters -= len(text)
        if characters <= 0:
            return


def write(name: str, seed: int, part: int, path: Path, characters: int = PART) -> tuple[str, int, int, float]:
    """One file; its name, samples, characters and seconds."""
    start, count, size = time.monotonic(), 0, 0
    beside = path.with_suffix(".part")
    with beside.open("w", encoding="utf-8") as file:
        for sample in drawn(name, seed, part, characters):
            file.write(json.dumps({"family": sample.family, "parts": sample.parts}, ensure_ascii=False) + "\n")
            count, size = count + 1, size + len(sample.text)
    beside.rename(path)
    return path.name, count, size, time.monotonic() - start


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("out", type=Path)
    options.add_argument("--tokens", type=float, default=44, help="millions of tokens in all, about (44)")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--only", default="", help="names of demonstrators, separated by commas (all)")
    options.add_argument("--work", choices=(*WORK, APART), help="those of one adapter")
    options.add_argument("--more", type=Path, nargs="*", default=[], help="files of the corpus to draw more often")
    options.add_argument("--times", type=int, default=5, help="so many times as often as each other file (5)")
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    known = demonstrators()
    works = WORK if given.work is None else (given.work,)
    wanted = [name for name in given.only.split(",") if name] or [name for name in known if work_of(name) in works]
    if unknown := [name for name in wanted if name not in known]:
        sys.exit(f"There is no demonstrator {', '.join(unknown)}; there is {', '.join(known)}.")
    todo = []
    for name in wanted:
        together = (APART,) if work_of(name) == APART else WORK
        shares = sum(each.share for other, each in known.items() if work_of(other) in together)
        characters = known[name].share / shares * given.tokens * 1e6 * CHARACTERS
        parts = max(1, round(characters / PART))
        size = min(PART, int(characters / parts))
        todo += [(part, name, given.out / f"{name}-{part:03}.jsonl", size) for part in range(parts)]
    todo = [each for each in sorted(todo) if not each[2].exists()]
    more = [path.stem for path in given.more]
    with ProcessPoolExecutor(given.jobs, initializer=emphasise, initargs=(more, given.times)) as pool:
        running = {pool.submit(write, name, given.seed, part, path, size): path.name for part, name, path, size in todo}
        failed = 0
        for number, done in enumerate(as_completed(running), 1):
            if error := done.exception():
                failed += 1
                print(f"{number}/{len(todo)} {running[done]} failed: {error!r}", file=sys.stderr, flush=True)
                continue
            name, count, size, seconds = done.result()
            print(
                f"{number}/{len(todo)} {name}: {count} samples, {size / count / CHARACTERS:.0f} tokens each, "
                f"{count / seconds:.0f} a second",
                flush=True,
            )
    if failed:
        sys.exit(f"{failed} files are missing; the same command tries again.")


if __name__ == "__main__":
    main()
