"""Parts of a run: however many play it, the files are the same, and what does not fit together is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from thinkaloud.errors import BadInput
from thinkaloud.settings import Settings
from thinkaloud_bench import merge_shards, run_bench
from thinkaloud_bench.contract import Item, OpenedModel, Played
from thinkaloud_bench.episode_log import LogHeading
from thinkaloud_bench.shards import digest_code, read_shard
from toy_bench import TOY, open_adder, play

COUNT = 7


async def play_in_no_time(item: Item, model: OpenedModel) -> Played:
    """What was measured is different in every run; all else is the same."""
    played = await play(item, model)
    return Played(
        **{name: getattr(played, name) for name in played.__struct_fields__} | {"seconds": 0.5, "thinking": 0.25}
    )


def draw_nothing(*given: Any) -> list[str]:
    return []


BENCH = replace(TOY, play=play_in_no_time, draw=draw_nothing)


def play_shard(out: Path, number: int, count: int, **changes: Any) -> None:
    usual: dict[str, Any] = {
        "presets": None,
        "model": "scripted",
        "episodes": 5,
        "seed": 3,
        "jobs": 1,
        "episodes_file": None,
        "settings": Settings(home=out),
        "progress": lambda done, total, what: None,
        "open_model": open_adder,
    }
    run_bench(BENCH, out=out, shard=(number, count), **usual | changes)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven shards, each in its folder."""
    out = tmp_path_factory.mktemp("shards")
    for number in range(1, COUNT + 1):
        play_shard(out, number, COUNT)
    return out


@pytest.fixture
def shards(played: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(played, tmp_path / "out"))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_one_shard_and_seven_give_the_same_files_byte_for_byte(shards: Path, tmp_path: Path) -> None:
    play_shard(tmp_path / "one", 1, 1)
    merge_shards(tmp_path / "one", BENCH)
    report = merge_shards(shards, BENCH)
    assert (report.played, report.complete) == (20, True)
    assert files(shards) == files(tmp_path / "one")
    assert {"episodes.jsonl", "results.json", "results.csv", "table.txt", "table.md"} == {*files(shards)}


def test_the_merged_results_are_those_of_a_run_in_one_piece(shards: Path, tmp_path: Path) -> None:
    merge_shards(shards, BENCH)
    whole = tmp_path / "whole"
    run_bench(
        BENCH, presets=None, model="scripted", episodes=5, seed=3, jobs=1, episodes_file=None, out=whole,
        settings=Settings(home=tmp_path), progress=lambda done, total, what: None, open_model=open_adder,
    )  # fmt: skip
    own, merged = files(whole), files(shards)
    assert [json.loads(line) for line in merged.pop("episodes.jsonl").splitlines()] == [
        json.loads(line) for line in own.pop("episodes.jsonl").splitlines()
    ]
    assert {name: own[name] for name in merged} == merged


def test_merging_again_changes_nothing(shards: Path) -> None:
    merge_shards(shards, BENCH)
    before = files(shards)
    merge_shards(shards, BENCH)
    assert files(shards) == before


def test_a_killed_shard_goes_on_where_it_was(shards: Path) -> None:
    log = shards / "shard-00002-of-00007" / "episodes.jsonl"
    whole = log.read_text()
    lines = whole.splitlines()
    log.write_text("\n".join(lines[:2]) + "\n" + lines[2][:30])  # the last line is cut short
    with pytest.raises(BadInput, match=r"Shard 2/7 has played 1 of 3 episodes; the same command goes on"):
        merge_shards(shards, BENCH)
    play_shard(shards, 2, COUNT)
    assert log.read_text() == whole
    assert merge_shards(shards, BENCH).complete


def test_missing_shards_are_named(shards: Path) -> None:
    for number in (3, 5):
        shutil.rmtree(shards / f"shard-0000{number}-of-00007")
    with pytest.raises(BadInput, match="2 of 7 shards are missing: 3, 5"):
        merge_shards(shards, BENCH)
    with pytest.raises(BadInput, match="no shards"):
        merge_shards(shards / "nothing", BENCH)


