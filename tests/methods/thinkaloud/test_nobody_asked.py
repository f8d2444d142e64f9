"""The mind does nothing that nobody asked for: refusals are final, visits are an order, corrections are small."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from carehome import CAFE, CARE_HOME, ROOMS, CareHome
from said import Talk
from thinkaloud.monologue import Event
from thinkaloud.records import Ask, Plan, Request, Verdict
from thinkaloud.robots.text_file import TextFileWorld

VISIT = 'for room in rooms:\n    drive(room)\ndrive("hall")'
NEVER = "This must never be so: "


def asked(talk: Talk) -> list[str]:
    return [" ".join(ask.questions) for ask in talk.agent.monologue.since(None, Ask)]


# A refusal is final ---------------------------------------------------------------------------------------------------


def test_a_refusal_that_nothing_declared_could_change_is_the_end() -> None:
    talk = Talk(['give("aspirin", "Ada")', "give_up()"], CareHome(), answers=("yes",) * 9)
    end = talk.say("Give Ada an aspirin.")
    assert end.result == "declined" and end.because.startswith("Ada has no prescription for aspirin.")
    assert talk.world.done == [] and asked(talk) == []


def test_nobody_is_asked_to_approve_what_is_refused_anyway() -> None:
    """The prescription ends between the plan and the step."""
    home = CareHome()
    allowed = {"so": True}

    def refuse(observation: object, **given: object) -> str | None:
        return None if allowed["so"] else "The prescription is over."

    home.skills = {**home.skills, "give": replace(home.skills["give"], preconditions=(refuse,))}
    talk = Talk(['drive("lounge")\ngive("insulin", "Ada")', "give_up()"], home, answers=("yes",) * 9)
    talk.agent.monologue.listeners.append(
        lambda event: allowed.update(so=False) if isinstance(event.record, Verdict) else None
    )
    end = talk.say("Drive to the lounge and give Ada insulin.")
    assert end.result == "failed" and "The prescription is over." in end.because
    assert home.done == ["drive lounge"] and asked(talk) == []


def test_somebody_is_led_where_declared_effects_lead_and_agrees_first() -> None:
    home = CareHome()
    home.people = ("resident",)
    talk = Talk(['bathe("Ada")'], home, answers=("yes",))
    assert talk.say("Bathe Ada.").result == "goal met"
    assert home.done == ["lead Ada bath", "bathe Ada"]
    assert asked(talk) == ["May I do this? Lead Ada to the bath."]
    plan = talk.agent.monologue.last(Plan, before=talk.agent.monologue.where(Ask))
    assert plan is not None and plan.thought == "For that I also have to do this: Lead Ada to the bath."


def test_nobody_is_led_without_agreeing() -> None:
    home = CareHome()
    home.people = ("resident",)
    end = Talk(['bathe("Ada")'], home, answers=("no",)).say("Bathe Ada.")
    assert end.result == "declined" and home.done == []


# What must be visited is an order -------------------------------------------------------------------------------------


def test_every_room_is_visited_once_and_then_the_robot_goes_back() -> None:
    home = CareHome()
    assert Talk([VISIT], home).say("Visit every room, then go back to the hall.").result == "goal met"
    assert home.done == [f"drive {room}" for room in (*ROOMS[1:], "hall")]


def test_going_round_is_noticed_after_one_round_if_nobody_declared_that_a_robot_is_in_one_room() -> None:
    home = CareHome()
    home.relations = {**home.relations, "robot_in": replace(home.relations["robot_in"], single=False)}
    end = Talk([VISIT], home).say("Visit every room, then go back to the hall.")
    assert end.result == "failed" and "These do not stay so together:" in end.because
    assert home.done == [f"drive {room}" for room in ROOMS[1:]]


def test_a_plan_that_worked_before_from_the_same_state_is_not_repeated() -> None:
    """Somebody unlocks the garden whenever the robot has locked it."""
    home = CareHome()
    talk = Talk(["lock()"], home)

    def unlock(event: Event) -> None:
        home.is_locked &= not isinstance(event.record, Verdict)

    talk.agent.monologue.listeners.append(unlock)
    end = talk.say("Lock the garden.")
    assert end.result == "failed" and "I did the same before, from the same state" in end.because
    assert home.done == ["lock"]


# A correction takes back what was asked for ---------------------------------------------------------------------------

COFFEE = 'make("coffee", "blue cup")'


@pytest.mark.parametrize(
    ("correction", "calls", "cups"),
    [
        ('undo()\nmake("hot chocolate", "blue cup")', ["rinse", "make"], {"contains(hot chocolate, blue cup)"}),
        ('undo()\nmake("tea", "red cup")', ["rinse", "make", "rinse"], {"contains(tea, red cup)", "clean(blue cup)"}),
    ],
)
def test_preparations_stay(correction: str, calls: list[str], cups: set[str]) -> None:
    talk = Talk([COFFEE, correction], TextFileWorld(CAFE))
    assert talk.say("Make a coffee.", "No, make it something else.").result == "goal met"
    assert sorted(skill for skill, _ in talk.world.calls[4:]) == sorted(calls)
    assert talk.world.facts() == {"is_on(machine)", "full()", *cups}


def test_a_correction_before_anything_asked_for_was_done_takes_nothing_back() -> None:
    def during(event: Event) -> Any:
        prepared = isinstance(event.record, Verdict) and event.record.step.skill == "fill"
        return Request("No, make it a tea.") if prepared else None

    talk = Talk([COFFEE, 'undo()\nmake("tea", "blue cup")'], TextFileWorld(CAFE), during=during)
    assert talk.say("Make a coffee.").result == "goal met"
    assert talk.world.facts() == {"is_on(machine)", "full()", "contains(tea, blue cup)"}
    assert [skill for skill, _ in talk.world.calls].count("make") == 1


def test_taking_everything_back_takes_preparations_back_too() -> None:
    talk = Talk([COFFEE, "undo()"], TextFileWorld(CAFE))
    assert talk.say("Make a coffee.", "Undo that.").result == "goal met"
    assert talk.world.facts() == {"clean(blue cup)"}


# What must never be so ------------------------------------------------------------------------------------------------


def home_in_text() -> TextFileWorld:
    return TextFileWorld(CARE_HOME)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ('lock("garden door")', "the garden door is locked and Ada is in the garden."),
        ('give("aspirin", "Ada")', "Ada has taken aspirin and the aspirin is not prescribed for Ada."),
        (
            'lead("Ada", "lounge")\nlead("Bert", "garden")\nlock("garden door")',
            "the garden door is locked and Bert is in the garden.",
        ),
    ],
)
def test_what_must_never_be_is_refused_also_where_a_person_asks(program: str, why: str) -> None:
    talk = Talk([program], home_in_text(), answers=("yes",) * 9)
    end = talk.say("The usual, please.")
    assert end.result == "declined" and end.because.endswith(NEVER + why)
    assert talk.world.calls == [] and asked(talk) == []


def test_what_breaks_nothing_is_done() -> None:
    talk = Talk(['lead("Ada", "lounge")\nlock("garden door")', 'give("insulin", "Ada")'], home_in_text())
    talk.say("Lead Ada to the lounge and lock the door.", "Give Ada insulin.")
    assert talk.ends == ["goal met", "goal met"]


def test_the_same_is_refused_in_python() -> None:
    home = CareHome()
    home.never = ("locked() and resident_in(resident, garden)",)
    end = Talk(["lock()"], home).say("Lock the garden.")
    assert end.result == "declined" and end.because.endswith(f"{NEVER}the garden is locked and Bert is in the garden.")
    assert home.done == []


def test_a_search_finds_the_way_that_breaks_nothing() -> None:
    """Of two rooms to wait in, the one is forbidden."""
    text = CARE_HOME.replace('"locked(garden door) and inside(resident, garden)",', '"inside(Bert, garden)",')
    text = text.replace("[start]", WAIT)
    talk = Talk(['shave("Bert")'], TextFileWorld(text), answers=("yes",))
    assert talk.say("Shave Bert.").result == "goal met"
    assert [skill for skill, _ in talk.world.calls] == ["shave"]
    assert "inside(Bert, garden)" not in talk.world.facts()


WAIT = """\
[relations.shaved]
says = "{resident} is shaved."
doc = "Whether a resident is shaved."
parameters = { resident = "resident" }

