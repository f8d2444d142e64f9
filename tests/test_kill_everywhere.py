"""Killed at any moment, with any preset, a resumed run does what it would have done: nothing twice, nothing lost.

`test_kill.py` looks more closely at what happens between the kill and the end, in one world.
"""

from __future__ import annotations

import pytest

from kill_jobs import FRANKA, TOY_JOBS, kill_once
from killing import kill_job, moments, run_whole
from thinkaloud.records import End


@pytest.mark.parametrize("preset", sorted(TOY_JOBS))
def test_with_every_preset_a_killed_run_does_what_it_would_have_done(preset: str) -> None:
    job = TOY_JOBS[preset]
    found = [at for at in moments(job, every=4) if not at.startswith("before")]  # as good as after the one before it
    assert len(found) >= 8
    assert [fault for at in found for fault in kill_job(job, at).faults] == []


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
def test_an_arm_that_is_cut_short_in_any_part_of_a_motion_finishes_what_it_was_asked(at: str) -> None:
    """Neither taking nor putting says what it promises: that they came about is seen from the hand and the table."""
    result = kill_job(FRANKA, at)
    assert run_whole(FRANKA).end.result == "goal met"
    assert result.faults == []


def test_a_process_that_is_really_killed_is_no_different() -> None:
    for at in ("after 8", "tick 5"):
        assert kill_once("toy", "multitalk", 0, at, how="signal").faults == []


def test_a_fault_would_be_found() -> None:
    """What is found above is what there is, not what nobody looks for."""
    job = TOY_JOBS["multitalk"]
    whole, result = run_whole(job), kill_job(job, "random", 1)
    assert isinstance(result.end, End) and result.end.result == whole.end.result == "goal met"
    assert sum(whole.worked.values()) == 1 and result.at in moments(job)
