"""What a step of an outline is told of failures: its own, and none of the step before it."""

from __future__ import annotations

from thinkaloud.clock import ManualClock
from thinkaloud.methods.itp.executor import failures
from thinkaloud.monologue import Monologue
from thinkaloud.records import Outline, Plan, Request, Step, Verdict

LINES = ("pour milk into the cup", "move the cup to the shelf")
POUR = Step("pour", {"ingredient": "milk"}, "Pour milk.")


def test_a_step_that_was_cut_short_and_done_again_is_no_failure_of_the_next() -> None:
    """It is done again without another plan: the failure stands between the plan for it and what comes next."""
    told = Monologue(ManualClock())
    told.append(Request("a cup of milk"))
    told.append(Plan("", (), (POUR,), outline=Outline(LINES, 0)))
    failed = told.append(Verdict(POUR, False, "action", why="the process ended while this was under way")).record
    assert failures(LINES[0], told) == [failed]
    told.append(Verdict(POUR, True, "action"))
    assert failures(LINES[1], told) == []
    told.append(Plan("", (), (), outline=Outline(LINES, 1)))
    assert failures(LINES[1], told) == []
