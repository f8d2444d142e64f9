"""Draw the plots of finished benchmark runs from their results.json.

    python -m thinkaloud_bench.draw_plots FOLDER … [--out DIR]

FOLDER is a results folder such as bench/itp/embedded. The plots go into that folder, or into DIR. `thinkaloud bench
--out` draws the same plots when a run ends. Needs matplotlib (extra `plots`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from thinkaloud.errors import BadInput, ThinkaloudError
from thinkaloud_bench.benches import BENCHES
from thinkaloud_bench.contract import Row
from thinkaloud_bench.report import Report


class _Results(msgspec.Struct):
    """The fields of results.json."""

    bench: str
    model: str
    seed: int
    seconds: float
    rows: tuple[Row, ...]


def draw_plots(folder: Path, out: Path | None = None) -> list[str]:
    """Draw the plots of one results folder; return what the user should know, such as that matplotlib is missing."""
    try:
        found = msgspec.json.decode((folder / "results.json").read_bytes(), type=_Results)
    except FileNotFoundError:
        raise BadInput(
            f"{folder} has no results.json. Name the folder of one run, such as bench/itp/embedded."
        ) from None
    except (OSError, msgspec.DecodeError) as error:
        raise BadInput(f"{folder / 'results.json'} cannot be read: {error}") from None
    report = Report(BENCHES[found.bench], found.model, found.seed, found.seconds, found.rows)
    target = out or folder
    try:
        target.mkdir(parents=True, exist_ok=True)
        return report.draw(target)
    except OSError as error:
        raise BadInput(f"The plots cannot be written to {target}: {error.strerror or error}.") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """The command: exit status 0, or 2 with one line on stderr."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    options.add_argument("--out", type=Path, metavar="DIR", help="where to put the plots; only with one FOLDER")
    given = options.parse_args(arguments)
    if given.out is not None and len(given.folders) > 1:
        options.error("--out takes one FOLDER: the plots of several would overwrite each other")
    try:
        notes = [note for folder in given.folders for note in draw_plots(folder, given.out)]
    except ThinkaloudError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for note in dict.fromkeys(notes):
        sys.stderr.write(f"{note}\n")
    return 2 if notes else 0


if __name__ == "__main__":
    sys.exit(main())
