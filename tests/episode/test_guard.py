"""The guard: with any mind, plans, steps and the world are checked against what must never be so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from carehome import CareHome
from thinkaloud import Agent, Mind, Plan, Scripted
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.monologue import Event, Monologue
from thinkaloud.perceive.when_to_look import WatchProgress
from thinkaloud.records import Critique, Done, End, Started, Step, Verdict
from thinkaloud.verify.effects import DetectSuccess

SHUT_IN = "locked() and resident_in(resident, garden)"


class OnePlan:
    """Always wants the same steps."""

    def __init__(self, *steps: Step) -> None:
        self._steps = steps

    async def plan(self, monologue: Monologue) -> Plan | Done:
        done = len(monologue.in_task(Started)) >= len(self._steps)
        return Done("that was all") if done else Plan("Do it.", (), self._steps)


def guarded_home(where: dict[str, str]) -> CareHome:
    home = CareHome()
    home.never, home.where = (SHUT_IN,), where
    return home


def run(home: CareHome, *calls: tuple[str, dict[str, str]], listener: Callable[[Event], None] | None = None) -> End:
    steps = [home.skills[name].step(given) for name, given in calls]
    mind = Mind(WatchProgress(home), OnePlan(*steps), CallSkill(home), verify=DetectSuccess(home))
    agent = Agent(home, Scripted(), mind, listeners=[] if listener is None else [listener])
    return asyncio.run(agent.run("Do it."))


LOCK = ("lock", dict[str, str]())


def test_no_step_of_a_plan_that_breaks_an_invariant_is_taken() -> None:
    home = guarded_home({"Ada": "garden", "Bert": "hall"})
    end = run(home, ("drive", {"room": "bath"}), LOCK)
    why = "I must not do this: Lock the garden. This must never be so: the garden is locked and Ada is in the garden."
    assert end == End("declined", why) and home.done == []


def test_a_plan_may_end_what_would_be_broken_first() -> None:
    home = guarded_home({"Ada": "garden", "Bert": "hall"})
    assert run(home, ("lead", {"resident": "Ada", "room": "bath"}), LOCK).result == "unconfirmed"
    assert home.done == ["lead Ada bath", "lock"]


def test_an_invariant_is_checked_again_right_before_each_step() -> None:
    """Bert goes into the garden after the plan was found to be sound."""
    home = guarded_home({"Ada": "hall", "Bert": "hall"})

    def wander(event: Event) -> None:
        if isinstance(event.record, Verdict):
            home.where["Bert"] = "garden"

    end = run(home, ("drive", {"room": "bath"}), LOCK, listener=wander)
    assert end.result == "declined" and "Bert is in the garden." in end.because
    assert home.done == ["drive bath"]


def test_an_invariant_is_checked_again_after_a_pause() -> None:
    home = guarded_home({"Ada": "hall", "Bert": "hall"})
    mind = Mind(WatchProgress(home), OnePlan(home.skills["lock"].step({})), CallSkill(home))
    agent = Agent(home, Scripted(), mind)

    async def pause() -> None:
        home.where["Bert"] = "garden"

    agent.loop.hold = pause
    assert asyncio.run(agent.run("Lock the garden.")).result == "declined" and home.done == []


def test_an_invariant_that_is_broken_after_a_step_ends_the_run() -> None:
    """The robot's own code did something that it does not declare."""
    home = guarded_home({"Ada": "hall", "Bert": "garden"})

    def slam(event: Event) -> None:
        home.is_locked |= isinstance(event.record, Started)

    end = run(home, ("drive", {"room": "bath"}), ("drive", {"room": "hall"}), listener=slam)
    assert end.result == "failed"
    assert end.because == "I stopped. This must never be so: the garden is locked and Bert is in the garden."
    assert home.done == ["drive bath"]


def test_what_is_broken_already_can_be_mended() -> None:
    home = guarded_home({"Ada": "hall", "Bert": "garden"})
    home.is_locked = True
    assert run(home, ("lead", {"resident": "Bert", "room": "hall"})).result == "unconfirmed"
    assert home.done == ["lead Bert hall"]


def test_a_budget_is_kept_with_any_mind() -> None:
    home = CareHome()
    home.budget = {"battery": "charge"}
    home.charge_left = 9
    end = run(home, ("drive", {"room": "bath"}), ("drive", {"room": "hall"}))
    assert end.result == "declined" and home.done == []
    assert end.because == "The budget for battery does not allow that: it would take 10, and 9 are left."


def test_a_world_that_declares_nothing_has_no_guard() -> None:
    home = CareHome()
    home.skills = {"lock": home.skills["lock"]}
    agent = Agent(home, Scripted())
    assert agent.loop.guard is not None  # it has a budget
    home.budget = {}
    assert Agent(home, Scripted()).loop.guard is None
    assert not agent.monologue.since(None, Critique)
