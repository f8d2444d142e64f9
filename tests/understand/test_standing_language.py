"""What waits for a condition or a time, as a program says it: read, rendered, refused and told in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from said import garden
from thinkaloud.errors import CodeRefused
from thinkaloud.models.gbnf import accepts
from thinkaloud.program.lexicon import Lexicon, lexicon_of
from thinkaloud.program.parsing import parse_program
from thinkaloud.records import Emergency, Meaning, Noted, Question, Refused, StandingRule
from thinkaloud.understand.meaning.circumstances import Circumstances
from thinkaloud.understand.meaning.running import run_program
from thinkaloud.understand.prompting.grammar import program_grammar
from thinkaloud.understand.prompting.prompt import render_robot
from thinkaloud.worlds.full_world import FullWorld

NOON = datetime(2026, 11, 18, 12)
"""A Wednesday."""


def meant(program: str, world: Any = None, **more: Any) -> Meaning:
    whole = FullWorld(world or garden())
    scene = whole.observe()
    before = whole.snapshot()
    at = Circumstances(whole, scene, lexicon_of(whole, scene), now=NOON)
    found = run_program(program, replace(at, **more))
    assert whole.snapshot() == before, "something moved"
    return found


def lexicon() -> Lexicon:
    whole = FullWorld(garden())
    return lexicon_of(whole, whole.observe())


WRITTEN = [
    'whenever(shines("lamp"), open("left window"))',
    'once(height("fern") >= 50, prune("fern", 10))',
    'whenever(not wet("fern") and filled(), water("fern"), whistle())',
    'once(clock("18:30"), water([p for p in plants if not wet(p)]))',
    'whenever(clock("7:30", "weekday"), water(plants))',
    'once(clock("6"), remind("Call Anna."))',
    'once(amount(10, "minute"), whistle())',
    'whenever(amount(2, "hour"), remind("Drink something."))',
    "forget()",
    'forget(open("left window"))',
    "forget(water())",
    'forget("call Anna")',
    'emergency("He fell down the stairs.")',
    "say(rules())",
    'say(why(open("left window")))',
    'say(when(water("fern")))',
    "say(done(prune(centimetres=3)))",
    "say(done())",
    "say(why())",
    "say(clock())",
]


@pytest.mark.parametrize("program", WRITTEN)
def test_what_is_written_is_read_rendered_and_within_the_grammar(program: str) -> None:
    words = lexicon()
    assert str(parse_program(program, words)) == program
    assert accepts(program_grammar(words), f"{program}\n\n")


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ('once(clock("25:00"), whistle())', "there is no 25:00 on a clock"),
        ('once(clock("half past six"), whistle())', "is no time of day"),
        ("once(clock(18), whistle())", "clock takes a time such as"),
        ('once(clock("8:00", "moonday"), whistle())', "'moonday' is no day"),
        ('whenever(clock("8:00", "tomorrow"), whistle())', "tomorrow comes once"),
        ('once(clock("8:00") and wet("fern"), whistle())', "is the first argument of once or whenever, alone"),
        ('say(clock("8:00"))', "is the first argument of once or whenever, alone"),
        ("once(amount(10), whistle())", "amount takes a number and a unit"),
        ('once(amount(10, "litre"), whistle())', "'litre' is no unit of time"),
        ('once(amount(0, "minute"), whistle())', "a number above 0"),
        ('once(amount(-5, "minute"), whistle())', "a number above 0"),
        ('once("tomorrow", whistle())', "what it waits for is a condition"),
        ("once(True, whistle())", "what it waits for is a condition"),
        ('once(wet("fern"))', "once takes a condition"),
        ("whenever()", "whenever takes a condition"),
        ('once(wet("fern"), say("Wet."))', "only calls of skills and remind"),
        ('once(wet("fern"), wet("rose"))', "only calls of skills and remind"),
        ('once(wet("fern"), remind(""))', "takes the words to say"),
        ('remind("Call Anna.")', "stands within once"),
        ('forget("")', "forget takes"),
        ("forget(plants)", "forget takes"),
        ('forget(wet("fern"))', "forget takes a call of a skill"),
        ('say(why("fern"))', "why takes a call of a skill"),
        ('say(when(wet("fern")))', "when takes a call of a skill"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_is_wrong(program: str, why: str) -> None:
    with pytest.raises(CodeRefused) as refused:
        parse_program(program, lexicon())
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ('whenever(shines("lamp"), open("left window"))', "From now on, whenever lamp is on: Open the left window."),
        ('once(shines("lamp"), whistle())', "As soon as lamp is on: Whistle a tune."),
        ('once(clock("18:30"), water("fern"))', "Today at 18:30: Water the fern."),
        ('once(clock("6"), water("fern"))', "Today at 18:00: Water the fern."),
        ('once(clock("9:00", "tomorrow"), whistle())', "Tomorrow at 9:00: Whistle a tune."),
        ('once(clock("8:00", "monday"), whistle())', "On Monday at 8:00: Whistle a tune."),
        ('whenever(clock("6"), whistle())', "From now on, every day at 18:00: Whistle a tune."),
        ('once(amount(10, "minute"), whistle())', "Today at 12:10: Whistle a tune."),
        ('whenever(amount(2, "hour"), remind("Drink."))', "From now on, every 2 hours: I remind you: Drink."),
        ('whenever(amount(0.5, "hour"), whistle())', "From now on, every 30 minutes: Whistle a tune."),
        (
            'whenever(clock("6:00"), water([p for p in plants if p != "cactus"]))',
            "From now on, every day at 6:00: Water every plant except cactus.",
        ),
        (
            'whenever(clock("6:00"), water([p for p in plants if height(p) != 40]))',
            "From now on, every day at 6:00: Water every plant of which this is so: "
            "the height of it in centimetres is not 40.",
        ),
        ('whenever(amount(1, "hour"), whistle())', "From now on, every hour: Whistle a tune."),
        (
            'once(clock("18:30"), water([p for p in plants if not wet(p)]))',
            "Today at 18:30: Water every plant of which this is so: it is not wet.",
        ),
        (
            'whenever(any(is_open(w) for w in windows), whistle(), remind("Shut it."))',
            "From now on, whenever any window is open: Whistle a tune. I remind you: Shut it.",
        ),
    ],
)
def test_what_waits_is_told_in_a_sentence(program: str, words: str) -> None:
    meaning = meant(program)
    assert isinstance(meaning.content, Noted)
    assert meaning.words == words
    assert len(meaning.standing) == 1 and not meaning.deeds


def test_what_is_to_be_done_now_stands_beside_it() -> None:
    meaning = meant('open("left window")\nonce(clock("18:30"), close("left window"))')
    assert meaning.words == "I will open the left window. Today at 18:30: Close the left window."
    assert [step.skill for step in meaning.deeds] == ["open"] and len(meaning.standing) == 1


def test_an_answer_does_not_lose_what_waits() -> None:
    meaning = meant('say(wet("cactus"))\nonce(clock("18:30"), water("fern"))')
    assert meaning.words == "Yes. Today at 18:30: Water the fern."
    assert len(meaning.standing) == 1


def test_which_things_it_is_done_with_is_found_out_when_it_is_done() -> None:
    """A list stays a list, so that a rule is neither narrowed nor widened; what was spoken of is fixed now."""
    (rule,) = meant(
        'whenever(clock("6:00"), water([p for p in plants if not wet(p)]), water(all_of("plant")))'
    ).standing
    assert rule.program == 'whenever(clock("6:00"), water([p for p in plants if not wet(p)]), water(all_of("plant")))'
    (rule,) = meant('x = "fern"\nonce(wet(x), prune(the("fern"), 2))').standing
    assert rule.program == 'once(wet("fern"), prune("fern", 2))'
    (rule,) = meant('once(shines("lamp"), water(it()))', mentioned=(("rose",),)).standing
    assert rule.program == 'once(shines("lamp"), water("rose"))'
    rules = meant("for p in plants:\n    whenever(not wet(p), water(p))").standing
    assert [each.program for each in rules] == [
        f'whenever(not wet("{plant}"), water("{plant}"))' for plant in ("fern", "rose", "cactus")
    ]


def test_amounts_are_in_the_robots_own_units_from_the_start() -> None:
    world = garden(**{'centimetres = "number"': 'centimetres = "number cm"'})
    (rule,) = meant('once(clock("18:30"), prune("fern", amount(0.1, "metre")))', world).standing
    assert rule.program == 'once(clock("18:30"), prune("fern", 10))'
    assert rule.deeds == "Prune the fern by 10 centimetres."
    assert meant('once(clock("18:30"), prune("fern", amount(2, "litre")))', world).sort == "question"


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ('whenever(raining("garden"), water("fern"))', "I cannot tell this of anything here: raining."),
        ('whenever(shines("lamp"), sweep("floor"))', "I have no skill for that: sweep."),
        ('whenever(shines("lamp"), water("orchid"))', "There is no orchid here."),
        ('whenever(shines("lantern"), water("fern"))', "There is no lantern here."),
        ('forget(sweep("floor"))', "I have no skill for that: sweep."),
    ],
)
def test_what_this_robot_cannot_wait_for_or_do_is_refused_at_once(program: str, why: str) -> None:
    meaning = meant(program)
    assert isinstance(meaning.content, Refused) and meaning.words == why
    assert not meaning.standing


def test_a_name_that_several_have_is_asked_about_and_nothing_stands_yet() -> None:
    meaning = meant('whenever(shines("lamp"), open("window"))')
    assert isinstance(meaning.content, Question) and not meaning.standing


def test_what_must_not_be_done_cannot_wait_either() -> None:
    rules = meant('never(water("fern"))').rules
    meaning = meant('whenever(clock("6:00"), water("fern"))', rules=rules)
    assert meaning.words == "You told me never to water the fern. Tell me if that no longer holds."
    assert not meaning.standing


def test_a_number_that_nobody_said_is_asked_for() -> None:
    assert meant('once(amount(10, "minute"), whistle())', request="Whistle in a while.").words.startswith(
        "How many min"
    )
    assert meant('once(height("fern") > 50, whistle())', request="Whistle when it is high.").sort == "question"
    assert meant('once(amount(0.5, "hour"), whistle())', request="Whistle in half an hour.").standing
    assert meant('whenever(amount(1, "hour"), whistle())', request="Whistle every hour.").standing
    assert meant('once(height("fern") > 50, whistle())', request="Whistle when it is over 50 cm high.").standing


def test_where_nobody_would_watch_it_is_declined() -> None:
    meaning = meant('once(clock("18:30"), water("fern"))', goes_on=False)
    assert isinstance(meaning.content, Refused) and not meaning.standing
    assert meaning.words == "I can't wait for that here: I do one request, and then I am off. In a chat I can."


# Taking back ----------------------------------------------------------------------------------------------------------


def given(*programs: str) -> tuple[StandingRule, ...]:
    return tuple(rule for program in programs for rule in meant(program).standing)


RULES = (
    'whenever(shines("lamp"), open("left window"))',
    'once(clock("18:30"), water(["fern", "rose"]))',
    'whenever(amount(2, "hour"), remind("Call Anna."))',
    'once(clock("8:00"), prune("fern", 2))',
)


@pytest.mark.parametrize(
    ("program", "places"),
    [
        ('forget(open("left window"))', [0]),
        ("forget(open())", [0]),
        ("forget(water())", [1]),
        ('forget(water(["rose", "fern"]))', [1]),
        ("forget(prune(centimetres=2))", [3]),
        ('forget("Anna")', [2]),
        ('forget("call Anna, please")', [2]),
        ('forget(remind("Call Anna"))', [2]),
    ],
)
def test_what_waits_is_taken_back_by_its_deed_or_its_words(program: str, places: list[int]) -> None:
    standing = given(*RULES)
    meaning = meant(program, standing=standing)
    assert meaning.forgotten == tuple(standing[place] for place in places)
    assert meaning.words.count("I no longer do this: ") == len(places)


@pytest.mark.parametrize(
    "program", ['forget(open("right window"))', 'forget("call Otto")', 'forget(water("fern"))', "forget(close())"]
)
def test_nothing_else_is_taken_back(program: str) -> None:
    """To water fern and rose is another rule than to water the fern."""
    meaning = meant(program, standing=given(*RULES))
    assert not meaning.forgotten
    assert meaning.words == "No rule and no reminder is about that."


def test_without_rules_there_is_nothing_to_take_back() -> None:
    assert meant("forget()").words == "You gave me no rule and no reminder that still holds."


def test_all_rules_are_told() -> None:
    never = meant('never(open("left window"))').rules
    told = meant("say(rules())", standing=given(*RULES[:2]), rules=never).words
    assert told == (
        "Whenever lamp is on: Open the left window. Today at 18:30: Water the fern and the rose. "
        "I am never to open the left window."
    )
    assert meant("say(rules())").words == "There are no rules."


# The clock, emergencies, names ----------------------------------------------------------------------------------------


def test_the_time_is_told() -> None:
    assert meant("say(clock())").words == "It is 12:00."


@pytest.mark.parametrize(
    "program", ['emergency("He fell.")', 'open("window")\nemergency("He fell.")', 'emergency("He fell.")\nsweep()']
)
def test_nothing_in_a_program_holds_up_an_emergency(program: str) -> None:
    meaning = meant(program, request="Help!")
    assert meaning.content == Emergency("He fell.")
    assert meaning.words == "I can't call for help; please do it now."


def test_a_name_that_the_robot_has_itself_goes_first() -> None:

    world = garden(
        **{"skills.whistle": "skills.remind", "relations.filled": "relations.clock", '"filled()"': '"clock()"'}
    )
    whole = FullWorld(world)
    words = lexicon_of(whole, whole.observe())

    assert str(parse_program("once(clock(), remind())", words)) == "once(clock(), remind())"
    assert str(parse_program('once(clock_("6:00"), remind_("Call."), remind())', words)).startswith(
        'once(clock_("6:00")'
    )
    assert "our remind(...) is remind_(...)" in render_robot(words, short=True)
    assert "our clock(...) is clock_(...)" in render_robot(words, short=True)


def test_a_kind_of_thing_may_be_called_clock() -> None:
    world = garden(**{'lamp = ["lamp"]': 'clock = ["lamp"]', 'lamp = "lamp"': 'lamp = "clock"'})
    assert meant('say(clock("lamp"))', world).words == "Yes."
    assert meant('once(clock("18:30"), whistle())', world).words == "Today at 18:30: Whistle a tune."
    with pytest.raises(CodeRefused, match="alone"):
        meant('once(clock("8:00") and filled(), whistle())', world)
