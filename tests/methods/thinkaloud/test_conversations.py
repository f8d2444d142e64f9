"""Whole conversations with our own preset: what is done, what is said at the end, and what a person may say next."""

from __future__ import annotations

import asyncio

import pytest

from said import Talk, garden, when_begun
from thinkaloud.records import Ask, Meaning, Plan, Started, Stop
from thinkaloud.robots import open_world
from thinkaloud.robots.text_file import TextFileWorld


def test_the_end_says_what_was_understood_and_what_was_checked() -> None:
    talk = Talk(["water(plants)"])
    end = talk.say("Water the plants.")
    assert end.result == "goal met"
    assert end.because == (
        "I understood: I will water the fern and the rose. Cactus is wet already. "
        "Done: the fern is wet, the rose is wet and the cactus is wet (checked)."
    )
    assert talk.steps == ["Water the fern.", "Water the rose."]


def test_what_is_understood_is_said_before_anything_moves() -> None:
    talk = Talk(['water("fern")'])
    talk.say("Water the fern.")
    said = talk.agent.monologue
    assert said.where(Meaning) < said.where(Started)  # type: ignore[operator]


def test_what_a_deed_needs_is_done_first() -> None:
    talk = Talk(['water("fern")'], garden(""))
    assert talk.say("Water the fern.").result == "goal met"
    assert talk.steps == ["Fill the can.", "Water the fern."]
    assert talk.all(Plan)[0].thought == "For that I also have to do this: Fill the can."


def test_where_nothing_can_be_checked_nothing_is_claimed() -> None:
    end = Talk(["whistle()"]).say("Whistle.")
    assert end.result == "unconfirmed"
    assert end.because == ("I understood: I will whistle a tune. Done: Whistle a tune. I could not check the result.")


def test_what_is_so_already_is_checked_and_not_done() -> None:
    talk = Talk(['water("cactus")'])
    end = talk.say("Water the cactus.")
    assert (end.result, talk.steps) == ("goal met", [])
    assert end.because == "I understood: Cactus is wet already. Done: the cactus is wet (checked)."


@pytest.mark.parametrize(
    ("program", "result", "because"),
    [
        ("say(len(plants))", "answered", "3."),
        ('note("the fern is ill")', "answered", "I remember: The fern is ill."),
        ('keep("fern")', "answered", "From now on I leave the fern alone."),
        ("if filled():\n    pass\nelse:\n    whistle()", "answered", "As things are, there is nothing to be done."),
        ('water("orchid")', "declined", "There is no orchid here."),
        ('cannot("I have no tea.")', "declined", "I have no tea."),
        ("unclear()", "declined", "I did not understand that."),
        ("previous()", "declined", "There is nothing unfinished that I could go on with."),
        ("undo()", "declined", "There is nothing that I did and could take back."),
        ("stop()", "stopped", "I leave off."),
    ],
)
def test_what_needs_no_deed_moves_nothing(program: str, result: str, because: str) -> None:
    talk = Talk([program])
    end = talk.say("Say something about the fern.")
    assert (end.result, end.because, talk.steps) == (result, because, [])
    assert talk.world.calls == []


def test_what_cannot_be_run_is_told_to_the_model_and_then_to_the_person() -> None:
    talk = Talk(["kumquat", 'water("fern")'])
    assert talk.say("Water the fern.").result == "goal met"
    assert "kumquat\n# That cannot be run: Line 1:" in talk.model.prompts[1]
    lost = Talk(["kumquat"] * 3)
    end = lost.say("Kumquat!")
    assert (end.result, end.because) == ("declined", "I did not understand that. Please say it differently.")
    assert lost.steps == []


def test_what_is_said_besides_is_said_when_all_is_done() -> None:
    talk = Talk(['water("fern")\nsay(len(plants))'])
    end = talk.say("Water the fern and count the plants.")
    assert talk.steps == ["Water the fern.", "Say: 3"]
    assert end.result == "goal met"
    assert end.because == "I understood: I will water the fern. Then I say: 3. Done: the fern is wet (checked)."


def test_a_place_of_which_there_is_one_is_checked_without_all_the_others() -> None:
    room = """\
name = "rooms"
about = "A robot on wheels."
[kinds]
room = ["hall", "kitchen", "attic", "cellar", "porch"]
box = ["box"]
[skills.go]
says = "Go to the {room}."
doc = "Drive."
parameters = { room = "room" }
makes = ["at({room})"]
[skills.carry]
says = "Carry the {box} to the {room}."
doc = "Carry."
parameters = { box = "box", room = "room" }
makes = ["inside({box}, {room})"]
[relations.at]
says = "The robot is in the {room}."
doc = "Whether it is."
parameters = { room = "room" }
single = true
[relations.inside]
says = "{box} is in the {room}."
doc = "Whether it is."
parameters = { box = "box", room = "room" }
single = true
[start]
facts = ["at(hall)", "inside(box, hall)"]
"""
    talk = Talk(['go("attic")', 'carry("box", "attic")', "undo()"], TextFileWorld(room))
    up = talk.say("Up!").because
    assert "Done: the robot is in the attic and " in up and "kitchen" not in up
    assert talk.say("The box, too.").because.endswith("Done: the box is in the attic (checked).")
    assert talk.say("Put it back.").because.endswith("Done: the box is in the hall (checked).")