[skills.shave]
says = "Shave {resident}."
doc = "Shave a resident."
parameters = { resident = "resident" }
needs = ["inside({resident}, lounge)"]
makes = ["shaved({resident})"]

[start]"""


def test_a_rehearsal_finds_what_nobody_declared() -> None:
    """The door falls shut behind whoever is led into the garden, and only the robot's own code knows."""

    class Draughty(TextFileWorld):
        async def _do(self, described: Any, given: Any) -> str:
            report = await super()._do(described, given)
            if given.get("room") == "garden":
                self._facts |= {("locked", ("garden door",))}
            return report

        def twin(self) -> TextFileWorld:
            other = Draughty(self.robot)
            other.restore(self.snapshot())
            return other

    talk = Talk(['lead("Bert", "garden")', "give_up()"], Draughty(CARE_HOME), answers=("yes",) * 3)
    end = talk.say("Lead Bert to the garden.")
    assert end.result != "goal met" and "Bert is in the garden." in end.because
    assert talk.world.calls == []


def test_a_step_is_refused_if_somebody_has_come_in_the_way_since_it_was_planned() -> None:
    home = CareHome()
    home.never, home.where = ("locked() and resident_in(resident, garden)",), {"Ada": "garden", "Bert": "hall"}
    talk = Talk(['lead("Ada", "lounge")\nlock()'], home)

    def wander(event: Event) -> None:
        if isinstance(event.record, Verdict):
            home.where["Bert"] = "garden"

    talk.agent.monologue.listeners.append(wander)
    end = talk.say("Lead Ada to the lounge and lock the garden.")
    assert end.result == "failed" and "Bert is in the garden." in end.because
    assert home.done == ["lead Ada lounge"]


