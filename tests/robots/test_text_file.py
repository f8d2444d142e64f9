"""A robot in a text file: what it says comes true, and what is wrong in it is said."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drawn_robots import draw_data, draw_robot, robots
from said import Talk
from thinkaloud.episode.ticks import Interrupted, Pace, pacing
from thinkaloud.errors import BadScene, SkillError
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.records import Request, Stop
from thinkaloud.robots import open_world
from thinkaloud.robots.text_file import (
    RobotFile,
    TextFileWorld,
    parse_robot,
    read_declared_fact,
    read_robot,
    robot_from,
)
from thinkaloud.skills import Amount
from thinkaloud.worlds.contract import Measured, Twinned, World, briefing_of, find_ability

ROBOTS = Path(__file__).parents[2] / "examples" / "robots"
SHED = """
name = "shed"
about = "A robot in a shed."

[kinds]
box = ["red box", "blue box"]
shelf = ["low shelf", "high shelf"]
lamp = ["lamp"]

[skills.put]
says = "Put the {box} on the {shelf}."
doc = "Carry a box to a shelf."
parameters = { box = "box", shelf = "shelf" }
needs = ["lit(lamp)"]
makes = ["on({box}, {shelf})"]

[skills.switch]
says = "Switch the {lamp} {state}."
doc = "Switch a lamp on or off."
parameters = { lamp = "lamp", state = ["on", "off"] }
makes = { on = ["lit({lamp})"] }
ends = { off = ["lit({lamp})"] }

[skills.open]
says = "Open the {box}."
doc = "Open a box."
parameters = { box = "box" }
makes = ["opened({box})"]
hidden = { needs = ["not on({box}, high shelf)"], says = "It is too high up." }

[skills.wait]
says = "Wait {minutes} minutes."
doc = "Wait."
parameters = { minutes = "number" }

[skills.call_out]
says = "Call out: {words}"
doc = "Say something loudly."
parameters = { words = "text" }

[relations.on]
says = "{box} is on the {shelf}."
doc = "Whether a box is on a shelf."
parameters = { box = "box", shelf = "shelf" }
single = true

[relations.lit]
says = "{lamp} is on."
doc = "Whether a lamp is on."
parameters = { lamp = "lamp" }

[relations.opened]
says = "{box} stands open."
doc = "Whether a box is open."
parameters = { box = "box" }

[values.weight]
says = "the weight of the {box} in kilograms"
doc = "How heavy a box is."
parameters = { box = "box" }

[start]
facts = ["on(red box, high shelf)"]
values = ["weight(red box) = 2.5"]

