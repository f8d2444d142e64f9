"""An answer says what was asked, in the words of the robot's own relations, where there are some."""

from __future__ import annotations

import pytest

from said import garden, meaning_of
from thinkaloud.program.lexicon import lexicon_of, one_of
from thinkaloud.program.parsing import read_program
from thinkaloud.records import Step, WorldState
from thinkaloud.saying.answering import Phrases
from thinkaloud.saying.telling import tell_abilities, tell_deeds
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.worlds.full_world import FullWorld


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("say([w for w in windows if is_open(w)])", "No window is open."),
        ("say([w for w in windows if stuck(w)])", "The handle of no window is stuck."),
        ("say([p for p in plants if not wet(p) and height(p) < 30])", None),
        ("open_ones = [w for w in windows if is_open(w)]\nsay(open_ones)", "No window is open."),
        ("say(any(is_open(w) for w in windows))", "No. No window is open."),
        ("say(all(wet(p) for p in plants))", "No. At least one plant is not wet: fern and rose."),
        ("say(all(not is_open(w) for w in windows))", "Yes. No window is open."),
        ("say(len([p for p in plants if wet(p)]) > 0)", "Yes. Cactus is wet."),
        ("say(len([p for p in plants if wet(p)]) == 0)", "No. Cactus is wet."),
        ("say(all([not any([is_open(w) for w in windows]) for w in windows]))", "Yes."),
        (
            "say(any([wet(p) and height(p) < 30 for p in plants]))",
            "Yes. Cactus is wet and the height of the cactus in centimetres is less than 30.",
        ),
        (
            "say(any([is_open(w) or stuck(w) for w in windows]))",
            "No. Of no window this is so: it is open or the handle of it is stuck.",
        ),
        (
            "say(all([is_open(w) or stuck(w) for w in windows]))",
            "No. Of at least one window this is not so: it is open or the handle of it is stuck: "
            "left window and right window.",
        ),
        (
            "say(all([not is_open(w) or stuck(w) for w in windows]))",
            "Yes. Of every window this is so: it is not open or the handle of it is stuck.",
        ),
        ('say(not wet("fern"))', "Yes. Fern is not wet."),
        ('say(not wet("cactus"))', "No. Cactus is wet."),
        ('say(wet("fern") or wet("cactus"))', "Yes. Fern is wet or cactus is wet."),
        ('say(wet("fern") and wet("cactus"))', "No. This is not so: fern is wet and cactus is wet."),
        (
            'say(height("rose") > height("fern"))',
            "Yes. The height of the rose in centimetres is more than the height of the fern in centimetres.",
        ),
        ('say(height("rose") == 40)', "No. The height of the rose in centimetres is not 40."),
        ('say("fern" in plants)', "Yes."),
        ("say([])", "None."),
        (
            "whistle()\nsay(any(is_open(w) for w in windows))",
            "I will whistle a tune. Then I say: No. No window is open.",
        ),
    ],
)
def test_an_answer_names_what_was_asked(program: str, words: str | None) -> None:
    several = (
        "There is no plant of which all of this is so: "
        "it is not wet, and the height of it in centimetres is less than 30."
    )
    assert meaning_of(program).words == (several if words is None else words)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("say(any(wet(p) for p in plants))", "Yes. At least one plant is wet: fern and cactus."),
        ("say(any([not wet(p) for p in plants]))", "Yes. Rose is not wet."),
        ("say(not any(wet(p) for p in plants))", "No. At least one plant is wet: fern and cactus."),
        ("dry = any(not wet(p) for p in plants)\nsay(dry)", "Yes. Rose is not wet."),
        (
            'open("left window")\nsay(all(wet(p) for p in plants))',
            "I will open the left window. Then I say: No. Rose is not wet.",
        ),
        ("say(any(height(p) > 60 for p in plants))", "Yes. The height of the rose in centimetres is more than 60."),
    ],
)
def test_a_yes_or_no_about_several_names_those_that_it_rests_on(program: str, words: str) -> None:
    assert meaning_of(program, garden("wet(cactus)", "wet(fern)", "filled()")).words == words


def test_of_more_than_a_handful_it_is_said_how_many_they_are() -> None:
    beds = [f"bed {number}" for number in range(1, 10)]
    many = {'"fern", "rose", "cactus"': ", ".join(f'"{each}"' for each in beds)}
    many["[values.height]"] = "[values.depth]"
    many['values = ["height(fern) = 40", "height(rose) = 70", "height(cactus) = 15"]'] = "values = []"
    watered = garden(*(f"wet({each})" for each in beds[:7]), **many)
    assert meaning_of("say(any(wet(p) for p in plants))", watered).words == "Yes. At least one plant is wet: 7 of 9."


def test_of_the_past_an_answer_says_when() -> None:
    past = {"before": WorldState(("fern",))}
    assert meaning_of('say(before(wet("fern")))', past=past).words == (
        "No. Before the latest request this was not so: fern is wet."
    )


