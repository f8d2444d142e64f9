"""What programs come to: deeds, wishes, answers, questions and refusals, in plain words; nothing moves meanwhile."""

from __future__ import annotations

import inspect

import pytest

from said import deeds, garden, meaning_of, question_of
from thinkaloud.errors import CodeRefused
from thinkaloud.perceive.when_to_look import WatchFacts, relations_in
from thinkaloud.records import WorldState
from thinkaloud.robots import open_world
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.understand.meaning.circumstances import Story
from thinkaloud.understand.meaning.facts import MOST_ASKED, UNKNOWN
from thinkaloud.understand.meaning.summing_up import NOTHING
from thinkaloud.worlds.full_world import FullWorld

# Deeds ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ('water("fern")', "I will water the fern."),
        ('water("the Fern")', "I will water the fern."),
        ('water(plant="fern")', "I will water the fern."),
        ('water(["fern", "rose"])', "I will water the fern and the rose."),
        ('water(["fern", "fern"])', "I will water the fern."),
        ('water("fern")\nwater("fern")', "I will water the fern."),
        ("water([p for p in plants if not wet(p)])", "I will water the fern and the rose."),
        ("for p in plants:\n    if not wet(p):\n        water(p)", "I will water the fern and the rose."),
        ("open(windows)", "I will open the left window and the right window."),
        ('water("fern"); open("left window")', "I will water the fern, then open the left window."),
        ("prune(plants, 3)", "I will prune the fern, the rose and the cactus by 3 centimetres."),
        ("water(max(plants, key=height))", "I will water the rose."),
        ("water(sorted(plants, key=height)[1])", "I will water the fern."),
        ("water(sorted(plants, key=height, reverse=True)[:2])", "I will water the rose and the fern."),
        ("water([p for p in plants if height(p) > 50])", "I will water the rose."),
        ('if wet("cactus"):\n    water("rose")\nelse:\n    water("fern")', "I will water the rose."),
        ('water("fern" if wet("rose") else "rose")', "I will water the rose."),
        ("whistle()\nwhistle()", "I will whistle a tune, then whistle a tune."),
        ('switch("lamp", "on")\nswitch("lamp", "off")', "I will switch the lamp on and off."),
        ('water("fern")\nsay("There you are")', "I will water the fern. Then I say: There you are."),
        ('water("fern")\nnote("it is ill")', "I will water the fern. I remember: It is ill."),
        ('previous()\nwater("fern")', "I go on with what I was doing before. I will water the fern."),
    ],
)
def test_deeds_are_said_in_plain_words(program: str, words: str) -> None:
    meaning = meaning_of(program)
    assert (meaning.sort, meaning.words) == ("deeds", words)
    assert meaning.deeds


def test_what_holds_already_is_not_done_again_and_must_hold_in_the_end() -> None:
    meaning = meaning_of("water(plants)")
    assert [step.words for step in meaning.deeds] == ["Water the fern.", "Water the rose."]
    assert [each.words for each in meaning.act.already] == ["Cactus is wet."]
    assert [each.words for each in meaning.act.wishes] == ["Fern is wet.", "Rose is wet.", "Cactus is wet."]
    assert meaning.words == "I will water the fern and the rose. Cactus is wet already."


def test_what_is_switched_off_already_is_not_switched_off() -> None:
    meaning = meaning_of('switch("lamp", "off")')
    assert (meaning.deeds, meaning.words) == ((), "Lamp is not on anyway.")
    assert [each.words for each in meaning.act.wishes] == ["Lamp is not on."]


def test_of_two_deeds_about_the_same_the_later_is_what_must_hold() -> None:
    meaning = meaning_of('switch("lamp", "on")\nswitch("lamp", "off")')
    assert [each.words for each in meaning.act.wishes] == ["Lamp is not on."]
    again = meaning_of('open("left window")\nclose("left window")\nopen("left window")')
    assert len(again.deeds) == 3
    assert [each.words for each in again.act.wishes] == ["Left window is open."]


