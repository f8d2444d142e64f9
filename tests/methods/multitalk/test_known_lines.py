"""Lines in words that the world grounds: what can be said next, and what it means."""

from __future__ import annotations

import pytest

from multitalk_dialogue import figure
from thinkaloud.errors import Unparseable
from thinkaloud.methods.multitalk.known_lines import KnownLines
from thinkaloud.models.gbnf import accepts
from thinkaloud.names import missing_kinds, names_in, things_meant
from thinkaloud.records import Observation
from thinkaloud.worlds import World, open_world
from thinkaloud.worlds.contract import Commandable, find_ability
from toyworld import ToyWorld


def begun(world: World, spoken: str = "", *said: str) -> KnownLines:
    lines = KnownLines(world, world.observe(), spoken)
    for line in said:
        assert accepts(lines.grammar(), f"{line}:"), line
        lines.say(line)
    return lines


def sayable(lines: KnownLines, line: str) -> bool:
    return accepts(lines.grammar(), f"{line}:")


def test_what_is_said_is_grounded_in_what_is_seen() -> None:
    lines = begun(figure(1), "Move the soup can.", "Grasp the soup can", "Put the soup can at (0.10, -0.25)", "Go home")
    grasp, move, home = lines.steps
    assert (grasp.skill, grasp.arguments) == ("grasp", {"x": 0.3, "y": 0.4, "z": 0.05})
    assert (move.skill, move.arguments) == ("move", {"x": 0.1, "y": -0.25})
    assert (home.skill, home.arguments) == ("home", {})
    assert grasp.reason == "Grasp the soup can"
    assert lines.over


def test_the_next_line_is_about_the_world_as_the_last_one_leaves_it() -> None:
    lines = begun(figure(2), "swap the bottles", "Grasp the mustard bottle 1")
    assert not sayable(lines, "Grasp the mustard bottle 2")
    assert not sayable(lines, "Go home")
    assert not sayable(lines, "Put the mustard bottle 2 aside")
    lines.say("Put the mustard bottle 1 at (0.20, 0.00)")
    lines.say("Grasp the mustard bottle 2")
    lines.say("Put the mustard bottle 2 where the mustard bottle 1 was")
    assert lines.steps[-1].arguments == {"x": 0.32, "y": -0.33}
    lines.say("Grasp the mustard bottle 1")
    assert lines.steps[-1].arguments == pytest.approx({"x": 0.2, "y": 0.0, "z": 0.095}, abs=0.006)


def test_a_plan_does_not_begin_with_its_end_and_does_not_go_round_in_circles() -> None:
    lines = begun(figure(1), "")
    assert not sayable(lines, "Go home")
    lines = begun(figure(1), "", "Grasp the soup can", "Put the soup can aside")
    assert sayable(lines, "Go home")
    assert sayable(lines, "Grasp the mustard bottle")
    assert not sayable(lines, "Grasp the soup can")


def test_what_nobody_has_spoken_of_is_left_alone() -> None:
    lines = begun(figure(2), "Give me soup can 1 and the mustard bottles.")
    assert sayable(lines, "Grasp the soup can 1")
    assert sayable(lines, "Grasp the mustard bottle 2")
    assert not sayable(lines, "Grasp the soup can 2")
    lines = begun(figure(2), "Arrange everything.")
    assert sayable(lines, "Grasp the soup can 2")


def test_what_a_critic_names_may_be_moved_too_and_does_not_make_the_rest_unsayable() -> None:
    world, collided = figure(2), "Collision detected between soup can 1 and mustard bottle 2."
    lines = KnownLines(world, world.observe(), "Move soup can 1.", collided)
    assert sayable(lines, "Grasp the mustard bottle 2")
    assert not sayable(lines, "Grasp the mustard bottle 1")
    lines = KnownLines(world, world.observe(), "Arrange everything.", collided)
    assert sayable(lines, "Grasp the mustard bottle 1")


