"""What the thresholds that are shipped come to on the requests of the test: a table for the page, by model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from thinkaloud_bench.contract import Played
from thinkaloud_bench.episode_log import read_played
from thinkaloud_bench.intervals import wilson
from thinkaloud_bench.understanding import BENCH
from thinkaloud_bench.understanding.calibrate import ALWAYS, PRESET, read_thresholds, thresholds_file
from thinkaloud_bench.understanding.curve import readings_of

SHOWN = (0.05, 0.1, 0.15, 0.2)
_OUTCOMES = ("right", "asked", "declined", "silent")
_HEAD = ("model", "accepted", "sure from", "requests", "n", *_OUTCOMES, "any question")


def render_accepting(results: Path) -> str:
    """Of every model of which there are thresholds and episodes: what comes of each accepted share of silent errors."""
    lines = [list(_HEAD), ["---", "---:", "---:", "---", *("---:" for _ in _HEAD[4:])]]
    text = thresholds_file().read_text(encoding="utf-8")
    for model, accepts in read_thresholds(text).items():
        if not (results / model / "episodes.jsonl").is_file():
            continue
        played = [each for each in read_played(results / model) if each.preset == PRESET]
        for accepted, threshold in accepts:
            if accepted in SHOWN:
                at = "always asks" if threshold >= ALWAYS else f"{threshold:.2f}"
                lines += [[f"`{model}`", f"{accepted:g}", at, *row] for row in _rows(played, threshold)]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{body}\n\nIn % [95 % interval], from the run that never asks. “Sure from” is the threshold.\n"


def _rows(played: Iterable[Played], threshold: float) -> Iterator[list[str]]:
    groups: dict[str, list[Played]] = {}
    for each in played:
        groups.setdefault(BENCH.tasks[each.task].group or "", []).append(each)
    groups["all"] = [each for some in groups.values() for each in some]
    for group, some in groups.items():
        if len(groups) == 2 and group != "all":
            continue
        readings = readings_of(some)
        outcomes = [each.outcome_at(threshold) for each in readings]
        asked = sum(each.asked_below(threshold) for each in readings)
        counts = [*(outcomes.count(each) for each in _OUTCOMES), asked]
        yield [group, str(len(readings)), *(_share(count, len(readings)) for count in counts)]


def _share(count: int, of: int) -> str:
    found = wilson(count, of)
    return f"{100 * count / of:.0f} [{100 * found.low:.0f}–{100 * found.high:.0f}]"