def change(shards: Path, number: int, edit: Callable[[dict[str, Any]], None]) -> None:
    """Change the heading of a shard."""
    log = shards / f"shard-0000{number}-of-00007" / "episodes.jsonl"
    first, *lines = log.read_text().split("\n")
    heading = json.loads(first)
    edit(heading)
    log.write_text("\n".join([json.dumps(heading), *lines]))


@pytest.mark.parametrize(
    ("where", "value"),
    [("seed", 4), ("model", "other"), ("thinkaloud", "9.9"), ("settings", {"context": 1}), ("episodes_file", "ab")],
)
def test_shards_of_different_runs_are_refused(shards: Path, where: str, value: object) -> None:
    change(shards, 4, lambda heading: heading.update({where: value}))
    with pytest.raises(BadInput, match=f"Shards 1/7 and 4/7 are not of the same run: they differ in {where}"):
        merge_shards(shards, BENCH)


@pytest.mark.parametrize("where", ["code", "weights", "count", "presets", "episodes"])
def test_mixed_versions_of_code_weights_and_columns_are_refused(shards: Path, where: str) -> None:
    values = {"code": "0", "weights": "0", "count": 8, "presets": ["open_loop"], "episodes": 19}
    change(shards, 4, lambda heading: heading["shard"].update({where: values[where]}))
    with pytest.raises(BadInput, match=f"they differ in {where}"):
        merge_shards(shards, BENCH)


def test_a_shard_that_is_there_twice_is_refused(shards: Path) -> None:
    shutil.copytree(shards / "shard-00001-of-00007", shards / "shard-00009-of-00007")
    with pytest.raises(BadInput, match="there twice"):
        merge_shards(shards, BENCH)


def test_episodes_of_another_shard_are_refused(shards: Path) -> None:
    one, two = (shards / f"shard-0000{number}-of-00007" / "episodes.jsonl" for number in (1, 2))
    (head_one, *lines_one), (head_two, *lines_two) = (each.read_text().split("\n") for each in (one, two))
    one.write_text("\n".join([head_one, lines_two[0], *lines_one[1:]]))
    two.write_text("\n".join([head_two, lines_one[0], *lines_two[1:]]))
    with pytest.raises(BadInput, match="belong to another shard"):
        merge_shards(shards, BENCH)
    two.write_text("\n".join([head_two, *lines_two]))
    with pytest.raises(BadInput, match="1 episodes are there twice"):
        merge_shards(shards, BENCH)


def test_another_runs_log_is_not_overwritten(shards: Path) -> None:
    from thinkaloud_bench.episode_log import write_log

    write_log(shards, LogHeading("toy", "scripted", 8, {}), [])
    with pytest.raises(BadInput, match="from another run"):
        merge_shards(shards, BENCH)


@pytest.mark.parametrize("text", ["3", "0/3", "4/3", "a/b", "-1/3", "1/0", "1/3/5", "\u00b3/5"])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="such as 3/64"):
        read_shard(text)


def test_a_shard_needs_a_folder_to_share(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="needs --out"):
        run_bench(
            BENCH, presets=None, model="scripted", episodes=1, seed=3, jobs=1, episodes_file=None, out=None,
            shard=(1, 2), settings=Settings(home=tmp_path), progress=lambda done, total, what: None,
            open_model=open_adder,
        )  # fmt: skip


def test_more_shards_than_episodes_leave_some_empty(tmp_path: Path) -> None:
    for number in range(1, 7):
        play_shard(tmp_path, number, 6, episodes=1)
    assert merge_shards(tmp_path, BENCH).played == 4


def test_the_digest_of_the_program_is_one_number() -> None:
    assert len(digest_code()) == 64
    assert digest_code() == digest_code()
