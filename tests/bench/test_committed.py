"""The committed results follow from the committed episodes, to the byte."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from thinkaloud_bench import BENCHES, Played
from thinkaloud_bench.episode_log import LogHeading
from thinkaloud_bench.running import items_of, report_of

FOLDER = Path(__file__).parents[2] / "bench" / "inner-monologue-tabletop" / "embedded"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    first, *lines = (FOLDER / "episodes.jsonl").read_bytes().splitlines()
    heading = msgspec.json.decode(first, type=LogHeading)
    played = [msgspec.json.decode(line, type=Played) for line in lines]
    assert msgspec.json.encode(heading) == first
    bench = BENCHES[heading.bench]
    there = dict.fromkeys(each.preset for each in played)
    presets = [
        *(name for name in bench.presets if name in there),
        *(name for name in there if name not in bench.presets),
    ]
    items = items_of(bench, presets, None, 1 + max(each.index for each in played), heading.seed)
    out = tmp_path_factory.mktemp("out")
    report_of(bench, items, played, heading.model, heading.seed).write(out)
    return out


@pytest.mark.parametrize("name", ["results.json", "results.csv", "table.txt", "table.md"])
def test_the_committed_episodes_give_the_committed_results(written: Path, name: str) -> None:
    assert (written / name).read_bytes() == (FOLDER / name).read_bytes()
