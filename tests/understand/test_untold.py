"""What the robot's own code fails to tell is neither a yes nor a no: not in an answer, a plan, a guard or a memory."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace

import pytest
from test_standing_rules import LAMP, SAID, Day

from carehome import CareHome
from said import GARDEN, Talk, meaning_of
from thinkaloud.episode.ticks import Pace
from thinkaloud.execute.skill_call import CallSkill
from thinkaloud.monologue import Monologue
from thinkaloud.records import Condition, Refused, RuleNotice
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.state.fact_sentences import facts_about
from thinkaloud.worlds.contract import surely_holds, tell
from thinkaloud.worlds.full_world import FullWorld

CANNOT = "I cannot tell just now: "


class Blind(TextFileWorld):
    """A garden with sensors that may fail: those of the relations, or of the sentences, in `blind`."""

    blind: Collection[str] = ()

    def holds(self, condition: Condition) -> bool:
        if {condition.relation, condition.words} & {*self.blind}:
            raise OSError("no answer")
        return super().holds(condition)


def blind(*relations: str, text: str = GARDEN) -> Blind:
    world = Blind(text)
    world.blind = relations
    return world


@pytest.mark.parametrize(
    "program",
    [
        'say(wet("cactus"))',
        'say(not wet("cactus"))',
        "say([p for p in plants if not wet(p)])",
        "say(any(wet(p) for p in plants))",
        'if not wet("fern"):\n    water("fern")',
    ],
)
def test_no_answer_and_no_deed_rests_on_it(program: str) -> None:
    meaning = meaning_of(program, blind("wet"))
    assert isinstance(meaning.content, Refused) and meaning.content.kind == "not known"
    assert meaning.words.startswith(CANNOT) and meaning.words.endswith("is wet. No answer."), meaning.words


def test_what_is_asked_for_is_done_all_the_same() -> None:
    assert [deed.words for deed in meaning_of('water("cactus")', blind("wet")).deeds] == ["Water the cactus."]


def test_a_world_that_returns_nothing_cannot_tell_either() -> None:
    class Forgetful(TextFileWorld):
        def holds(self, condition: Condition) -> bool:
            return None  # type: ignore[return-value]

    world = Forgetful(GARDEN)
    wet = world.relations["wet"].condition({"plant": "cactus"})
    assert tell(world, wet) is None and not surely_holds(world, wet)
    assert "is a `return` missing?" in meaning_of('say(wet("cactus"))', world).words


def test_a_plan_neither_relies_on_it_nor_says_that_it_is_not_so() -> None:
    """Watering needs a full can. Nobody can tell whether it is full, so it is filled; who cannot fill it says so."""
    talk = Talk(['water("fern")'], blind("filled"))
    assert "cannot tell" in talk.say("Water the fern.").because
    assert talk.steps == ["Fill the can."], "which could not be checked, so it is left there"
    text = GARDEN.replace('makes = ["filled()"]', "")
    stuck = Talk(['water("fern")', 'cannot("no")'], blind("filled", text=text))
    assert stuck.say("Water the fern.").because == f"{CANNOT}The can is filled, and nothing that I can do changes that."
    assert stuck.steps == []


def test_the_opposite_of_it_is_not_relied_on_either() -> None:
    text = GARDEN.replace('needs = ["filled()"]', 'needs = ["not filled()"]')
    talk = Talk(['water("fern")', 'cannot("no")'], blind("filled", text=text))
    assert talk.say("Water the fern.").because.startswith(f"{CANNOT}The can is not filled") and talk.steps == []


def test_a_skill_that_needs_it_is_not_begun() -> None:
    """The sensor fails between the plan and the step."""
    world = FullWorld(blind("filled"))
    step, monologue = world.skills["water"].step({"plant": "rose"}), Monologue(world.clock)
    outcome = asyncio.run(CallSkill(world, needs=True).execute(step, monologue, Pace()))
    assert (outcome.ending, outcome.report, outcome.begun) == ("failed", f"{CANNOT}The can is filled.", False)
    assert tell(world, world.relations["wet"].condition({"plant": "rose"})) is False


def test_nobody_remembers_it_as_having_been_otherwise() -> None:
    talk = Talk(['water("fern")', 'say(before(wet("cactus")))'], world := blind())
    world.blind = ("wet",)
    talk.say("Water the fern.")
    world.blind = ()
    assert talk.say("Was the cactus wet before?").because == "I do not know how that was."


def test_a_sensor_that_fails_does_not_reset_a_rule() -> None:
    world = blind()
    day = Day([LAMP], world)
    day.say(SAID)
    world.blind = ("shines",)
    assert not day.tick()
    world.blind = ()
    day.do("switch", lamp="lamp", state="on")
    assert len(day.tick()) == 1
    world.blind = ("shines",)
    day.tick()
    world.blind = ()
    assert not day.tick(), "it was on all the time"
    assert not any(each.what == "cleared" for each in day.all(RuleNotice))


def test_nothing_that_must_never_be_so_is_risked_on_it_and_the_robot_says_that_it_cannot_tell() -> None:
    class Home(CareHome):
        never = ("locked() and resident_in(resident, garden)",)
        dark: Collection[str] = ("resident_in",)

        def holds(self, condition: Condition) -> bool:
            if condition.relation in self.dark:
                raise OSError("no answer")
            return super().holds(condition)

    home = Home()
    home.where = {"Ada": "hall", "Bert": "hall"}
    end = Talk(["lock()"], home).say("Lock the garden.")
    assert end.result == "declined" and not home.is_locked
    assert f"{CANNOT}Ada is in the garden and Bert is in the garden." in end.because
    home.dark = ("resident_in", "locked")
    assert Talk(["lock()"], home).say("Lock the garden.").result == "declined" and not home.is_locked
    assert Talk(['drive("bath")'], home).say("Drive to the bath.").result == "goal met", "that is another matter"


STANDS = """[relations.stands]
says = "{plant} stands on the {window}."
doc = "Where a plant stands."
parameters = { plant = "plant", window = "window" }
single = true

[relations.stuck]"""


def test_nothing_is_said_to_be_empty_if_nobody_can_tell() -> None:
    text = GARDEN.replace("[relations.stuck]", STANDS).replace('"filled()"]', '"stands(fern, left window)"]')
    world = blind(text=text)
    things = ("fern", "left window", "right window")
    scene = replace(world.observe(), state=None)
    assert facts_about(things, world, scene) == ["Fern stands on the left window.", "Nothing is on the right window."]
    world.blind = ("Fern stands on the right window.",)
    assert facts_about(things, world, scene) == ["Fern stands on the left window."]