def test_points_are_those_that_were_spoken_of_where_only_they_may_be_named() -> None:
    world = figure(1)
    lines = KnownLines(world, world.observe(), points=["(0.4, 0.10)", "(0.20, -0.30)"])
    lines.say("Grasp the soup can")
    assert sayable(lines, "Put the soup can at (0.4, 0.10)")
    assert not sayable(lines, "Put the soup can at (0.30, 0.10)")
    assert lines.say("Put the soup can at (0.4, 0.10)").arguments == {"x": 0.4, "y": 0.1}


def test_where_each_thing_has_its_place_nothing_that_was_put_aside_is_left_there() -> None:
    world = figure(2)
    swap = [
        *("Grasp the mustard bottle 1", "Put the mustard bottle 1 aside"),
        *("Grasp the mustard bottle 2", "Put the mustard bottle 2 where the mustard bottle 1 was"),
    ]
    lines, loose = (
        KnownLines(world, world.observe(), "Swap the mustard bottles.", each=each) for each in (True, False)
    )
    for line in swap:
        lines.say(line)
        loose.say(line)
    assert not sayable(lines, "Go home")
    assert sayable(lines, "Grasp the mustard bottle 1")
    assert sayable(loose, "Go home")
    lines.say("Grasp the mustard bottle 1")
    lines.say("Put the mustard bottle 1 where the mustard bottle 2 was")
    assert sayable(lines, "Go home")


def test_what_is_put_aside_once_more_is_still_aside() -> None:
    world = figure(1)
    lines = KnownLines(world, world.observe(), "The soup can and the mustard bottle.", each=True)
    for thing in ("soup can", "mustard bottle", "soup can"):
        lines.say(f"Grasp the {thing}")
        lines.say(f"Put the {thing} aside")
    assert not sayable(lines, "Go home")
    assert sayable(lines, "Grasp the mustard bottle")


def test_only_aside_is_for_the_time_being() -> None:
    lines = begun(figure(1), "", "Grasp the soup can")
    scene = lines.scene.state
    assert scene is not None
    speaking = find_ability(lines.world, Commandable)
    assert speaking is not None
    assert [saying.words for saying in speaking.commands(scene, scene) if saying.passing] == ["Put the soup can aside"]


def test_places_are_the_worlds_own_words_for_where_things_can_go() -> None:
    lines = begun(figure(1), "Move the soup can and the mustard bottle.")
    places = lines.places()
    assert {*places} >= {"where the mustard bottle was", "next to the mustard bottle", "next to the soup can", "aside"}
    assert not any("{" in place for place in places)
    lines.say("Grasp the soup can")
    assert {*lines.places()} == {"where the mustard bottle was", "next to the mustard bottle", "aside"}
    assert begun(ToyWorld()).places() == []


def test_on_an_empty_table_there_is_only_the_way_home() -> None:
    world = figure(1)
    lines = KnownLines(world, Observation((), {}), "Clear up.")
    assert sayable(lines, "Go home")
    assert not sayable(lines, "Grasp the soup can")


def test_a_world_inside_another_is_spoken_to_in_its_own_words() -> None:
    late = 'late = ["mug"]\nobject = [{name = "mug", x = 0.3, y = -0.4}, {name = "soup can", x = 0.3, y = 0.4}]'
    assert sayable(begun(open_world("franka", scene=late)), "Grasp the soup can")


@pytest.mark.parametrize(
    "line",
    [
        "Grasp the soup can.",
        "grasp the SOUP CAN",
        "`Grasp the soup can`",
        "Grasp the soup can: grasp((0.9, 0.9))",
        "Grasp the soup can:",
    ],
)
def test_a_line_is_understood_however_it_is_dressed(line: str) -> None:
    step = KnownLines(figure(1), figure(1).observe()).say(line)
    assert step.arguments == {"x": 0.3, "y": 0.4, "z": 0.05}
    assert step.reason.lower() == "grasp the soup can"


