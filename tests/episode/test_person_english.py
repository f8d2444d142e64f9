"""What a person hears is a person's English, whatever a robot's own sentences leave out."""

from __future__ import annotations

import re

import pytest

from said import meaning_of
from thinkaloud.episode.person_english import PersonEnglish
from thinkaloud.records import Observation
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.worlds import World
from thinkaloud.worlds.full_world import negated
from training.demonstrators.robots import is_learnt_from
from training.robots.reading import Robot, all_robots

BARE = """
name = "hall"
about = "A robot in a skating hall."
[kinds]
thing = ["ice skates", "red paint", "egg", "Rex", "washer 3"]
place = ["tall cupboard", "cellar"]
[skills.put]
says = "Put {thing} into {place}."
doc = "Put something somewhere."
parameters = { thing = "thing", place = "place" }
makes = ["inside({thing}, {place})"]
[skills.dip]
says = "dip({thing}, {many})"
doc = "Dip something."
parameters = { thing = "thing", many = "number" }
[relations.owns]
says = "{thing} owns {other}."
doc = "Whose something is."
parameters = { thing = "thing", other = "thing" }
[relations.has]
says = "{thing} has {other}."
doc = "What something has."
parameters = { thing = "thing", other = "thing" }
[relations.cool]
says = "{thing} has cooled down."
doc = "Whether something is cool."
parameters = { thing = "thing" }
[relations.holds]
says = "The robot holds {thing}."
doc = "What the robot holds."
parameters = { thing = "thing" }
[relations.watches]
says = "The robot watches {thing}."
doc = "What the robot watches."
parameters = { thing = "thing" }
[relations.inside]
says = "{thing} is in {place}."
doc = "Where something is."
parameters = { thing = "thing", place = "place" }
"""


def speaking(world: World) -> PersonEnglish:
    speak = PersonEnglish(world)
    speak.see(world.observe())
    return speak


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Red paint is in tall cupboard.", "The red paint is in the tall cupboard."),
        ("Ice skates is in cellar..", "The ice skates are in the cellar."),
        ("I will put red paint and egg into cellar.", "I will put the red paint and the egg into the cellar."),
        ("I will put Rex into washer 3.", "I will put Rex into washer 3."),
        ("Egg is in cellar (checked).", "The egg is in the cellar (checked)."),
        ("Egg is not in tall cupboard.", "The egg isn't in the tall cupboard."),
        (
            "Egg has cooled down and ice skates has cooled down.",
            "The egg has cooled down and the ice skates have cooled down.",
        ),
        (
            "Done: the egg is in the cellar and the ice skates is in the cellar (checked).",
            "Done: the egg is in the cellar and the ice skates are in the cellar (checked).",
        ),
        ("The weight of the ice skates is 3 kg.", "The weight of the ice skates is 3 kg."),
        ("The ice skates stands in the cellar.", "The ice skates stand in the cellar."),
        ("I will put the egg into the cellar.", "I will put the egg into the cellar."),
        ("Which place do you mean? (tall cupboard / cellar)", "Which place do you mean? (tall cupboard / cellar)"),
        ("Egg and red paint.", "Egg and red paint."),
        ("There is no ice skates here.", "There are no ice skates here."),
        ("There is no torch here.", "There is no torch here."),
        ("0 of 1 condition holds, 2 steps.", "0 of 1 condition holds, 2 steps."),
        ("Not so: Egg is in cellar.", "The egg isn't in the cellar."),
        (
            "Not so: Egg is in cellar. Rex is in tall cupboard. The door is open.",
            "The egg isn't in the cellar. Rex isn't in the tall cupboard. The door is open.",
        ),
        ("Put egg into cellar. Not so: Egg is in cellar.", "Put the egg into the cellar. The egg isn't in the cellar."),
        ("The goal: Egg is in cellar.", "The goal: The egg is in the cellar."),
        ("I do not see a egg.", "I don't see an egg."),
        ("It is not so. I cannot.", "It isn't so. I can't."),
        ("It is not so that the robot holds the egg.", "The robot doesn't hold the egg."),
        (
            "Done: it is not so that the robot watches Rex and it is not so that the robot holds the egg (checked).",
            "Done: the robot doesn't watch Rex and the robot doesn't hold the egg (checked).",
        ),
        ("It is not so that the robots hold the egg.", "It isn't so that the robots hold the egg."),
        ("200 ml of red paint is left.", "200 ml of red paint is left."),
        ("Give Rex 1 pieces of cheese.", "Give Rex 1 piece of cheese."),
        (
            "I will dip(egg, 3). Done: Dip(egg, 3) I could not check the result.",
            "I will dip the egg, 3. Done: Dip the egg, 3. I couldn't check the result.",
        ),
        ("Is that right?.", "Is that right?"),
        ("From now on, whenever egg is in cellar: Hum.", "From now on, whenever the egg is in the cellar: Hum."),
        (
            "From now on I am never to put the egg into the washer 3.",
            "From now on, I will never put the egg into washer 3.",
        ),
        ("From now on I leave the washer 3 alone.", "From now on, I will leave washer 3 alone."),
        ("The washer 3 is in cellar.", "Washer 3 is in the cellar."),
        ("It is not so that Rex owns egg.", "Rex doesn't own the egg."),
        ("It is not so that egg has cooled down.", "The egg hasn't cooled down."),
        ("No. It is not so that Rex has egg.", "No. Rex doesn't have the egg."),
        ("It is not so that at least one thing has egg: Rex.", "At least one thing doesn't have the egg: Rex."),
        ("Wait …", "Wait …"),
    ],
)
def test_a_sentence_is_said_as_a_person_would(said: str, told: str) -> None:
    speak = speaking(TextFileWorld(BARE))
    assert speak(said) == told
    assert speak(told) == told  # saying it again changes nothing


