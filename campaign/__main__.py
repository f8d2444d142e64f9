"""The command line of a campaign."""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from campaign.contract import FamilyKind, NotTried, Stage
from campaign.families import FAMILIES
from campaign.report import explain_kinds, render_table, write_report
from campaign.running import Wanted, close, figures_of, read_kept, run_campaign
from campaign.warming import warm_up
from thinkaloud.errors import BadInput
from thinkaloud.presets import read_preset

_OUT = Path("results/campaign")


def main() -> int:
    """Run a campaign, or replay one saved attempt; return 1 if something was found."""
    given = _parser().parse_args()
    with tempfile.TemporaryDirectory(prefix="campaign-") as work:
        warm_up(Path(work))
        if given.command == "replay":
            return _replay(given.file, Path(work))
        return _run(given, Path(work))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m campaign", description=__doc__)
    parser.set_defaults(command="run")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10.0, help="the time for all families together")
    parser.add_argument("--families", default="", help=f"the families to run, of {','.join(FAMILIES)}; default: all")
    parser.add_argument("--most", type=int, help="the most attempts per family")
    parser.add_argument("--model", default="", help="who reads hostile words, such as embedded; default: a stand-in")
    parser.add_argument("--presets", default="", help="the presets that read hostile words; default: all")
    parser.add_argument("--out", type=Path, default=_OUT, help=f"the folder for results; default: {_OUT}")
    replay = parser.add_subparsers().add_parser("replay", help="try one failing input again")
    replay.add_argument("file", type=Path)
    replay.set_defaults(command="replay")
    return parser


def _run(given: argparse.Namespace, work: Path) -> int:
    kinds = [_find(name) for name in filter(None, given.families.split(","))] or list(FAMILIES.values())
    presets = tuple(filter(None, given.presets.split(",")))
    try:
        for preset in presets:
            read_preset(preset)
    except BadInput as error:
        raise SystemExit(str(error)) from None
    wanted = Wanted(given.seed, 60 * given.minutes, given.out.absolute(), given.most, given.model, presets)
    started = datetime.now().astimezone().isoformat(timespec="seconds")
    with _showing() as progress:
        tallies = run_campaign(kinds, wanted, work, progress)
    about = {"command": " ".join(["python -m campaign", *sys.argv[1:]]), "seed": given.seed, "minutes": given.minutes}
    write_report(wanted.out, tallies, about | {"commit": _commit(), "started": started})
    print(render_table(tallies))
    for line in explain_kinds(tallies):
        print(line)
    print(f"The results are in {given.out}. To try a failing input again: python -m campaign replay FILE")
    return int(any(tally.failed for tally in tallies))


def _replay(path: Path, work: Path) -> int:
    attempt = read_kept(path)
    family = _find(attempt.family).open(Stage(work / attempt.family, 60.0))
    finding, told = None, "all is well"
    try:
        if (finding := family.try_one(attempt)) is not None:
            told = f"{finding.kind}: {finding.what}"
    except NotTried as reason:
        told = f"no result this time: {reason}"
    print(f"{attempt.family}: {attempt.name}: {told}")
    if figures := figures_of(family):
        print(", ".join(f"{name} {value:g}" for name, value in figures.items()))
    close(family)
    return int(finding is not None)


def _find(name: str) -> FamilyKind:
    if name not in FAMILIES:
        raise SystemExit(f"There is no family {name!r}; use one of {', '.join(FAMILIES)}.")
    return FAMILIES[name]


@contextlib.contextmanager
def _showing() -> Iterator[_Line]:
    line = _Line()
    yield line
    line.end()


class _Line:
    """Shows progress: on a terminal, one line that is overwritten; elsewhere, one line per family."""

    def __init__(self) -> None:
        self._terminal, self._family, self._last = sys.stderr.isatty(), "", ""

    def __call__(self, text: str) -> None:
        family = text.partition(":")[0]
        if self._terminal:
            sys.stderr.write(f"\r\x1b[K{text[: os.get_terminal_size(2).columns - 1]}")
        elif family != self._family:
            self.end()
        self._family, self._last = family, text
        sys.stderr.flush()

    def end(self) -> None:
        """Leave the last line in place."""
        if self._last:
            sys.stderr.write("\n" if self._terminal else f"{self._last}\n")


def _commit() -> str:
    found = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True)
    return found.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
