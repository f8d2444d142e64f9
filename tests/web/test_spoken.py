"""The page speaks a person's English, and still sends back the answers that the robot knows."""

from __future__ import annotations

from said import Talk
from thinkaloud.episode.event_text import Narrator
from thinkaloud.episode.person_english import PersonEnglish
from thinkaloud.records import Observation
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.web.session_state import SessionTracker
from thinkaloud.web.spoken import speak_board, speak_summary
from thinkaloud.worlds.drawing import draw_board

CAFE = """
name = "cafe"
about = "A robot makes coffee."
[kinds]
cup = ["small cup", "large cup"]
[skills.fill]
says = "Fill {cup} with {number} spoons."
doc = "Fill a cup."
parameters = { cup = "cup", number = "number" }
makes = ["full({cup})"]
[relations.full]
says = "{cup} is full."
doc = "Whether a cup is full."
parameters = { cup = "cup" }
[start]
facts = []
"""


def told_by(talk: Talk) -> tuple[SessionTracker, PersonEnglish, list[str]]:
    speak, tracker = PersonEnglish(talk.world), SessionTracker()
    talk_rows = Narrator(speak)
    rows = [row.text for event in talk.agent.monologue for row in talk_rows.hear(event)]
    for event in talk.agent.monologue:
        tracker.hear(event)
        if isinstance(event.record, Observation):
            speak.see(event.record)
    return tracker, speak, rows


def test_a_card_and_the_lines_say_the_same_in_the_same_english() -> None:
    talk = Talk(['fill("small cup", 1)'], TextFileWorld(CAFE))
    talk.say("Fill the small cup with 1 spoon.")
    tracker, speak, rows = told_by(talk)
    told = speak_summary(tracker.summary(), speak)
    assert told.understood == "I will fill the small cup with 1 spoon."
    assert [step.words for step in told.plan] == ["Fill the small cup with 1 spoon."]
    assert [mark.words for mark in told.goal] == ["The small cup is full."]
    assert {told.understood, told.plan[0].words} <= {*rows}
    assert tracker.summary().plan[0].words == "Fill small cup with 1 spoons.", "the records keep the robot's own words"


def test_buttons_show_english_and_send_what_the_robot_asked() -> None:
    talk = Talk(['fill(the("cup"), 1)'], TextFileWorld(CAFE), answers=())
    talk.say("Fill a cup with 1 spoon.")
    tracker = SessionTracker()
    for event in list(talk.agent.monologue)[:-1]:
        tracker.hear(event)
    asked = speak_summary(tracker.summary(), told_by(talk)[1]).question
    assert asked is not None and asked.lead == "Which cup do you mean?"
    assert asked.options == ("small cup", "large cup")
    assert ["".join(piece.text for piece in each) for each in asked.pieces] == ["small cup", "large cup"]


def test_a_board_tells_its_facts_in_the_same_english() -> None:
    warm = '[values.warmth]\nsays = "how warm {cup} is"\ndoc = "Read it."\nparameters = { cup = "cup" }\nunit = "°C"\n'
    begun = '[start]\nfacts = ["full(small cup)"]\nvalues = ["warmth(small cup) = 60"]'
    world = TextFileWorld(CAFE.replace("[start]\nfacts = []", warm + begun))
    drawn, speak = draw_board(world.observe(), world), PersonEnglish(world)
    speak.see(world.observe())
    (group,) = speak_board(drawn, speak).board
    assert [each.facts for each in group.things] == [("The small cup is full.", "warmth: 60 °C"), ()]
    assert drawn.board[0].things[0].facts[0] == "Small cup is full."
    assert speak_board(drawn, None) is drawn


def test_what_is_denied_in_the_middle_of_a_sentence_has_no_capital() -> None:
    text = CAFE.replace('says = "{cup} is full."', 'says = "The robot carries the {cup}."')
    speak = PersonEnglish(world := TextFileWorld(text))
    speak.see(world.observe())
    denied = "it is not so that the robot carries the small cup"
    assert (
        speak(f"Done: nothing is left and {denied}.")
        == "Done: nothing is left and the robot doesn't carry the small cup."
    )
    assert speak(f"I{denied[1:]}.") == "The robot doesn't carry the small cup."


def test_a_number_is_told_with_its_unit_unless_the_sentence_has_it() -> None:
    counted = CAFE.replace('number = "number"', 'number = "number ml 10..500"').replace("{number} spoons", "{number}")
    speak = PersonEnglish(world := TextFileWorld(counted))
    speak.see(world.observe())
    assert speak("I will fill small cup and large cup with 100.").endswith("with 100 ml.")
    twice = speak("Fill small cup with 12.5, then fill large cup with 20.")
    assert "with 12.5 ml, then" in twice and twice.endswith("with 20 ml.")
    assert speak("Fill small cup with 100 ml.").endswith("with 100 ml.")
    named = TextFileWorld(counted.replace("with {number}.", "with {number} ml."))
    assert PersonEnglish(named)("Fill small cup with 100 ml.").endswith("with 100 ml.")