# Several turns --------------------------------------------------------------------------------------------------------


def test_what_was_said_before_is_in_the_prompt_with_what_came_of_it() -> None:
    talk = Talk(['water("fern")', 'water("rose")'])
    talk.say("Water the fern.", "And the rose.")
    assert talk.ends == ["goal met", "goal met"]
    assert '# "Water the fern."\nwater("fern")\n\n' in talk.model.prompts[1]
    assert talk.model.prompts[1].endswith('# "And the rose."\n')


def test_notes_and_things_left_alone_are_remembered() -> None:
    talk = Talk(
        ['note("the rose is ill")', 'keep("rose")', "water(plants)", 'water("rose")', 'allow("rose")', "say(1)"]
    )
    talk.say("The rose is ill.", "Never touch the rose.", "Water the plants.")
    assert (talk.kept, talk.steps) == (["rose"], ["Water the fern."])
    assert '# told: "the rose is ill"' in talk.model.prompts[2]
    assert '# kept: "rose"' in talk.model.prompts[2]
    assert talk.say("Water the rose.").because == "I was told to leave the rose alone."
    talk.say("You may touch it.", "Tell me.")
    assert talk.kept == [] and "# kept" not in talk.model.prompts[5]


def test_the_past_is_what_was_before_the_latest_deeds() -> None:
    programs = ['water("fern")', 'water("rose")', "say(before([p for p in plants if wet(p)]))"]
    talk = Talk([*programs, "say(at_start([p for p in plants if wet(p)]))", "say(done())", "say(why())", "say(todo())"])
    talk.say("Water the fern.", "Water the rose.")
    assert talk.say("What was wet before?").because == "Fern and cactus."
    assert talk.say("And at the start?").because == "Cactus."
    assert talk.say("What did you do?").because == (
        "I did this: water the rose. Before that I did this: water the fern."
    )
    why = talk.say("Why?").because
    assert why == 'You said: "Water the rose." I understood: I will water the rose. Done: the rose is wet (checked).'
    assert talk.say("What comes next?").because == "Nothing is left to be done."


# Taking back ----------------------------------------------------------------------------------------------------------


def test_what_was_done_is_taken_back() -> None:
    talk = Talk(['switch("lamp", "on")', "undo()"])
    end = talk.say("Lamp on.", "Undo that.")
    assert talk.steps == ["Switch the lamp on.", "Switch the lamp off."]
    assert end.result == "goal met" and end.because.endswith("Done: the lamp is not on (checked).")


def test_taking_back_twice_goes_back_twice() -> None:
    talk = Talk(['switch("lamp", "on")', 'open("left window")', "undo()", "undo()", "undo()"])
    talk.say("Lamp on.", "Open the window.", "Undo that.", "And that before.")
    assert talk.steps[2:] == ["Close the left window.", "Switch the lamp off."]
    assert talk.say("Undo.").because == "There is nothing that I did and could take back."


def test_a_question_between_does_not_hide_what_is_taken_back() -> None:
    talk = Talk(['switch("lamp", "on")', "say(1)", "undo()"])
    talk.say("Lamp on.", "What?", "Undo.")
    assert talk.steps == ["Switch the lamp on.", "Switch the lamp off."]


def test_what_cannot_be_taken_back_is_said_and_nothing_moves() -> None:
    talk = Talk(['water("fern")', "undo()"])
    end = talk.say("Water the fern.", "Undo that.")
    assert (end.result, talk.steps) == ("declined", ["Water the fern."])
    assert (
        end.because == "I cannot take this back: Water the fern. Fern is wet, and nothing that I can do changes that."
    )


def test_what_left_no_trace_cannot_be_taken_back() -> None:
    end = Talk(["whistle()", "undo()"]).say("Whistle.", "Take that back.")
    assert (end.result, end.because[:40]) == ("declined", "I cannot take this back: Whistle a tune.")


def test_a_correction_takes_back_and_does_the_other() -> None:
    talk = Talk(['open("left window")', 'undo()\nopen("right window")', "undo()\nwhistle()"])
    assert talk.say("Open the window.", "No, I meant the right one.").result == "goal met"
    assert talk.world.facts() >= {"is_open(right window)"} and "is_open(left window)" not in talk.world.facts()
    end = talk.say("No, rather whistle.")
    assert "Whistle a tune." in talk.steps and "is_open(right window)" not in talk.world.facts()
    assert end.result == "goal met"


# Going on -------------------------------------------------------------------------------------------------------------


