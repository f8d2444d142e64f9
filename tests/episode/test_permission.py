"""Who may ask for a skill, and who may approve it."""

from __future__ import annotations

import asyncio

import pytest

from thinkaloud import Agent, Inbox, Scripted, Speaker
from thinkaloud.errors import BadScene
from thinkaloud.monologue import Event
from thinkaloud.records import Answer, Ask, End, Meaning, Request
from thinkaloud.robots.text_file.reading import parse_robot
from thinkaloud.robots.text_file.world import TextFileWorld

ANNA, BOB = Speaker("Anna", "nurse"), Speaker("Bob", "visitor")
WARD = """
name = "ward"
about = "A robot on a ward."
[kinds]
patient = ["Mr Lee", "Ms Ito"]
drink = ["water", "tea"]
[skills.dose]
says = "Give {patient} a tablet."
doc = "Give a patient a tablet."
parameters = { patient = "patient" }
makes = ["dosed({patient})"]
asked_by = ["nurse", "Dr Wu"]
[skills.serve]
says = "Serve {patient} {drink}."
doc = "Serve a patient a drink."
parameters = { patient = "patient", drink = "drink" }
makes = ["served({patient}, {drink})"]
[skills.wash]
says = "Wash {patient}."
doc = "Wash a patient."
parameters = { patient = "patient" }
makes = ["washed({patient})"]
approval = "nurse"
[skills.discharge]
says = "Discharge {patient}."
doc = "Send a patient home."
parameters = { patient = "patient" }
makes = ["home({patient})"]
needs = ["dosed({patient})"]
[relations.dosed]
says = "{patient} has had a tablet."
doc = "Whether a patient has had a tablet."
parameters = { patient = "patient" }
[relations.served]
says = "{patient} has {drink}."
doc = "What a patient drinks."
parameters = { patient = "patient", drink = "drink" }
[relations.washed]
says = "{patient} is washed."
doc = "Whether a patient is washed."
parameters = { patient = "patient" }
[relations.home]
says = "{patient} is at home."
doc = "Whether a patient is at home."
parameters = { patient = "patient" }
"""


def run(
    program: str | list[str], by: Speaker | None, *answers: tuple[str, Speaker | None]
) -> tuple[End, TextFileWorld, Agent]:
    """What comes of a request that is read as a program, with these answers to what is asked."""
    world, inbox, left = TextFileWorld(WARD), Inbox(present=True), list(answers)
    programs = [program] if isinstance(program, str) else program
    agent = Agent(world, Scripted(programs), "thinkaloud:confirm=never", person=inbox)

    def answer(event: object) -> None:
        if isinstance(getattr(event, "record", None), Ask) and left:
            agent.say(*left.pop(0))

    agent.monologue.listeners.append(answer)
    return asyncio.run(asyncio.wait_for(agent.run("The usual, please.", by), 20)), world, agent


@pytest.mark.parametrize("speaker", [ANNA, Speaker("dr wu"), Speaker("Eve", "Nurse")])
def test_those_who_may_ask_get_it_done(speaker: Speaker) -> None:
    end, world, agent = run('dose("Mr Lee")', speaker)
    assert end.result == "goal met" and len(world.calls) == 1
    heard = agent.monologue.last(Request)
    assert heard is not None and heard.by == speaker


@pytest.mark.parametrize("speaker", [BOB, None])
def test_a_request_by_somebody_else_is_declined_with_those_who_may(speaker: Speaker | None) -> None:
    end, world, _ = run('dose("Mr Lee")', speaker)
    assert end.result == "declined" and not world.calls
    assert end.because.startswith("Only a nurse or Dr Wu may ask for this: Give Mr Lee a tablet.")
    assert end.because.endswith("I do not know who you are.") is (speaker is None)


def test_nothing_is_done_first_if_a_later_part_may_not_be_asked_for() -> None:
    end, world, _ = run('serve("Ms Ito", "tea")\ndose("Mr Lee")', BOB)
    assert end.result == "declined" and not world.calls


def test_a_step_that_only_helps_needs_the_same_right() -> None:
    end, world, _ = run('discharge("Mr Lee")', BOB)
    assert end.result == "declined" and "Give Mr Lee a tablet." in end.because and not world.calls
    assert run('discharge("Mr Lee")', ANNA)[0].result == "goal met"


def test_who_answers_what_was_left_open_needs_the_same_right() -> None:
    end, world, _ = run('dose(the("patient"))', ANNA, ("Mr Lee", BOB))
    assert end.result == "declined" and not world.calls
    end, world, _ = run('dose(the("patient"))', ANNA, ("Mr Lee", ANNA))
    assert world.calls == [("dose", {"patient": "Mr Lee"})]