def test_relations_are_asked_as_things_are_when_the_request_comes() -> None:
    assert deeds('water("fern")\nif wet("fern"):\n    whistle()') == ["Water the fern."]


def test_of_all_things_those_are_meant_that_it_can_be_done_with() -> None:
    assert deeds("water(things)") == ["Water the fern.", "Water the rose."]
    assert deeds("water([t for t in things if not wet(t)])") == ["Water the fern.", "Water the rose."]


def test_what_was_named_itself_is_not_left_out_in_silence() -> None:
    meaning = meaning_of('water(["fern", "left window"])')
    assert meaning.sort == "refusal"
    assert meaning.words.startswith('I cannot do that with the left window. "Water the …"')
    assert meaning_of("water(windows)").sort == "refusal"


# Nothing to do, or nothing at all -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program", ['if wet("fern"):\n    water("rose")', "water([])", "water([p for p in plants if height(p) > 99])"]
)
def test_where_nothing_is_to_be_done_that_is_said(program: str) -> None:
    meaning = meaning_of(program)
    assert (meaning.sort, meaning.words, meaning.deeds) == ("answer", NOTHING, ())


@pytest.mark.parametrize("program", ["", "pass", "x = 3", '"fern"', "plants", 'say("")', 'note(" ")'])
def test_a_program_that_says_nothing_is_not_understood(program: str) -> None:
    meaning = meaning_of(program)
    assert (meaning.sort, meaning.words) == ("unclear", "I did not understand that.")


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ('wet("fern")', "wet only tells something"),
        ("import os", "import cannot be used here"),
        ("class A: pass", "class cannot be used here"),
        ('__import__("os")', "__import__"),
        ("open.__class__", "a name with a dot cannot be used here"),
        ('print("x")', "There is no function 'print'"),
        ("say(wet)", "wet is a function"),
        ("while True:\n    pass", "while cannot be used here"),
        ("for i in range(10000):\n    whistle()", "Line 2: these are more than 60 deeds"),
        ("prune(plants, list(range(100)))", "more than 60 deeds"),
        ('water("fern", "rose")', "too many"),
        ("water(None)", "nothing was given as the plant of water"),
        ("say(2 ** 100)", "** cannot be used here"),
        ("say(9000000000000000000 * 9)", "too large"),
        ("say([a for a in range(999) for b in range(999)])", "takes too long"),
        ("undo(0)", "undo takes back so many requests"),
        ("water(", "Line 1"),
        ("\n".join("whistle()" for _ in range(50)), "more than 40 statements"),
        ("x = plants\nwater(y)", "Line 2"),
    ],
)
def test_what_is_no_program_is_refused_with_its_reason(program: str, why: str) -> None:
    with pytest.raises(CodeRefused) as refused:
        meaning_of(program)
    assert why in str(refused.value)
    assert refused.value.role == "understanding"


# Names ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program", ['water("orchid")', 'keep("orchid")', 'say(wet("orchid"))', 'say(height("orchid"))']
)
def test_what_is_not_here_is_said_by_its_name_and_never_the_nearest(program: str) -> None:
    meaning = meaning_of(program)
    assert (meaning.sort, meaning.words, meaning.deeds) == ("refusal", "There is no orchid here.", ())


def test_a_name_that_is_nearly_right_is_no_name() -> None:
    meaning = meaning_of('water("ferm")')
    assert (meaning.sort, meaning.words) == ("refusal", "There is no ferm here. There is: fern.")


@pytest.mark.parametrize("program", ['open("window")', 'keep("window")', 'say(is_open("windows"))'])
def test_a_noun_of_several_things_is_the_question_which(program: str) -> None:
    meaning = meaning_of(program)
    assert (meaning.sort, question_of(meaning).options) == ("question", ("left window", "right window"))
    assert question_of(meaning).text.startswith("Which window") and "left window / right window" in meaning.words