LABORATORY = """
name = "laboratory"
about = "A robot in a laboratory."
[kinds]
liquid = ["acetone", "water"]
flask = ["round flask"]
item = ["tweezers", "pipette"]
machine = ["centrifuge"]
lamp = ["lamps in the hall", "Ines"]
[skills.pour]
says = "Pour {amount} ml of {liquid} into the {flask}."
doc = "Pour."
parameters = { amount = "number", liquid = "liquid", flask = "flask" }
[skills.clean]
says = "Clean {item} with a new {flask}."
doc = "Clean."
parameters = { item = "item", flask = "flask" }
[relations.contains]
says = "{flask} contains {liquid}."
doc = "What is in a flask."
parameters = { flask = "flask", liquid = "liquid" }
[relations.there]
says = "There is {liquid} in the {flask}."
doc = "What is in a flask."
parameters = { flask = "flask", liquid = "liquid" }
[relations.strength]
says = "The weight on the {flask} is {degree}."
doc = "How much weighs on a flask."
parameters = { flask = "flask", degree = ["low", "high"] }
[relations.lit]
says = "{lamp} is lit."
doc = "Whether it is on."
parameters = { lamp = "lamp" }
[relations.dusted]
says = "{lamp} has no dust on it."
doc = "Whether it is clean."
parameters = { lamp = "lamp" }
[relations.still]
says = "The {machine} does not run."
doc = "Whether it stands still."
parameters = { machine = "machine" }
"""


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I will pour 50 ml of acetone into the round flask.", "I will pour 50 ml of acetone into the round flask."),
        ("Round flask contains acetone.", "The round flask contains acetone."),
        ("It is not so that round flask contains water.", "The round flask doesn't contain water."),
        ("There is water in the round flask.", "There is water in the round flask."),
        (
            "I will clean tweezers and pipette with a new round flask.",
            "I will clean the tweezers and the pipette with a new round flask.",
        ),
        ("The weight on the round flask is not high.", "The weight on the round flask isn't high."),
        ("The centrifuge does run.", "The centrifuge does run."),
        ("Lamps in the hall is lit.", "The lamps in the hall are lit."),
        ("Ines is lit.", "Ines is lit."),
        ("It is not so that Ines has no dust on it.", "Ines has dust on it."),
        ("It is not so that the centrifuge does not run.", "The centrifuge does run."),
    ],
)
def test_a_thing_has_an_article_and_what_there_is_an_amount_of_has_none(said: str, told: str) -> None:
    assert speaking(TextFileWorld(LABORATORY))(said) == told


def test_a_skill_that_tells_what_happens_is_not_put_behind_i_will() -> None:
    stage = TextFileWorld(BARE.replace('"Put {thing} into {place}."', '"{thing} goes into {place}."'))
    assert speaking(stage)("I will rex goes into cellar.") == "This will happen: Rex goes into the cellar."