def test_several_ways_to_ask_have_the_same_answer() -> None:
    one, other = "say(any(wet(p) for p in plants))", "say(len([p for p in plants if wet(p)]) > 0)"
    assert meaning_of(one).said == meaning_of(other).said == ("Yes.",)


@pytest.mark.parametrize(
    ("program", "asked"),
    [
        ("say([p for p in plants if not wet(p)])", "which plant is not wet"),
        ("say([w for w in windows if stuck(w)])", "the handle of which window is stuck"),
        ("say([p for p in plants if wet(p) and stuck(p)])", None),
        ("say(any(wet(p) for p in plants))", "whether any plant is wet"),
        ('say(wet("fern"))', "whether fern is wet"),
        ("say(len([p for p in plants if wet(p)]))", "of how many plants this is so: it is wet"),
        ("say(len(plants))", "how many plants there are"),
        ("say(plants)", "which plants there are"),
        ('say(height("fern"))', "what the height of the fern in centimetres is"),
        ("say(min(plants, key=height))", "of which plant this is the least: the height of it in centimetres"),
        ("say(done())", "what I did"),
        ("say(abilities())", "what I can do"),
        ('say("hello")', ""),
        ("say(sorted(plants, key=height)[1])", ""),
        ("say(", ""),
        ("say(1)\nsay(2)", ""),
    ],
)
def test_what_was_asked_is_said_in_words(program: str, asked: str | None) -> None:
    whole = FullWorld(garden())
    lexicon = lexicon_of(whole, whole.observe())
    phrases = Phrases(lexicon, whole.relations)
    several = "of which plant all of this is so: it is wet, and the handle of it is stuck"
    assert phrases.tell_question(read_program(program, lexicon)) == (several if asked is None else asked or None)


# What it can do -------------------------------------------------------------------------------------------------------


def test_what_the_robot_can_do_is_told_by_its_own_sentences() -> None:
    told = meaning_of("say(abilities())")
    assert told.sort == "answer"
    assert told.words.startswith("I can water a plant; ") and told.words.endswith(
        "; prune a plant by a number of centimetres."
    )


def skill_of(says: str, about: str = "Do it.", **parameters: Parameter) -> Signature:
    return Signature("do", about, tuple(parameters.values()), says)


LAMP, BOARD, SHELF = (
    Parameter(name, str, "", kind=kind) for name, kind in (("l", "lamp"), ("b", "board"), ("c", "board"))
)
STATE = Parameter("s", str, "", choices=("on", "off", "dim"))


@pytest.mark.parametrize(
    ("skill", "words"),
    [
        (skill_of("Switch the {l} {s}.", l=LAMP, s=STATE), "switch a lamp on, off or dim"),
        (skill_of("Lay {b} on the {c}", b=BOARD, c=SHELF), "lay a board on another board"),
        (skill_of("Saw {b} into {n} parts.", b=BOARD, n=Parameter("n", int, "")), "saw a board into a number of parts"),
        (skill_of("Heat it to {amount}.", amount=Parameter("amount", float, "")), "heat it to an amount"),
        (skill_of("Call out {words}.", words=Parameter("words", str, "")), "call out words"),
        (skill_of("do({l})", "Shut off a lamp.\n\nFor good.", l=LAMP), "shut off a lamp"),
    ],
)
def test_whatever_may_stand_in_a_sentence_has_a_word(skill: Signature, words: str) -> None:
    assert tell_abilities([skill]) == f"I can {words}."


def test_of_very_many_skills_some_are_told_and_the_others_counted() -> None:
    many = [skill_of(f"Press button {number}.") for number in range(23)]
    assert tell_abilities(many).endswith("; press button 19; and 3 more things.")
    assert tell_abilities(many[:21]).endswith("; and 1 more thing.") and "more" not in tell_abilities(many[:20])
    assert tell_abilities([]) == "There is nothing that I can do here."


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ("Watch the {item} until it is over.", "watch the play and the game until they are over"),
        ("Take the {item} and put it away.", "take the play and the game and put them away"),
        ("Wipe the {item} and its lid.", "wipe the play and the game and their lid"),
    ],
)
def test_what_a_sentence_says_of_one_thing_it_says_of_several(says: str, told: str) -> None:
    skill = skill_of(says, item=Parameter("item", str, ""))
    steps = [Step("do", {"item": each}, skill.render({"item": each})) for each in ("play", "game")]
    assert tell_deeds(steps, {"do": skill}) == f"I will {told}."


@pytest.mark.parametrize(
    ("several", "one"), [("parties", "party"), ("towel_rails", "towel rail"), ("magpies", "magpie"), ("loaves", "loaf")]
)
def test_one_of_a_list_is_called_as_people_call_it(several: str, one: str) -> None:
    assert one_of(several) == one
