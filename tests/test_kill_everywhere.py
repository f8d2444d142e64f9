"""Killed at any moment, with any preset, a resumed run does what it would have done: nothing twice, nothing lost.

`test_kill.py` looks more closely at what happens between the kill and the end, in one world.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kill_jobs
from campaign.sessions import find_end, list_started
from kill_jobs import APART, FIRST, FRANKA, FURTHER_APART, HALL, TOY_JOBS, Job, kill_job, run_whole
from sampling import SAMPLING
from thinkaloud.agent import Agent
from thinkaloud.records import End, Result, Resumed
from thinkaloud.remember.journal import Session
from thinkaloud.worlds import World

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


def apart() -> int:
    return APART if SAMPLING.everything else FURTHER_APART


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """By preset: the whole run, the moments at which it was killed, and what was found."""
    command = [sys.executable, kill_jobs.__file__, str(tmp_path_factory.mktemp("kills")), str(apart())]
    around = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, env=around, timeout=300)
    assert done.returncode == 0, done.stderr
    return {each["preset"]: each for each in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("preset", sorted(TOY_JOBS))
def test_with_every_preset_a_killed_run_does_what_it_would_have_done(
    preset: str, tried: dict[str, dict[str, Any]]
) -> None:
    """At every record that is written, some with each preset, and at ticks all over the skill."""
    events, at, found = (tried[preset][name] for name in ("events", "at", "found"))
    first = FIRST + sorted(TOY_JOBS).index(preset) % apart()
    assert find_end(events) is not None and list_started(events) != []
    assert [each for each in at if each.startswith("after")] == [
        f"after {n}" for n in range(first, len(events) - 1, apart())
    ]
    assert len([each for each in at if each.startswith("tick")]) >= 2
    assert found == {}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "at",
    [
        "before 13",  # the can is in the hand, and nobody has said so
        "tick 204",  # the hand has closed, and has not risen
        "tick 264",  # half-way there, and the arm behind where it was told to be
        "tick 312",  # nearly put down
        "tick 384",  # let go of, and not said so
        "tick 444",  # on the way home
    ],
)
def test_an_arm_that_is_cut_short_in_any_part_of_a_motion_finishes_what_it_was_asked(at: str, tmp_path: Path) -> None:
    """Neither taking nor putting says what it promises: that they came about is seen from the hand and the table."""
    assert kill_job(FRANKA, at, tmp_path) is None
    assert goal_is_met(FRANKA, tmp_path)


def test_a_robot_that_is_cut_short_where_it_was_to_go_has_been_there(tmp_path: Path) -> None:
    """That it is there is seen at once; that it has been there is a goal, too, and nobody would drive there again."""
    whole = run_whole(HALL, tmp_path)
    outcome = next(event["index"] for event in whole.events if event["kind"] == "outcome")
    assert goal_is_met(HALL, tmp_path)
    for at in (f"tick {whole.ticks - 1}", f"before {outcome}"):
        assert kill_job(HALL, at, tmp_path) is None, at


def goal_is_met(job: Job, folder: Path) -> bool:
    end = find_end(run_whole(job, folder).events)
    return end is not None and end["result"] == "goal met"


# What is found above is what there is, not what nobody looks for ------------------------------------------------------


def test_a_world_that_is_not_put_back_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What had been done is done again."""

    def forget(world: World, session: Session, seed: int) -> None:
        world.reset(seed)

    job = TOY_JOBS["hicrisp"]
    verdict = next(event["index"] for event in run_whole(job, tmp_path).events if event["kind"] == "verdict")
    assert kill_job(job, f"after {verdict}", tmp_path) is None
    monkeypatch.setattr(kill_jobs, "restore_world", forget)
    found = kill_job(job, f"after {verdict}", tmp_path)
    assert found is not None and found.kind in ("steps", "silent")


@pytest.mark.parametrize(
    ("result", "kind"), [("goal met", "steps"), ("unconfirmed", "silent")], ids=["a lost step", "a wrong end"]
)
def test_a_run_that_is_over_too_soon_is_found(
    result: Result, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def give_up(self: Agent) -> End:
        self.monologue.append(Resumed("the process had ended"))
        self.monologue.append(end := End(result, ""))
        return end

    job = TOY_JOBS["hicrisp"]
    assert kill_job(job, "after 3", tmp_path) is None
    monkeypatch.setattr(Agent, "resume", give_up)
    found = kill_job(job, "after 3", tmp_path)
    assert found is not None and found.kind == kind