TEA = """
name = "tea"
about = "A robot makes tea."
[kinds]
tea = ["mint tea", "green tea"]
mug = ["red mug", "blue mug", "white mug"]
[skills.hum]
says = "Hum."
doc = "Hum."
[relations.holds]
says = "There is {tea} in the {mug}."
doc = "What is in a mug."
parameters = { tea = "tea", mug = "mug" }
[start]
facts = ["holds(mint tea, red mug)"]
"""


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (
            'say(all([holds("mint tea", m) for m in mugs]))',
            "No. There isn't mint tea in the blue mug or the white mug.",
        ),
        ('say([m for m in mugs if holds("green tea", m)])', "There isn't green tea in any mug."),
    ],
)
def test_what_there_is_not_is_told_of_each_or_of_any(program: str, told: str) -> None:
    assert speaking(TextFileWorld(TEA))(meaning_of(program, TEA).words) == told


_ODD = {
    "two full stops": re.compile(r"(?<!\.)\.\s?\.(?!\.)"),
    "two articles": re.compile(r"\b(?:the|an?) (?:the|an?)\b", re.IGNORECASE),
    "one of several": re.compile(r"(?<![\d.,])\b1 [a-z]{3,}[^s]s (?:of|into|to)\b"),
    "not shortened": re.compile(r"\b(?:is|are|does|do|has) not\b"),
}


def sentences(robot: Robot) -> list[str]:
    """Every sentence of a robot with the first things of its kinds."""
    world = robot.open()
    vocabulary = world.observe().vocabulary
    found = []
    skills = [each.signature for each in world.skills.values()]
    for signature in (*skills, *(each.signature for each in world.relations.values())):
        given = {}
        for p in signature.parameters:
            options = p.options(vocabulary)
            given[p.name] = options[0] if options else 2 if p.type in (int, float) else "hello"
        told = signature.tell(given)
        found += [told, f"I will {told[:1].lower()}{told[1:]}", f"I do not know that. {told}."]
    return found


@pytest.mark.sampled(8)
@pytest.mark.parametrize("part", range(8))
def test_nothing_odd_is_said_about_robots_that_nobody_looked_at(part: int) -> None:
    robots = [each for each in all_robots() if not is_learnt_from(each)][part::8]
    assert len(robots) > 10
    for robot in robots:
        world = robot.open()
        speak, scene = speaking(world), world.observe()
        names = [name for kind in scene.vocabulary.values() for name in kind]
        for sentence in sentences(robot):
            told = speak(sentence)
            for what, odd in _ODD.items():
                assert not odd.search(told), (robot.name, what, told)
            missing = [name for name in names if name.lower() in sentence.lower() and name.lower() not in told.lower()]
            assert not missing, (robot.name, sentence, told)
        assert isinstance(scene, Observation)


@pytest.mark.parametrize(
    ("says", "denied"),
    [
        ("Water runs in the {sink}.", "Water doesn't run in the kitchen sink."),
        ("Steam rises from the {sink}.", "Steam doesn't rise from the kitchen sink."),
        ("I hold the {sink}.", "I don't hold the kitchen sink."),
        ("Music plays.", "Music doesn't play."),
        ("The {sink} drips.", "The kitchen sink doesn't drip."),
        ("The {sink} is clean.", "The kitchen sink isn't clean."),
        ("There is water in the {sink}.", "There isn't water in the kitchen sink."),
        ("Nobody works at the {sink}.", "It isn't so that nobody works at the kitchen sink."),
    ],
)
def test_a_robots_sentence_is_denied_by_its_own_verb(says: str, denied: str) -> None:
    parameters = 'parameters = { sink = "sink" }' if "{" in says else ""
    text = f"""
name = "sinks"
about = "A robot at a sink."
[kinds]
sink = ["kitchen sink"]
[skills.look]
says = "Look around."
doc = "Look."
[relations.so]
says = "{says}"
doc = "Whether it is so."
{parameters}
"""
    world = TextFileWorld(text)
    assert speaking(world)(negated(says).replace("{sink}", "kitchen sink")) == denied


def test_of_a_robot_that_is_not_known_the_names_at_the_beginning_of_a_clause_have_their_article() -> None:
    speak = PersonEnglish(None)
    speak.see(TextFileWorld(BARE).observe())
    told = speak("Whenever red paint is in tall cupboard: Hum. Ice skates is dry.")
    assert told == "Whenever the red paint is in tall cupboard: Hum. The ice skates are dry."
