"""After kill -9 at any moment a run goes on: no finished step is repeated, none is lost, what was begun is checked."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

import killed_session
from campaign.children import in_child
from campaign.killing import counting, read_counts
from sampling import SAMPLING, how_many
from thinkaloud.records import End, Observation, Outcome, Record, Resumed, Started, Verdict
from thinkaloud.remember.journal import Journal
from thinkaloud_worlds.tabletop import Tabletop

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
ENDS = {"object+scene": "goal met", "object+success": "unconfirmed"}
REQUESTED = 2  # events before which there is nothing to resume: the beginning and the request
WORDS = [f"Pick the {name} and place it on the {target}." for name, target in killed_session.GOAL.items()]


@dataclass
class Crash:
    """A run that was killed and resumed."""

    point: str
    before: list[Record]
    after: list[Record]
    path: Path


def journaled(path: Path) -> list[Record]:
    with Journal(path) as journal:
        events = journal.open(journal.sessions()[0].id).events()
    assert [index for index, _, _ in events] == list(range(len(events)))
    assert [at for _, at, _ in events] == sorted(at for _, at, _ in events)
    return [record for _, _, record in events]


def points(directory: Path, feedback: str) -> list[str]:
    """Moments of a run that nobody kills: around the commits from the request on, and ticks all over every skill.

    Both presets go the same way through the journal: each is killed at every fourth commit, and not at the same ones.
    """
    path, counts = directory / "whole.db", directory / "counts"
    whole = in_child(counting(lambda: print(killed_session.run(path, feedback).result), counts), directory)
    ticks, commits = read_counts(counts)
    assert whole.out.strip() == ENDS[feedback], whole.err
    assert commits == len(journaled(path))
    first = list(ENDS).index(feedback)
    around = [f"after {number}" for number in range(REQUESTED - 1 + 2 * first, commits - 1, 4)]
    around += [f"before {number}" for number in range(REQUESTED + 4 * first, commits, 8)]
    return around[:: 1 if SAMPLING.everything else 2] + [f"tick {number}" for number in range(0, ticks, ticks // 8)]


def crash(directory: Path, feedback: str, chosen: list[str]) -> list[Crash]:
    command = [sys.executable, killed_session.__file__, str(directory), feedback]
    around = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, input="\n".join(chosen), capture_output=True, text=True, env=around, timeout=300)
    assert done.returncode == 0, done.stderr
    crashes = []
    for line in done.stdout.splitlines():
        kind, number, killed, before, resumed = line.split(";")
        assert (killed, resumed) == ("9", "0"), f"{line}\n{done.stderr}"
        path = directory / f"{kind}-{number}.db"
        records = journaled(path)
        crashes.append(Crash(f"{kind} {number}", records[: int(before)], records[int(before) :], path))
    assert len(crashes) == len(chosen)
    return crashes


@pytest.fixture(scope="module", params=list(ENDS))
def crashes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Crash]:
    """Real processes, killed at some 30 different points and resumed by others; two at a time."""
    directory = tmp_path_factory.mktemp("crashes")
    chosen = points(directory, request.param)
    assert len(chosen) >= how_many(10, of=13), len(chosen)
    with ThreadPoolExecutor(2) as two:
        halves = two.map(lambda half: crash(directory, request.param, half), (chosen[::2], chosen[1::2]))
        return [each for half in halves for each in half]


def world_at(each: Crash, index: int | None) -> Tabletop:
    """The world as it was at an event, or at the end."""
    world = Tabletop(killed_session.SCENE)
    with Journal(each.path) as journal:
        session = journal.open(journal.sessions()[0].id)
        world.restore((session.snapshot() if index is None else session.snapshot_at(index)) or b"")
    return world


def started(records: list[Record]) -> list[str]:
    return [record.step.words for record in records if isinstance(record, Started)]


def under_way(records: list[Record]) -> str | None:
    """The step that was begun and had no verdict yet."""
    steps = [record for record in records if isinstance(record, Started | Verdict)]
    return steps[-1].step.words if steps and isinstance(steps[-1], Started) else None


def test_every_run_comes_to_its_end_with_all_the_blocks_in_place(crashes: list[Crash]) -> None:
    for each in crashes:
        assert isinstance(each.after[-1], End), each.point
        assert each.after[-1].result in ENDS.values(), each.point
        assert each.after[0] == Resumed("the process had ended"), each.point
        world = world_at(each, None)
        assert all(world.on(name, target) for name, target in killed_session.GOAL.items()), each.point


def test_no_finished_step_is_repeated_and_none_is_lost(crashes: list[Crash]) -> None:
    for each in crashes:
        finished = {verdict.step.words for verdict in each.before if isinstance(verdict, Verdict) and verdict.ok}
        assert not finished & set(started(each.after)), each.point
        retried = under_way(each.before) in started(each.after)
        expected = [*started(each.before), *WORDS[len(started(each.before)) - retried :]]
        assert started(each.before) + started(each.after) == expected, each.point


def test_what_was_under_way_is_checked_before_anything_moves(crashes: list[Crash]) -> None:
    for each in crashes:
        step = under_way(each.before)
        if step is None:
            continue
        done = [record for record in each.after if isinstance(record, Outcome | Verdict | Started | Observation)]
        if isinstance(each.before[-1], Outcome):
            done.insert(0, each.before[-1])
        outcome, verdict, *_ = done
        assert isinstance(outcome, Outcome), each.point
        assert isinstance(verdict, Verdict), each.point
        assert outcome.step.words == verdict.step.words == step
        assert verdict.ok is (step not in started(each.after)), each.point


def test_some_steps_had_to_be_repeated_and_some_had_not(crashes: list[Crash]) -> None:
    """Otherwise the points would be too few, or all alike."""
    cut_short = [each for each in crashes if under_way(each.before) is not None]
    repeated = [each for each in cut_short if under_way(each.before) in started(each.after)]
    assert len(repeated) >= 5
    assert len(cut_short) > len(repeated)


def test_some_runs_were_resumed_with_a_block_in_the_air_which_is_put_where_it_belongs(crashes: list[Crash]) -> None:
    ticks = [each for each in crashes if each.point.startswith("tick")]
    held = {each.point: world_at(each, len(each.before)).physics.held for each in ticks}
    in_the_air = [each for each in ticks if held[each.point] is not None]
    assert len(in_the_air) >= 3
    for each in in_the_air:
        again = next(record.step for record in each.after if isinstance(record, Started))
        assert again.arguments["object"] == held[each.point]