def test_nothing_is_told_of_a_thing_of_another_kind() -> None:
    goes_with = "goes with: fern, rose and cactus."
    told = f'I cannot tell that of the left window. "… is wet" {goes_with}'
    assert meaning_of('say(wet("left window"))').words == told
    told = f'I cannot tell that of the left window. "The height of the … in centimetres" {goes_with}'
    assert meaning_of('say(height("left window"))').words == told


def test_one_refusal_refuses_all_of_it() -> None:
    meaning = meaning_of('water("fern")\nwater("orchid")\nwater("rose")')
    assert (meaning.sort, meaning.deeds, meaning.act.wishes) == ("refusal", (), ())


def test_what_the_robot_cannot_do_or_tell_is_said_by_its_name() -> None:
    assert (meaning_of('sing("fern")').sort, meaning_of('sing("fern")').words) == (
        "refusal",
        "I have no skill for that: sing.",
    )
    assert meaning_of('say(old("fern"))').words == "I cannot tell this of anything here: old."


# Answers --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("say(len(plants))", "3."),
        ("say([p for p in plants if wet(p)])", "Cactus."),
        ("say([p for p in plants if height(p) > 99])", "The height of no plant in centimetres is more than 99."),
        ('say(wet("cactus"))', "Yes. Cactus is wet."),
        ('say(wet("fern"))', "No. Fern is not wet."),
        ("say(filled())", "Yes. The can is filled."),
        ("say(any(wet(p) for p in plants))", "Yes. Cactus is wet."),
        ("say(wet(plants))", "No. Not every plant is wet."),
        ('say(height("fern"))', "40."),
        ("say(max(plants, key=height))", "Rose."),
        ("say(sorted(plants, key=height))", "Cactus, fern and rose."),
        ('say(max(height(["fern", "rose"])) == height("rose"))', "Yes."),
        ('say(height(["rose"]) == height("rose"))', "Yes."),
        ("say(sum(height(p) for p in plants) / 3)", "41.67."),
        ('say("a")\nsay("b!")', "A. B!"),
        ("say(None)", "Nothing."),
        ("say(done())", "I did this: Water the fern."),
        ("say(todo())", "Water the rose. Whistle a tune."),
        ("say(why())", "You said: Water them."),
    ],
)
def test_answers_are_said_as_people_say_them(program: str, words: str) -> None:
    story = Story(("I did this: Water the fern.",), ("Water the rose.", "Whistle a tune."), ("You said: Water them.",))
    meaning = meaning_of(program, story=story)
    assert (meaning.sort, meaning.words, meaning.deeds) == ("answer", words, ())


def test_the_past_is_asked_for_relations_and_what_was_read_off_things() -> None:
    earlier = garden("wet(rose)")
    past = {"before": earlier.observe().state or WorldState(), "at_start": WorldState()}
    assert meaning_of("say([p for p in plants if before(wet(p))])", past=past).words == "Rose."
    assert meaning_of("say(before([p for p in plants if wet(p)]))", past=past).words == "Rose."
    assert meaning_of("say(at_start([p for p in plants if wet(p)]))", past=past).words == "None."
    assert meaning_of('say(before(height("fern")))', past=past).words == "40."
    assert meaning_of("say(before(max(plants, key=height)))", past=past).words == "Rose."
    assert meaning_of("water(before([p for p in plants if wet(p)]))", past=past).words == "I will water the rose."
    unknown = meaning_of('say(at_start(height("fern")))', past=past)
    assert (unknown.sort, unknown.words) == (
        "refusal",
        "I do not know any more what this was: The height of the fern in centimetres.",
    )


TABLE = """\
name = "shop"
about = "A shop."
[kinds]
thing = [{things}]
[skills.drop]
says = "Drop the {{thing}}."
doc = "Drop it."
parameters = {{ thing = "thing" }}
[relations.beside]
says = "The {{thing}} is beside the {{other}}."
doc = "Whether two things are side by side."
parameters = {{ thing = "thing", other = "thing" }}
[start]
facts = ["beside(b1, b2)"]
"""


