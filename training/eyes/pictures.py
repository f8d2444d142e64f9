"""Training pictures, in files that can be made again from their seeds.

    python -m training.eyes.pictures results/eyes/pictures --pictures 4000 --jobs 2

Each file has 250 pictures: colour, height above the table, which thing each pixel shows, and which words are true of
each thing. Files that are there already are kept, so an interrupted command goes on where it stopped.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thinkaloud_worlds.random_tables import VOCABULARY, draw_table, photograph_drawn

WIDTH, HEIGHT = 160, 120
MOST_THINGS = 16
_PER_FILE = 250
_FIRST_SEED = 1_000_000
"""Pictures that measure have seeds below this, and other styles."""

Arrays = dict[str, NDArray[np.generic]]


def draw_picture(seed: int) -> tuple[NDArray[np.uint8], NDArray[np.float16], NDArray[np.int8], NDArray[np.int8]]:
    """Return a picture, its heights (NaN where unknown), its things, and the truth of each word about each thing."""
    table = draw_table(seed, "training")
    picture = photograph_drawn(table, WIDTH, HEIGHT, whole=False)
    truths = np.zeros((MOST_THINGS, len(VOCABULARY)), np.int8)
    for number, thing in enumerate(table.things[:MOST_THINGS]):
        truths[number] = [thing.truths.get(word, 0) for word in VOCABULARY]
    heights = picture.view.points()[..., 2].astype(np.float16)
    return picture.view.rgb, heights, picture.things.astype(np.int8), truths


def write_file(path: Path, first: int, count: int) -> Path:
    """Write one file of pictures."""
    drawn = [draw_picture(first + number) for number in range(count)]
    rgb, heights, things, truths = (np.stack(each) for each in zip(*drawn, strict=True))
    part = path.with_suffix(".part.npz")
    np.savez(part, rgb=rgb, heights=heights, things=things, truths=truths)
    part.replace(path)
    return path


def read_files(folder: Path) -> Arrays:
    """Read all finished files of a folder."""
    parts = [np.load(path) for path in sorted(folder.glob("*.npz")) if not path.name.endswith(".part.npz")]
    if not parts:
        raise SystemExit(f"There are no pictures in {folder}: run training.eyes.pictures first.")
    return {name: np.concatenate([part[name] for part in parts]) for name in ("rgb", "heights", "things", "truths")}


def main() -> None:
    """Make the files that are missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    begin = _FIRST_SEED + given.seed * 10_000_000
    wanted = [
        (given.folder / f"{first:09d}.npz", first, min(_PER_FILE, begin + given.pictures - first))
        for first in range(begin, begin + given.pictures, _PER_FILE)
    ]
    missing = [each for each in wanted if not each[0].exists()]
    with ProcessPoolExecutor(given.jobs) as pool:
        for number, path in enumerate(pool.map(write_file, *zip(*missing, strict=True)) if missing else (), 1):
            print(f"{path.name}: {number} of {len(missing)}", flush=True)


if __name__ == "__main__":
    main()
