"""Which changes a board marks: those since the look before, also when somebody looks back."""

from __future__ import annotations

import asyncio
from typing import Any

from thinkaloud.robots import open_world
from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.worlds import World
from thinkaloud.worlds.drawing import BoardThing, Drawing, Looks, draw, draw_board, value_sentences
from tray_robot import GREENHOUSE


def do(world: World, skill: str, **arguments: Any) -> None:
    """Have a robot do something."""
    asyncio.run(world.skills[skill].run(arguments))


def on_board(drawing: Drawing, name: str) -> BoardThing:
    """A thing on a board."""
    return next(thing for group in drawing.board for thing in group.things if thing.name == name)


def test_a_board_marks_what_the_latest_change_brought_and_what_it_ended() -> None:
    world = TextFileWorld(GREENHOUSE)
    looks = Looks([world.observe()])
    do(world, "water", tray="basil tray", amount=200)
    looks.add(world.observe())
    looks.add(world.observe())  # a look that finds nothing new leaves the marks
    drawing = draw(world, looks.latest, seen_before=looks.before)
    basil = on_board(drawing, "basil tray")
    assert (basil.fresh, basil.gone) == (
        ("The basil tray is wet.", "The water of the basil tray is 200 ml."),
        ("The water of the basil tray is 0 ml.",),
    )
    assert on_board(drawing, "mint tray") == BoardThing("mint tray", ("The water of the mint tray is 50 ml.",))


def test_who_looks_back_sees_the_changes_of_that_moment_and_none_of_later_ones() -> None:
    world = TextFileWorld(GREENHOUSE)
    seen = [world.observe()]
    for amount in (200, 60):
        do(world, "water", tray="basil tray", amount=amount)
        seen.append(world.observe())
    do(world, "dry", tray="basil tray")
    seen.append(world.observe())
    marks = []
    for at in range(len(seen)):
        looks = Looks(seen[: at + 1])
        thing = on_board(draw_board(looks.latest, before=looks.before, values=value_sentences(world)), "basil tray")
        marks.append((thing.fresh, thing.gone))
    assert marks == [
        ((), ()),
        (
            ("The basil tray is wet.", "The water of the basil tray is 200 ml."),
            ("The water of the basil tray is 0 ml.",),
        ),
        (("The water of the basil tray is 60 ml.",), ("The water of the basil tray is 200 ml.",)),
        ((), ("The basil tray is wet.",)),
    ]


def test_what_is_about_no_single_thing_is_marked_when_the_last_of_it_ends() -> None:
    world = TextFileWorld(GREENHOUSE)
    before = world.observe()
    do(world, "shut")
    drawing = draw(world, world.observe(), seen_before=before)
    (general,) = [group for group in drawing.board if not group.kind]
    assert (general.facts, general.gone, general.things) == ((), ("The roof is open.",), ())


def test_a_world_without_a_written_state_is_compared_with_its_drawing_before() -> None:
    world = open_world("walkworld:Walker")
    first = draw(world, world.observe())
    assert draw(world, world.observe(), first) == first
    do(world, "move", thing="ball", place="shelf")
    later = draw(world, world.observe(), first)
    assert on_board(later, "ball").fresh == ("Ball is on the shelf.",)
    again = draw(world, world.observe(), later)
    assert (again.version, on_board(again, "ball").fresh) == (later.version, ("Ball is on the shelf.",))
