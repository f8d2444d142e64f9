"""Draw everything that is trained on, by many processes, in the order in which it is needed.

python -m training.vision.drawing results/vision --jobs 16
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from training.drawn_files import FIRST_SEED, write_file
from training.vision.plan import PARTS, in_order, parts_option, per_file, scaled


def missing(out: Path, scale: float, parts: Collection[str] = PARTS) -> list[tuple[str, Path, int, int]]:
    """Return the files that are not there yet, in order: their kind, their path, their first seed, how many."""
    found = list[tuple[str, Path, int, int]]()
    for kind, first, last in in_order(scale, parts):
        size = per_file(scaled(kind.count, scale))
        for at in range(first, last, size):
            path = out / kind.folder / f"{FIRST_SEED + at:09d}.npz"
            if not path.exists():
                found.append((kind.name, path, FIRST_SEED + at, min(size, last - at)))
    return found


def _draw(kind: str, path: Path, first: int, count: int) -> str:
    from training.vision.plan import KINDS

    drawer = next(each for each in KINDS if each.name == kind).drawer()
    write_file(drawer, path, first, count)
    return f"{kind} {path.name}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw what is missing. A file that cannot be drawn is told and left out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--scale", type=float, default=1.0)
    parts_option(parser)
    given = parser.parse_args(arguments)
    wanted = missing(given.out, given.scale, given.parts)
    for _, path, _, _ in wanted:
        path.parent.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(given.jobs) as pool:
        made = [pool.submit(_draw, *each) for each in wanted]
        for number, each in enumerate(made, 1):
            try:
                print(f"{each.result()}: {number} of {len(made)}", flush=True)
            except Exception as error:  # one file of hundreds: the others are worth more than an end
                print(f"{wanted[number - 1][1].name} was not drawn: {error!r}", flush=True)


if __name__ == "__main__":
    main()