[[request]]
say = "anything"
"""


def do(world: World, skill: str, **arguments: Any) -> str:
    async def run() -> str:
        checked = world.skills[skill].refuse(arguments, world.observe())
        return await world.skills[skill].run(checked)

    return asyncio.run(run())


@pytest.fixture
def shed() -> TextFileWorld:
    return TextFileWorld(SHED)


# What it says comes true ----------------------------------------------------------------------------------------------


def test_what_nobody_sees_in_a_sentence_is_not_taken_over() -> None:
    hidden = SHED.replace('doc = "Carry a box to a shelf."', 'doc = "Carry\\u202E a box\\u001B[31m to a shelf."')
    hidden = hidden.replace('says = "Put the {box}', 'says = "Put\\u2066 the {box}').replace(
        "A robot in", "A\\u200F robot in"
    )
    robot = parse_robot(hidden)
    signature = robot.skills["put"].signature
    told = robot.about + signature.about + signature.says
    assert told.isprintable() and "Carry" in told and "[31m to a shelf." in told


def test_it_has_what_the_file_says(shed: TextFileWorld) -> None:
    assert shed.name == "shed"
    assert briefing_of(shed).about == "A robot in a shed."
    seen = shed.observe()
    assert seen.objects == ("red box", "blue box", "low shelf", "high shelf", "lamp")
    assert seen.vocabulary["box"] == ("red box", "blue box")
    assert seen.state is not None
    assert [each.words for each in seen.state.relations] == ["Red box is on the high shelf."]
    assert seen.state.attributes == {"red box": {"weight": 2.5}}
    assert find_ability(shed, Twinned) and find_ability(shed, Measured)
    assert shed.measures["weight"].read(box="red box") == 2.5
    assert shed.measures["weight"].read(box="blue box") == "unknown"


def test_a_skill_makes_true_what_it_declares_and_ends_where_a_thing_was(shed: TextFileWorld) -> None:
    do(shed, "switch", lamp="lamp", state="on")
    do(shed, "put", box="red box", shelf="low shelf")
    assert shed.facts() == {"lit(lamp)", "on(red box, low shelf)"}
    do(shed, "switch", lamp="lamp", state="off")
    assert shed.facts() == {"on(red box, low shelf)"}
    assert shed.calls[1] == ("put", {"box": "red box", "shelf": "low shelf"})
    assert shed.clock.now() == 3.0


def test_what_is_needed_and_not_so_is_said(shed: TextFileWorld) -> None:
    with pytest.raises(SkillError, match=r"^The lamp is not on\.$"):
        do(shed, "put", box="red box", shelf="low shelf")
    with pytest.raises(SkillError, match=r"^The lamp is not on\.$"):
        asyncio.run(shed.skills["put"].run({"box": "red box", "shelf": "low shelf"}))
    assert shed.facts() == {"on(red box, high shelf)"}
    assert shed.calls == []


def test_what_nobody_declared_fails_in_its_own_words(shed: TextFileWorld) -> None:
    assert shed.skills["open"].needs is None
    with pytest.raises(SkillError, match=r"^It is too high up\.$"):
        do(shed, "open", box="red box")
    do(shed, "open", box="blue box")
    assert "opened(blue box)" in shed.facts()


def test_needs_effects_and_ends_are_declared_for_those_who_search(shed: TextFileWorld) -> None:
    put, call = shed.skills["put"], {"box": "red box", "shelf": "low shelf"}
    assert [c.words for c in put.requires(call, shed.relations)] == ["Lamp is on."]
    assert [c.words for c in put.promises(call, shed.relations)] == ["Red box is on the low shelf."]
    assert [c.words for c in put.revokes(call, shed.relations)] == ["Red box is on the high shelf."]
    assert shed.skills["wait"].effects is None
    assert shed.relations["on"].left_alone("red box") == "Red box stays where it is."


def test_numbers_are_said_as_people_say_them(shed: TextFileWorld) -> None:
    wait = shed.skills["wait"]
    assert wait.step(wait.refuse({"minutes": "5"}, shed.observe())).words == "Wait 5 minutes."
    assert wait.step(wait.refuse({"minutes": 2.5}, shed.observe())).words == "Wait 2.5 minutes."
    with pytest.raises(SkillError, match="number"):
        do(shed, "wait", minutes="long")
    do(shed, "call_out", words="Hello, you there!")
    assert shed.calls == [("call_out", {"words": "Hello, you there!"})]


def test_true_of_one_at_a_time() -> None:
    world = TextFileWorld(ROBOTS / "hotel_corridor.toml")
    do(world, "go_to", room="room 12")
    assert {fact for fact in world.facts() if fact.startswith("at(")} == {"at(room 12)"}
    do(world, "dim", lamp="night light", level="dim")
    assert "shines(night light, dim)" in world.facts() and "shines(night light, off)" not in world.facts()
    with pytest.raises(SkillError, match="The robot is not at the room 14"):
        do(world, "ring", room="room 14")
    do(world, "go_to", room="room 14")
    with pytest.raises(SkillError, match="do not disturb"):
        do(world, "ring", room="room 14")


def test_a_person_is_heard_at_a_safe_point_and_nothing_is_half_done(shed: TextFileWorld) -> None:
    async def broken_off(by: Request | Stop) -> None:
        with pacing(Pace(hear=lambda: by)), pytest.raises(Interrupted):
            await shed.skills["open"].run({"box": "blue box"})

    for by in (Request("Leave it."), Stop()):
        before = shed.facts(), shed.calls
        asyncio.run(broken_off(by))
        assert (shed.facts(), shed.calls) == before


def test_a_snapshot_of_another_robot_is_refused(shed: TextFileWorld) -> None:
    changed = TextFileWorld(SHED.replace("weight(red box) = 2.5", "weight(red box) = 3"))
    with pytest.raises(ValueError, match="snapshot of another robot"):
        shed.restore(changed.snapshot())
    with pytest.raises(ValueError, match="'tea_kitchen'"):
        shed.restore(TextFileWorld(ROBOTS / "tea_kitchen.toml").snapshot())
    TextFileWorld(SHED.replace("anything", "something else")).restore(
        shed.snapshot()
    )  # requests are no part of a robot


def test_a_world_is_opened_by_its_file(tmp_path: Path) -> None:
    file = tmp_path / "shed.toml"
    file.write_text(SHED)
    assert open_world(str(file)).name == TextFileWorld(file).name == TextFileWorld(str(file)).name == "shed"
    file.unlink()
    assert open_world(str(file), scene=SHED).name == "shed"
    with pytest.raises(BadScene, match="cannot be read"):
        open_world(str(file))
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadScene, match="not a text file"):
        open_world(str(file))


def test_a_fact_is_read_for_judges() -> None:
    robot = parse_robot(SHED)
    assert read_declared_fact(robot, "not on(Red Box, low shelf)") == (("on", ("red box", "low shelf")), False)
    with pytest.raises(BadScene, match="did you mean 'opened'"):
        read_declared_fact(robot, "openend(red box)")


def test_sentences_are_denied(shed: TextFileWorld) -> None:
    from thinkaloud.robots.text_file.facts import deny

    def denied(says: str, **values: str) -> str:
        parameters = ", ".join(f'{name} = "box"' for name in values)
        text = SHED.replace(
            "[start]", f'[relations.r]\nsays = "{says}"\ndoc = "d"\nparameters = {{ {parameters} }}\n[start]'
        )
        return deny(parse_robot(text).relations["r"].signature, values)

    assert denied("{a} is wet.", a="red box") == "The red box is not wet."
    assert denied("{a} is wet.", a="Anna") == "Anna is not wet."
    assert denied("{a} can be lifted.", a="the thing that is it") == "The thing that is it cannot be lifted."
    assert denied("{a} has a lid.", a="red box") == "The red box does not have a lid."
    assert denied("The tool box is open.") == "The tool box is not open."
    assert denied("{a} leans on {b}.", a="x", b="y") == "This is not so: X leans on y."


# What is wrong in a file ----------------------------------------------------------------------------------------------

WRONG = {
    "no TOML": ("[kinds]", "[kinds", r"shed\.toml:5: is not TOML"),
    "no name": ('name = "shed"\n', "", "'name' is missing"),
    "a name that is none": ('"shed"', '"my shed!"', "cannot name a robot"),
    "no about": ('about = "A robot in a shed."', "", "'about' is missing"),
    "an unknown table": ("[kinds]", "[things]", r"things: there is no such key.*Known: name, about, kinds"),
    "an unknown key": ("single = true", "singel = true", r"relations\.on\.singel.*Did you mean 'single'"),
    "an unknown key of a skill": ("needs =", "need =", r"skills\.put\.need: .*Did you mean 'needs'"),
    "no doc": ('doc = "Open a box."', "", r"shed\.toml:\d+: skills\.open: 'doc' is missing"),
    "an empty doc": ('"Open a box."', '" "', r"skills\.open\.doc: expected a text"),
    "no sentence": ('says = "Open the {box}."', "", "'says' is missing"),
    "a sentence without its parameter": ("Open the {box}.", "Open it.", r"each parameter once, in braces: \{box\}"),
    "a sentence with another": ("Open the {box}.", "Open the {lid}.", r"in braces: \{box\}"),
    "a sentence that names it twice": ("Open the {box}.", "Open {box}, {box}.", "each parameter once"),
    "a sentence with half a brace": ("Open the {box}.", "Open the {box} {.", "each parameter once"),
    "an unknown kind": ('parameters = { minutes = "number" }', 'parameters = { minutes = "numbr" }', "is not a kind"),
    "no choices": ('["on", "off"]', "[]", "choices are"),
    "choices of several sorts": ('["on", "off"]', '["on", 1]', "choices are"),
    "an unknown relation": ('["lit(lamp)"]', '["lid(lamp)"]', r"skills\.put\.needs: there is no relation 'lid'.*'lit'"),
    "a relation about too many": (
        '["lit(lamp)"]',
        '["lit(lamp, lamp)"]',
        r"about 2, and lit about 1; write lit\(lamp\)",
    ),
    "a thing that is not there": ('["lit(lamp)"]', '["lit(candle)"]', "no lamp 'candle' here; there is: lamp"),
    "a thing of another kind": ("on(red box, high shelf)", "on(lamp, high shelf)", "no box 'lamp' here"),
    "a parameter that is none": ("on({box}, {shelf})", "on({box}, {place})", "no parameter 'place'.*box, shelf"),
    "a parameter of another kind": (
        "on({box}, {shelf})",
        "on({shelf}, {box})",
        "may be 'low shelf', and on takes a box",
    ),
    "no fact": ('["lit(lamp)"]', '["lit lamp"]', r"write relation\(thing\)"),
    "a fact that is denied": (
        'makes = ["on({box}, {shelf})"]',
        'makes = ["not on({box}, {shelf})"]',
        "under `ends`",
    ),
    "facts that are no list": ('["lit(lamp)"]', '"lit(lamp)"', "a list of texts"),
    "an unknown choice": ("{ on = [", "{ an = [", "by the values of one choice; the choices are state: on, off"),
    "choices where there are none": ('["lit(lamp)"]', '{ on = ["lit(lamp)"] }', "no parameter has a list of choices"),
    "hidden without words": (', says = "It is too high up."', "", "'says' is missing"),
    "hidden without facts": ('needs = ["not on({box}, high shelf)"], ', "", "say what has to be true"),
    "a thing twice": ('["red box", "blue box"]', '["red box", "red box"]', "is there twice"),
    "things that are alike": ('"blue box"', '"Red Box"', "could not be told apart"),
    "things with odd names": ('"blue box"', '"box (blue)"', "cannot be the name of a thing"),
    "a name of two parts": (
        "[values.weight]",
        "[values.lit]",
        r"values\.lit: 'lit' is also one of the relations.* 'lit_value'",
    ),
    "a name twice": ("[values.weight]", "[relations.lit]", "is not TOML"),
    "a name that code cannot call": ("[skills.call_out]", '[skills."call out"]', "not a name that code can call; use"),
    "a skill named like a word of Python's own": ("[skills.call_out]", "[skills.raise]", "call; write 'raise_'"),
    "a relation named like a skill": ("[skills.call_out]", "[skills.lit]", "also one of the skills.* such as 'is_lit'"),
    "a parameter named like a word of Python's own": (
        'says = "Open the {box}."\ndoc = "Open a box."\nparameters = { box = "box" }',
        'says = "Open the {from}."\ndoc = "Open a box."\nparameters = { from = "box" }',
        r"skills\.open\.parameters\.from: 'from' cannot name a parameter.* 'from_'",
    ),
    "a single that is none": ("single = true", "single = 1", "true or false"),
    "in two places": ('high shelf)"]\nvalues', 'high shelf)", "on(red box, low shelf)"]\nvalues', "on is single"),
    "a value that is none": ("weight(red box) = 2.5", "weight(red box)", r"write height\(fern\) = 30"),
    "an unknown value": ("weight(red box) = 2.5", "size(red box) = 2.5", "no value 'size'"),
    "a value of nothing": ("weight(red box) = 2.5", "weight(bag) = 2.5", "no box 'bag' here"),
    "a value twice": ('2.5"]', '2.5", "weight(red box) = 3"]', "is there twice"),
    "a kind that is none": ('lamp = ["lamp"]', 'lamp = "lamp"', "expected a list of texts"),
    "a reserved kind": ('lamp = ["lamp"]', 'text = ["lamp"]', "cannot be a kind"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_in_a_file_is_said_with_its_place(what: str) -> None:
    old, new, why = WRONG[what]
    assert old in SHED
    text = SHED.replace(old, new)
    with pytest.raises(BadScene) as refused:
        parse_robot(text, "shed.toml")
    said = str(refused.value)
    assert said.startswith("shed.toml") and re.search(why, said), said
    assert said.endswith(".") and not said.endswith("..")


def test_the_line_is_said_where_it_is_known() -> None:
    text = SHED.replace("lit(lamp)", "lid(lamp)")
    line = text[: text.index("lid(lamp)")].count("\n") + 1
    with pytest.raises(BadScene, match=rf"^shed\.toml:{line}: skills\.put\.needs: "):
        parse_robot(text, "shed.toml")


def test_two_skills_in_the_same_words_are_refused() -> None:
    text = SHED.replace(
        "[skills.wait]", '[skills.lift]\nsays = "open the {b}."\ndoc = "d"\nparameters = { b = "box" }\n[skills.wait]'
    )
    with pytest.raises(BadScene, match=r"skills\.lift\.says: 'open' has the same sentence"):
        parse_robot(text, "shed.toml")


def test_a_robot_that_can_do_nothing_is_none() -> None:
    with pytest.raises(BadScene, match="the robot has no skills"):
        robot_from({"name": "stone", "about": "A stone."})
    only = robot_from({"name": "bird", "about": "It sings.", "skills": {"sing": {"says": "Sing.", "doc": "Sing."}}})
    world = TextFileWorld(only)
    assert do(world, "sing") == "Done." and world.facts() == set()


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda e: st.lists(e, max_size=3)))
@settings(max_examples=60)
def test_whatever_stands_in_a_place_is_read_or_refused(data: Any) -> None:
    for part in ("kinds", "skills", "relations", "values", "start", "name"):
        with pytest.raises(BadScene):
            robot_from({"name": "a", "about": "b", part: data})
        with pytest.raises(BadScene):
            robot_from({"name": "a", "about": "b", part: {"c": {"d": data}}})


# Robots drawn at random -----------------------------------------------------------------------------------------------


@given(robots())
@settings(max_examples=50)
def test_a_robot_drawn_at_random_is_a_world(robot: RobotFile) -> None:
    world = TextFileWorld(robot)
    seen = world.observe()
    assert len(lexicon_of(world, seen).skills) == len(robot.skills)
    for skill in world.skills.values():
        for call in skill.signature.calls(seen.vocabulary)[:3]:
            before = world.facts()
            try:
                arguments = skill.refuse(call, world.observe())
                asyncio.run(skill.run(arguments))
            except SkillError:
                assert world.facts() == before
                continue
            assert all(map(world.holds, skill.promises(arguments, world.relations)))
            assert not any(map(world.holds, skill.revokes(arguments, world.relations)))
    assert world.twin().snapshot() == world.snapshot()


def test_robots_drawn_at_random_are_of_many_shapes() -> None:
    drawn = [draw_robot(seed) for seed in range(300)]
    assert draw_data(5) == draw_data(5)
    assert any(not robot.relations for robot in drawn)
    assert any(not things for robot in drawn for things in robot.kinds.values())
    assert {len(r.signature.parameters) for robot in drawn for r in robot.relations.values()} == {0, 1, 2}
    assert any(not (s.makes or s.ends) for robot in drawn for s in robot.skills.values())
    assert any(s.needs for robot in drawn for s in robot.skills.values())
    assert any(s.hidden for robot in drawn for s in robot.skills.values())
    assert any(r.single for robot in drawn for r in robot.relations.values())
    assert any(f"{thing}s" in robot.things for robot in drawn for thing in robot.things)
    assert any(len(robot.things) < sum(map(len, robot.kinds.values())) for robot in drawn)
    assert any(robot.measured for robot in drawn)


@pytest.mark.parametrize("path", sorted(ROBOTS.glob("*.toml")), ids=lambda path: path.stem)
def test_the_examples_are_named_as_their_files(path: Path) -> None:
    assert read_robot(path).name == path.stem


@pytest.mark.parametrize(
    ("what", "amount"),
    [
        ("number", None),
        ("number ml", Amount("ml")),
        ("number ml 10..350", Amount("ml", 10, 350)),
        ("number ml 10..350 step 5", Amount("ml", 10, 350, 5)),
        ("number fl oz -1..2.5", Amount("fl oz", -1, 2.5)),
        ("number 1..", Amount("", 1)),
        ("number °C step 0.5", Amount("°C", step=0.5)),
    ],
)
def test_a_number_may_have_a_unit_a_range_and_a_step(what: str, amount: Amount | None) -> None:
    data = {"says": "Pour {n}.", "doc": "Pour.", "parameters": {"n": what}}
    robot = robot_from({"name": "bar", "about": "Pours.", "skills": {"pour": data}})
    assert robot.skills["pour"].signature.parameters[0].amount == amount


# Values that skills change --------------------------------------------------------------------------------------------

CAFE = """
name = "cafe"
about = "A robot pours drinks."
[kinds]
cup = ["red cup", "blue mug"]
[skills.pour]
says = "Pour {amount} ml into {cup}."
doc = "Pour water."
parameters = { cup = "cup", amount = "number ml" }
changes = ["level({cup}) += {amount}"]
[skills.tip]
says = "Tip {one} into {other}."
doc = "Pour from one into another."
parameters = { one = "cup", other = "cup" }
changes = ["level({other}) += level({one})", "level({one}) = 0"]
[skills.turn]
says = "Turn the heating {way}."
doc = "Make it warmer or colder."
parameters = { way = ["up", "down"] }
changes = { up = ["warmth() += 0.1"], down = ["warmth() -= 0.1"] }
[values.level]
says = "how much is in {cup}"
doc = "What is in a cup."
parameters = { cup = "cup" }
unit = "ml"
[values.warmth]
says = "how warm it is"
doc = "The temperature."
[start]
values = ["level(red cup) = 50", "level(blue mug) = 20", "warmth() = 0.2"]
"""


@pytest.fixture
def cafe() -> TextFileWorld:
    return TextFileWorld(CAFE)


def test_a_skill_changes_values(cafe: TextFileWorld) -> None:
    do(cafe, "pour", cup="red cup", amount=100)
    do(cafe, "turn", way="up")
    assert (cafe.measures["level"].read(cup="red cup"), cafe.measures["warmth"].read()) == (150, 0.3)
    do(cafe, "tip", one="red cup", other="blue mug")
    state = cafe.observe().state
    assert state is not None
    assert (state.attributes["red cup"], state.attributes["blue mug"]) == ({"level": 0}, {"level": 170})


def test_changed_values_are_part_of_a_snapshot(cafe: TextFileWorld) -> None:
    begin = cafe.snapshot()
    do(cafe, "pour", cup="red cup", amount=100)
    assert cafe.twin().measures["level"].read(cup="red cup") == 150
    cafe.restore(begin)
    assert cafe.measures["level"].read(cup="red cup") == 50


def test_what_is_not_known_stays_so_when_it_changes() -> None:
    cafe = TextFileWorld(CAFE.replace('"level(red cup) = 50", ', ""))
    do(cafe, "pour", cup="red cup", amount=100)
    assert cafe.measures["level"].read(cup="red cup") == "unknown"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("level({cup})", "does not change a value; write"),
        ("height({cup}) += {amount}", "there is no value 'height'"),
        ("level({mug}) += {amount}", "there is no parameter 'mug'"),
        ("level({cup}) += {much}", "there is no parameter 'much'"),
        ("level({cup}) += {cup}", "{cup} is not a number"),
        ("level({cup}) += lots", "'lots' is not a number, a parameter in braces, or a value"),
    ],
)
def test_a_change_that_is_none_is_refused(change: str, why: str) -> None:
    with pytest.raises(BadScene, match=re.escape(why)):
        parse_robot(CAFE.replace("level({cup}) += {amount}", change))


def test_an_answer_has_the_unit_and_is_right_afterwards() -> None:
    talk = Talk(['pour("red cup", 100)', 'say(level("red cup"))'], TextFileWorld(CAFE))
    talk.say("100 ml in the red cup, please.")
    assert talk.say("How full is it?").because == "150 ml."


JUG = """
name = "jug"
about = "A robot with a jug."
[kinds]
jug = ["jug"]
[budget]
battery = 10
[skills.pour]
says = "Pour {amount} ml out of the {jug}."
doc = "Pour."
parameters = { amount = "number ml 10..350 step 5", jug = "jug" }
costs = { battery = 3 }
[values.level]
says = "how much is in the {jug}"
doc = "What is in it."
parameters = { jug = "jug" }
unit = "ml"
[start]
values = ["level(jug) = 500"]
"""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("step 5", "step 0", "robot:11: skills.pour.parameters.amount: no number is in 'number ml 10..350 step 0'"),
        ("10..350", "ten..350", "'number ml ten..350 step 5' is not a kind; a parameter is one of"),
        ("10..350", "350..10", "no number is in 'number ml 350..10 step 5'; write the smaller end first"),
        ("battery = 3", "battery = -3", "robot:12: skills.pour.costs.battery: expected a number, 0 or more, not -3"),
        ("= 500", "= 0.5 litres", "robot:19: start.values: 'level(jug) = 0.5 litres': level is counted in ml; write"),
        ("= 500", "= full", "level is counted in ml; write the number alone"),
    ],
)
def test_numbers_that_cannot_be_are_told_with_their_place(old: str, new: str, why: str) -> None:
    TextFileWorld(JUG)
    with pytest.raises(BadScene) as error:
        TextFileWorld(JUG.replace(old, new))
    assert why in str(error.value)


@pytest.mark.parametrize(
    ("says", "told"),
    [("Groom {horse}", "Groom Bella."), ("Groom {horse}!", "Groom Bella!"), ("给{horse}刷毛", "给Bella刷毛。")],
)
def test_a_full_stop_that_was_left_out_is_added(says: str, told: str) -> None:
    world = TextFileWorld(
        f"""
name = "stable"
about = "A stable."
kinds = {{ horse = ["Bella"] }}

[skills.groom]
says = "{says}"
doc = "Brush a horse."
parameters = {{ horse = "horse" }}
"""
    )
    assert world.skills["groom"].signature.render({"horse": "Bella"}) == told