def test_a_line_may_be_an_action_itself() -> None:
    lines = begun(figure(1))
    assert lines.say("grasp((0.30, 0.40)) # Take the can").reason == "Take the can"
    assert sayable(lines, "Put the soup can aside")


@pytest.mark.parametrize("line", ["", "Grasp the moon", "Put the soup can aside", "Grasp the soup", "fly((0.1, 0.2))"])
def test_what_cannot_be_said_is_refused(line: str) -> None:
    lines = begun(figure(1))
    with pytest.raises(Unparseable, match=r"cannot be said now; for example: Grasp the soup can|no function 'fly'"):
        lines.say(line)
    assert lines.steps == []


def test_numbers_are_checked_like_any_other() -> None:
    lines = begun(figure(1), "", "Grasp the soup can")
    assert not sayable(lines, "Put the soup can at (0.1, 0.2)")
    assert lines.say("Put the soup can at (0.1, -0.2)").arguments == {"x": 0.1, "y": -0.2}


# Worlds without sentences of their own --------------------------------------------------------------------------------


def test_elsewhere_lines_are_the_sentences_of_the_skills_and_the_end_is_said() -> None:
    lines = begun(ToyWorld())
    assert sayable(lines, "Move the ball to the shelf.")
    assert not sayable(lines, "Done")
    step = lines.say("Move the ball to the shelf.")
    assert (step.skill, step.arguments) == ("move", {"thing": "ball", "place": "shelf"})
    assert step.reason == "Move the ball to the shelf"
    assert sayable(lines, "Done")
    assert not lines.over
    with pytest.raises(Unparseable, match="There is no object 'moon' here"):
        lines.say("Paint the moon.")


def test_where_no_skill_fits_anything_that_is_said() -> None:
    with pytest.raises(Unparseable, match="No skill fits anything"):
        KnownLines(ToyWorld(), Observation((), {})).grammar()


# Names in words -------------------------------------------------------------------------------------------------------

NAMES = ("glass 1", "glass 2", "box 1", "mug", "soup can 1", "soup can 2")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("the glass", ("glass 1", "glass 2")),
        ("all glasses and boxes", ("glass 1", "glass 2", "box 1")),
        ("glass 2, please", ("glass 2",)),
        ("the mugs", ("mug",)),
        ("soup can 1", ("soup can 1",)),
        ("soup cans and the MUG", ("mug", "soup can 1", "soup can 2")),
        ("soup can 1 and the glass", ("glass 1", "glass 2", "soup can 1")),
        ("the cans and the mug", ("mug", "soup can 1", "soup can 2")),
        ("A can, please.\nsoup can 2", ("soup can 2",)),
        ("something nice", NAMES),
        ("", NAMES),
    ],
)
def test_words_are_about_what_they_name_or_else_about_everything(words: str, meant: tuple[str, ...]) -> None:
    assert things_meant(words, NAMES) == list(meant)


def test_a_kind_is_named_by_its_own_name_and_not_by_part_of_another() -> None:
    assert names_in("two tea boxes", ["tea box", "box", "tea"], plurals=True) == ["tea box"]
    assert names_in("a can opener", ["can", "pan"], plurals=True) == ["can"]
    assert names_in("toucan", ["can"], plurals=True) == []


@pytest.mark.parametrize(
    ("words", "gone"),
    [
        ("Give me the orange.", ["orange"]),
        ("Give me the orange mug.", []),
        ("Give me the orange coloured mug and the glass jar.", []),
        ("Put the oranges next to the mug.", ["orange"]),
        ("Put the mug where the plate was.", ["plate"]),
        ("Give me the glass, then the mugs.", ["glass"]),
    ],
)
def test_a_colour_or_a_material_is_nothing_that_is_missing(words: str, gone: list[str]) -> None:
    assert (
        missing_kinds(words, ("orange", "glass", "mug", "plate", "honey jar"), ("mug 1", "mug 2", "honey jar")) == gone
    )
