"""What a run says at its end."""

from __future__ import annotations

import pytest

from thinkaloud.clock import ManualClock
from thinkaloud.episode.endings import tell_checked
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Observation, Plan, Request


def ended(*conditions: Condition, doubt: str = "") -> str:
    monologue = Monologue(ManualClock())
    for record in (Request("Tidy up."), Plan("", conditions, ()), Observation((), {}, doubt=doubt)):
        monologue.append(record)
    return tell_checked(monologue)


@pytest.mark.parametrize(
    ("name", "sentence", "clause"),
    [
        ("fern", "Fern is wet.", "the fern is wet"),
        ("red block", "Red block is not on the bowl.", "the red block is not on the bowl"),
        ("Star", "Star is fed.", "Star is fed"),
        ("room 2", "Room 2 is clean.", "room 2 is clean"),
        ("attic", "The robot is in the attic.", "the robot is in the attic"),
        ("maceta", "Maceta está mojada.", "maceta está mojada"),
        ("red boat", "Red boat lies at the berth.", "red boat lies at the berth"),
    ],
)
def test_a_condition_is_told_as_part_of_the_ending(name: str, sentence: str, clause: str) -> None:
    assert ended(Condition("so", {"thing": name}, sentence)) == f"Done: {clause} (checked)."


def test_doubt_about_the_check_is_told_with_it() -> None:
    wet = Condition("wet", {"plant": "fern"}, "Fern is wet.")
    assert ended(wet, doubt="so in 3 of 4 looks") == "Done: the fern is wet (checked; so in 3 of 4 looks)."


def test_a_long_goal_is_cut_short() -> None:
    many = [Condition("wet", {"plant": f"fern {n}"}, f"Fern {n} is wet.") for n in range(12)]
    assert ended(*many).endswith("fern 9 is wet and 2 more conditions hold (checked).")