def test_people_are_never_objects() -> None:
    talk = Talk(['store("Ada")', "for item in items:\n    store(item)"], home_in_text(), answers=("yes",) * 3)
    end = talk.say("Put Ada away.")
    assert end.result == "declined" and end.because.startswith("Ada is a person, and I do not do this to people")
    assert talk.say("Put everything away.").result == "goal met"
    assert talk.world.calls == [("store", {"item": "cup"})]


def test_a_person_whom_nobody_mentioned_is_not_moved() -> None:
    text = CARE_HOME.replace("[skills.unlock]", 'needs = ["inside(Ada, lounge)"]\n\n[skills.unlock]')
    talk = Talk(['lock("garden door")', "give_up()"], TextFileWorld(text), answers=("yes",) * 3)
    end = talk.say("Lock the garden door.")
    assert end.result == "declined" and "nobody mentioned Ada: Lead Ada to the lounge." in end.because
    assert talk.world.calls == []


# Budgets --------------------------------------------------------------------------------------------------------------


def test_a_plan_that_the_battery_does_not_allow_is_declined() -> None:
    again = 'lock("garden door")\nunlock("garden door")\n' * 3
    talk = Talk([f'lead("Ada", "lounge")\n{again}'], home_in_text())
    end = talk.say("Lock and unlock the door three times.")
    assert end.result == "declined"
    assert end.because == "The budget for battery does not allow that: it would take 9, and 7 are left."
    assert talk.world.calls == []


def test_a_tour_that_the_battery_does_not_allow_is_declined_in_python() -> None:
    home = CareHome()
    home.budget = {"battery": "charge"}
    home.charge_left = 39
    assert Talk([VISIT], home).say("Visit every room, then go back.").result == "declined" and home.done == []
    home.charge_left = 40
    assert Talk([VISIT], home).say("Visit every room, then go back.").result == "goal met"


def test_a_request_may_take_so_many_steps() -> None:
    home = CareHome()
    home.budget = {"steps": 7, "battery": 1000}
    end = Talk([VISIT], home).say("Visit every room, then go back.")
    assert end.because == "The budget for steps does not allow that: it would take 8, and 7 are left."
    assert home.done == []