def test_what_was_stopped_is_gone_on_with() -> None:
    talk = Talk(['water(["fern", "rose"])', "say(1)", "previous()"], during=when_begun("Water the rose.", Stop()))
    talk.say("Water both.", "What?")
    assert talk.ends == ["stopped", "answered"]
    end = talk.say("Go on.")
    assert talk.steps == ["Water the fern.", "Water the rose.", "Water the rose."]
    assert (
        end.because
        == "I understood: I will water the fern and the rose. Done: the fern is wet and the rose is wet (checked)."
    )


def test_the_first_of_several_tasks_is_finished_later() -> None:
    talk = Talk(
        ['water(["fern", "rose"])', 'switch("lamp", "on")', "previous()"], during=when_begun("Water the rose.", Stop())
    )
    talk.say("Water both.", "The lamp, please.", "Finish the first task.")
    assert talk.ends == ["stopped", "goal met", "goal met"]
    assert talk.steps[-1] == "Water the rose."


# Names of a robot's own -----------------------------------------------------------------------------------------------


def test_a_robots_own_skill_to_speak_is_the_robots() -> None:
    speaker = """\
name = "speaker"
about = "A robot that speaks."
[kinds]
door = ["door"]
[skills.say]
says = "Say aloud: {text}."
doc = "Say something through the loudspeaker."
parameters = { text = "text" }
makes = ["spoken()"]
[skills.note]
says = "Put a note on the {door}."
doc = "Leave a note."
parameters = { door = "door" }
makes = ["noted({door})"]
[relations.spoken]
says = "Something was said."
doc = "Whether it was."
[relations.noted]
says = "There is a note on the {door}."
doc = "Whether there is."
parameters = { door = "door" }
"""
    talk = Talk(['say("hello")', 'note("door")\nsay_("done")'], TextFileWorld(speaker))
    talk.say("Say hello.", "Leave a note and tell me.")
    assert talk.ends == ["goal met", "goal met"]
    assert talk.world.facts() == {"spoken()", "noted(door)"}
    assert [name for name, _ in talk.world.calls] == ["say", "note"]
    assert talk.steps == ["Say aloud: hello.", "Put a note on the door.", "Say: done"]


def test_questions_show_their_options() -> None:
    talk = Talk(['open("window")', 'open("left window")'], answers=("the left one",))
    assert talk.say("Open the window.").result == "goal met"
    (ask,) = talk.all(Ask)
    assert ask.questions == ("Which window do you mean? (left window / right window)",)


def test_a_plan_is_made_without_moving() -> None:
    talk = Talk(['water("fern")'], garden(""))
    plan = asyncio.run(talk.agent.plan("Water the fern."))
    assert isinstance(plan, Plan)
    assert [step.words for step in plan.steps] == ["Fill the can.", "Water the fern."]
    assert (talk.steps, talk.world.calls) == ([], [])


def test_a_kept_thing_may_say_where_another_goes() -> None:
    table = open_world("tabletop")
    table.reset(1)
    beside = 'put_beside("yellow block", "left of", "orange block")'
    talk = Talk(['keep("orange block")', beside, 'pick_and_place("orange block", "pink bowl")'], table)
    assert talk.say("Leave the orange block alone.", "Put the yellow one left of it.").result == "goal met"
    assert talk.steps == ["Put the yellow block left of the orange block."]
    end = talk.say("Put the orange block into the pink bowl.")
    assert (end.result, end.because) == ("declined", "I was told to leave the orange block alone.")


@pytest.mark.parametrize("program", ["water(plants)", 'water([p for p in plants if p != "fern"])'])
def test_what_a_list_leaves_out_since_it_is_kept_is_said_before_and_in_the_end(program: str) -> None:
    talk = Talk(['keep("fern")', program])
    talk.say("Leave the fern alone.")
    end = talk.say("Water all the plants.")
    told = "I will water the rose. Cactus is wet already. I leave the fern alone, as you said."
    assert (talk.all(Meaning)[-1].words, talk.steps) == (told, ["Water the rose."])
    assert end.result == "goal met"
    assert end.because.startswith(f"I understood: {told} Done:")
    assert end.because.count("alone") == 1


def test_where_all_that_was_meant_is_kept_it_is_said_why_nothing_is_done() -> None:
    talk = Talk(['keep(["fern", "rose"])', "water([p for p in plants if not wet(p)])"])
    end = talk.say("Leave the fern and the rose alone.", "Water what is dry.")
    assert end.because == (
        "As things are, there is nothing to be done. I leave the fern and the rose alone, as you said."
    )


@pytest.mark.parametrize("asked", ["What did you do?", "¿Qué has hecho hasta ahora?"])
def test_what_was_done_for_the_latest_request_is_told_first(asked: str) -> None:
    talk = Talk(['water("fern")', 'open("left window")', "say(done())"])
    talk.say("Water the fern.", "Open the left window.")
    told = talk.say(asked).because
    assert told == "I did this: open the left window. Before that I did this: water the fern."