def test_what_nobody_has_looked_at_is_not_known_and_never_denied() -> None:
    for program in ('say(before(beside("b2", "b1")))', 'say(before([t for t in things if beside("b2", t)]))'):
        few, many = (TABLE.format(things=", ".join(f'"b{n}"' for n in range(count))) for count in (4, 30))
        asked = {"before": WorldState(("b1", "b2"))}
        assert meaning_of(program, few, past=asked).said in (("No.",), ("None.",))
        assert meaning_of(program, many, past=asked).words == UNKNOWN  # too many to be asked for one by one
        assert meaning_of(program, few, past={"before": None}).words == UNKNOWN
        told = {"before": TextFileWorld(many).observe().state}
        assert meaning_of(program, many, past=told).said in (("No.",), ("None.",))


def test_where_things_were_is_known_where_it_was_asked_for() -> None:
    table = open_world("tabletop")
    table.reset(1)
    program = 'say(before(left_of("yellow block", "green block")))'
    bare = {"before": WorldState(table.observe().objects)}
    assert (meaning_of(program, table, past=bare).sort, meaning_of(program, table, past=bare).words) == (
        "refusal",
        UNKNOWN,
    )
    whole = FullWorld(table)
    looked = {"before": relations_in(whole, whole.observe())}
    assert meaning_of(program, table, past=looked).said == ("Yes.",)
    turned = 'say(before(left_of("green block", "yellow block")))'
    assert meaning_of(turned, table, past=looked).said == ("No.",)


def test_as_many_are_asked_for_as_are_counted_on() -> None:
    assert inspect.signature(WatchFacts).parameters["most"].default == MOST_ASKED


def test_what_states_keep_by_the_name_of_a_measure_may_be_something_else() -> None:
    table = open_world("franka")
    table.reset(1)
    seen = table.observe()
    meaning = meaning_of(f'say(before(x("{seen.objects[0]}")))', table, past={"before": seen.state})
    assert meaning.sort == "refusal" and "I do not know any more" in meaning.words  # metres there, centimetres here


# Ways out -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "sort", "words"),
    [
        ('ask("Which one?", plants)', "question", "Which one? (fern / rose / cactus)"),
        ('ask("Why?")', "question", "Why?"),
        ('ask("")', "question", "What do you mean?"),
        ('ask("", plants)', "question", "Which one do you mean? (fern / rose / cactus)"),
        ('cannot("there is no tea here")', "refusal", "There is no tea here."),
        ("cannot()", "refusal", "I cannot do that."),
        ('cannot("No.")\nwater("fern")', "refusal", "No."),
        ('water("fern")\nask("Sure?")', "question", "Sure?"),
        ("unclear()", "unclear", "I did not understand that."),
        ('unclear("who is meant?")', "unclear", "Who is meant?"),
        ('note("the fern is ill")', "note", "I remember: The fern is ill."),
        ("stop()", "stop", "I leave off."),
        ('stop("after this")', "stop", "I will stop after this step."),
        ("undo()", "undo", "I will take back what I did last."),
        ("undo(2)", "undo", "I will take back what I did for the last 2 requests."),
        ('undo()\nwater("fern")', "undo", "I will take back what I did last. I will water the fern."),
        ("previous()", "previous", "I go on with what I was doing before."),
    ],
)
def test_there_is_always_a_way_out(program: str, sort: str, words: str) -> None:
    meaning = meaning_of(program)
    assert (meaning.sort, meaning.words) == (sort, words)
    assert not meaning.deeds or sort == "undo"


@pytest.mark.parametrize("pick", ["min", "max"])
def test_nothing_is_nearest_to_itself(pick: str) -> None:
    table = open_world("tabletop")
    table.reset(1)
    block = "green block"
    found = f'{pick}(blocks, key=lambda b: distance(b, "{block}"))'
    meaning = meaning_of(f"pick_and_place({found}, 'orange bowl')", table)
    assert meaning.deeds and block not in meaning.deeds[0].arguments.values()
