"""A step that might do harm a second time is done once; a person is told what was done, and asked."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from carehome import CareHome, Resident
from said import GARDEN, Talk
from thinkaloud import Agent, Mind, Plan, Scripted
from thinkaloud.converse.inbox import Inbox
from thinkaloud.episode.approval_answers import MAY_I
from thinkaloud.episode.repeats import tell_done_before
from thinkaloud.episode.ticks import Pace
from thinkaloud.errors import DidNotWork
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.monologue import Monologue
from thinkaloud.perceive.when_to_look import LookAfterEachStep
from thinkaloud.records import Ask, End, Observation, Request, Started, Step, Verdict
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.skills import relation, skill
from thinkaloud.verify.effects import DetectSuccess

DOSE = "Give Ada the dose."
TRIED = "I have tried this already, and as far as I can tell it did not work. "


class Ward(CareHome):
    """Gives doses; a sensor tells who had one. `sensor` is what it shows, or the error that it raises."""

    sensor: bool | Exception | None = None
    slips = 0

    @skill("Give {resident} the dose.", repeat=False, effects=lambda resident: (("dosed", {"resident": resident}),))
    async def dose(self, resident: Resident) -> None:
        """Give a resident the dose."""
        if self.slips:
            self.slips -= 1
            raise DidNotWork("It slipped.")
        self.done.append(resident)

    @skill("Ring for {resident}.", effects=lambda resident: (("dosed", {"resident": resident.name}),))
    async def ring(self, resident: Resident) -> None:
        """Ring; its effects raise an error."""
        self.done.append(f"ring {resident}")

    @skill("Sign {resident} off.", needs=lambda resident: (("dosed", {"resident": resident}),))
    async def sign_off(self, resident: Resident) -> None:
        """Sign off somebody who has had the dose."""
        self.done.append(f"off {resident}")

    @relation("{resident} has had the dose.")
    def dosed(self, resident: Resident) -> bool:
        """Whether a resident has had the dose."""
        if isinstance(self.sensor, Exception):
            raise self.sensor
        return resident in self.done if self.sensor is None else self.sensor


def ward(sensor: bool | Exception | None = None) -> Ward:
    found = Ward()
    found.sensor = sensor
    return found


def asked(talk: Talk) -> list[tuple[str, ...]]:
    return [each.questions for each in talk.all(Ask)]


def test_what_a_sensor_never_shows_is_not_done_again_where_nobody_is_there() -> None:
    talk = Talk(['dose("Ada")'], ward(sensor=False))
    end = talk.say("Give Ada the dose.")
    assert talk.world.done == ["Ada"]
    assert end == End(
        "failed",
        f"{DOSE} {TRIED}Not so: Ada has had the dose. Nobody is there to say whether I may do it again, so I leave it.",
    )


def test_a_person_is_asked_each_time_with_what_was_done() -> None:
    talk = Talk(['dose("Ada")'], ward(sensor=False), answers=("yes", "no"))
    end = talk.say("Give Ada the dose.")
    assert talk.world.done == ["Ada", "Ada"]
    assert asked(talk) == [(f"{TRIED}Not so: Ada has had the dose.", MAY_I + DOSE)] * 2
    assert end.result == "declined" and TRIED in end.because


def test_a_skill_that_needs_approval_says_what_was_done_when_it_asks_again() -> None:
    world = ward()
    blind = replace(world.relations["taken"], holds=lambda **_: False)
    world.relations = {**world.relations, "taken": blind}
    given = Talk(['give("insulin", "Ada")'], world, answers=("yes", "no"))
    given.say("Give Ada insulin.")
    assert asked(given)[0] == (MAY_I + "Give insulin to Ada.",)
    assert asked(given)[1] == (f"{TRIED}Not so: Ada has taken insulin.", MAY_I + "Give insulin to Ada.")


def test_a_step_that_cannot_be_checked_is_done_once_whatever_its_skill_says() -> None:
    talk = Talk(['ring("Ada")'], ward(), answers=("yes",) * 9)
    end = talk.say("Ring for Ada.")
    (verdict,) = talk.all(Verdict)
    assert (verdict.ok, verdict.unchecked) == (False, True)
    assert talk.world.done == ["ring Ada"] and end.result == "failed"
    assert end.because.startswith("I cannot tell whether this worked, so I do not do it again: Ring for Ada. Cannot be")


def test_a_sensor_that_fails_after_the_deed_leaves_it_at_one() -> None:
    talk = Talk(['dose("Ada")'], ward())
    talk.agent.monologue.listeners.append(
        lambda event: setattr(talk.world, "sensor", OSError("no answer")) if isinstance(event.record, Started) else None
    )
    end = talk.say("Give Ada the dose.")
    assert talk.world.done == ["Ada"] and end.result == "failed"
    assert "I cannot tell whether this worked" in end.because and "OSError: no answer" in end.because


def test_a_sensor_that_fails_once_all_was_checked_leaves_the_result_open() -> None:
    talk = Talk(['dose("Ada")'], ward())
    talk.agent.monologue.listeners.append(
        lambda event: setattr(talk.world, "sensor", OSError("no answer")) if isinstance(event.record, Verdict) else None
    )
    end = talk.say("Give Ada the dose.")
    assert talk.world.done == ["Ada"] and end.result == "unconfirmed"
    assert "I cannot tell just now: Ada has had the dose." in end.because


def test_what_was_asked_for_twice_in_one_breath_is_done_twice() -> None:
    talk = Talk(["whistle()\nwhistle()"], TextFileWorld(CAREFUL), answers=("no",))
    talk.say("Whistle twice.")
    assert talk.steps == ["Whistle a tune."] * 2 and not asked(talk)


CAREFUL = GARDEN.replace("[skills.whistle]\n", "[skills.whistle]\nrepeat = false\n")


def test_an_earlier_try_of_which_nobody_knows_is_told_before_the_next() -> None:
    talk = Talk(['dose("Ada")', 'dose("Ada")'], ward(sensor=False), answers=("no", "no"))
    talk.say("Give Ada the dose.", "Give Ada the dose.")
    assert talk.world.done == ["Ada"]
    assert asked(talk) == [(f"{TRIED}Not so: Ada has had the dose.", MAY_I + DOSE)] * 2


def test_an_earlier_try_that_worked_is_no_reason_to_ask() -> None:
    world = ward()
    talk = Talk(['dose("Ada")', 'dose("Ada")'], world, answers=("no",))
    talk.say("Give Ada the dose.")
    world.done.clear()  # the next morning
    assert talk.say("Give Ada the dose.").result == "goal met" and not asked(talk)


def test_neither_a_search_nor_a_model_adds_what_may_have_been_done_already() -> None:
    talk = Talk(['sign_off("Ada")', 'dose("Ada")'], ward(sensor=OSError("no answer")))
    end = talk.say("Sign Ada off.")
    assert talk.world.done == []
    assert end.because.startswith("I cannot tell just now: Ada has had the dose")


def test_a_search_adds_it_where_it_is_known_not_to_be_so() -> None:
    talk = Talk(['sign_off("Ada")'], ward())
    assert talk.say("Sign Ada off.").result == "unconfirmed"
    assert talk.world.done == ["Ada", "off Ada"]


def test_a_skill_that_refused_before_it_began_has_done_nothing() -> None:
    world = ward()

    def refuse(observation: Observation, resident: str) -> str | None:
        return None if world.room == "bath" else "The tray is in the bath."

    world.skills = {**world.skills, "dose": replace(world.skills["dose"], preconditions=(refuse,))}
    monologue = Monologue(world.clock)
    step = world.skills["dose"].step({"resident": "Ada"})
    for record in (Request("Give it."), world.observe(), Started(step)):
        monologue.append(record)
    outcome = asyncio.run(CallSkill(world).execute(step, monologue, Pace()))
    monologue.append(outcome)
    assert (outcome.ending, outcome.begun) == ("failed", False)
    assert not tell_done_before(step, monologue, may_repeat=False, present=True)


class Stubborn:
    """A planner that wants the same step until somebody stops it."""

    def __init__(self, step: Step) -> None:
        self._step = step

    async def plan(self, monologue: Monologue) -> Plan:
        return Plan("Do it.", (), (self._step,))


@pytest.mark.parametrize("present", [True, False])
def test_no_planner_repeats_it_either(present: bool) -> None:
    world = ward()
    step = world.skills["dose"].step({"resident": "Ada"})
    mind = Mind(LookAfterEachStep(world), Stubborn(step), CallSkill(world), verify=DetectSuccess(world))
    agent = Agent(world, Scripted(), mind, person=Inbox(present=present))
    agent.monologue.listeners.append(lambda event: agent.say("no") if isinstance(event.record, Ask) else None)
    end = asyncio.run(agent.run("Give Ada the dose."))
    assert world.done == ["Ada"] and "I have done this already." in end.because


def test_a_skill_is_repeated_unless_it_says_otherwise_or_needs_approval() -> None:
    home = ward()
    assert {name: each.repeat for name, each in home.skills.items()} == {
        **dict.fromkeys(home.skills, True),
        "dose": False,
        "give": False,
    }
    text = CAREFUL.replace("[skills.prune]\n", "[skills.prune]\napproval = true\n")
    text = text.replace("[skills.oil]\n", "[skills.oil]\napproval = true\nrepeat = true\n")
    skills = TextFileWorld(text).skills
    assert [name for name, each in skills.items() if not each.repeat] == ["whistle", "prune"]