def test_who_only_adds_something_does_not_take_back_what_another_may_ask_for() -> None:
    world, inbox = TextFileWorld(WARD), Inbox(present=True)
    model = Scripted(['dose("Mr Lee")', 'serve("Ms Ito", "tea")\nprevious()'])
    agent = Agent(world, model, "thinkaloud:confirm=never", person=inbox)

    first = True

    def add(event: Event) -> None:
        nonlocal first
        if isinstance(event.record, Meaning) and first:
            first = False
            agent.say("And tea for Ms Ito.", BOB)

    agent.monologue.listeners.append(add)
    end = asyncio.run(asyncio.wait_for(agent.run("Give Mr Lee his tablet.", ANNA), 20))
    assert end.result == "goal met" and {skill for skill, _ in world.calls} == {"dose", "serve"}


def test_anybody_may_ask_for_the_rest() -> None:
    assert run('serve("Ms Ito", "tea")', None)[0].result == "goal met"


def test_a_yes_counts_only_from_those_who_may_approve() -> None:
    end, world, agent = run('wash("Mr Lee")', BOB, ("yes", BOB), ("yes", None), ("yes", ANNA))
    assert end.result == "goal met" and len(world.calls) == 1
    asked = [" ".join(each.questions[:-1]) for each in agent.monologue.in_task(Ask)]
    only = "Only a nurse may approve this."
    assert asked == ["", only, f"{only} I do not know who you are."]
    assert all(each.approvers == ("nurse",) for each in agent.monologue.in_task(Ask))
    assert [each.by for each in agent.monologue.in_task(Answer)] == [BOB, None, ANNA]


def test_a_no_counts_from_anybody() -> None:
    end, world, _ = run('wash("Mr Lee")', ANNA, ("no", BOB))
    assert end.result == "declined" and not world.calls


def test_a_file_says_what_is_wrong_with_who_may_ask() -> None:
    with pytest.raises(BadScene, match=r"robot:12: skills.dose.asked_by: expected a role or a name.*not 3"):
        parse_robot(WARD.replace('["nurse", "Dr Wu"]', "3"))


def test_who_asks_for_something_else_in_place_of_an_approval_has_to_be_allowed_to() -> None:
    """Neither does a visitor borrow the nurse's right, nor does the nurse lose hers to the visitor who asked first."""
    both = ['wash("Mr Lee")', 'dose("Ms Ito")']
    end, world, _ = run(both, ANNA, ("A tablet for Ms Ito.", BOB))
    assert end.because.startswith("Only a nurse or Dr Wu may ask for this") and not world.calls
    end, world, _ = run(both, BOB, ("A tablet for Ms Ito.", ANNA))
    assert end.result == "goal met" and world.calls == [("dose", {"patient": "Ms Ito"})]
    asking = ['wash("Mr Lee")', 'dose(the("patient"))', 'dose("Ms Ito")']
    end, world, _ = run(asking, BOB, ("A tablet for the patient.", ANNA), ("Ms Ito", ANNA))
    assert end.result == "goal met" and len(world.calls) == 1
    end, world, _ = run(asking, ANNA, ("A tablet for the patient.", BOB), ("Ms Ito", ANNA))
    assert not world.calls


TILL = """
name = "till"
about = "A robot charges and refunds guests."
[kinds]
guest = ["Ada", "Bert"]
[skills.charge]
says = "Charge {guest} {euros} euros."
doc = "Charge a guest."
parameters = { guest = "guest", euros = "number euros" }
changes = ["bill({guest}) += {euros}"]
approval = "boss"
[skills.refund]
says = "Refund {guest} {euros} euros."
doc = "Refund a guest."
parameters = { guest = "guest", euros = "number euros" }
changes = ["bill({guest}) -= {euros}"]
approval = "cashier"
[values.bill]
says = "the bill of {guest}"
doc = "What a guest owes."
parameters = { guest = "guest" }
[start]
values = ["bill(Ada) = 0", "bill(Bert) = 0"]
"""


def test_taking_back_needs_the_yes_of_those_who_approve_what_is_done_now() -> None:
    world, inbox = TextFileWorld(TILL), Inbox(present=True)
    agent = Agent(world, Scripted(['charge("Ada", 5)', "undo()"]), "thinkaloud:confirm=never", person=inbox)
    boss, cashier = Speaker("Eve", "boss"), Speaker("Cy", "cashier")
    answers = [boss, boss, cashier]

    def answer(event: Event) -> None:
        if isinstance(event.record, Ask):
            agent.say("yes", answers.pop(0))

    agent.monologue.listeners.append(answer)
    for said in ("Charge Ada 5 euros.", "Undo that."):
        asyncio.run(asyncio.wait_for(agent.run(said, boss), 20))
    asked = [each.approvers for each in agent.monologue.since(None, Ask)]
    assert asked == [("boss",), ("cashier",), ("cashier",)] and not answers
    assert [skill for skill, _ in world.calls] == ["charge", "refund"]
