"""The grammars of programs: every program of the lessons is in them, and what makes no sense is not."""

from __future__ import annotations

import pytest

from conversing import table
from gbnf import accepts
from thinkaloud.plan.programs.grammar import END, asking, mentioned, plain
from thinkaloud.state.lessons import LESSONS
from toyworld import ToyWorld

OBJECTS = ("red block", "blue block", "light blue block", "rubik's cube", "red bowl", "disinfector")


@pytest.mark.parametrize("domain", LESSONS)
def test_every_program_of_a_lesson_can_be_written(domain: str) -> None:
    lesson = LESSONS[domain]
    world = table(domain, *lesson.objects)
    seen = world.observe()
    for turn in lesson.turns:
        named = mentioned(turn.query, lesson.objects)
        assert accepts(asking(world.skills, seen.vocabulary, lesson.objects, named), turn.program + END), turn.query
        notes = "\n".join(filter(None, [turn.code, f'update_wm("{turn.update}")' if turn.update else ""]))
        assert accepts(plain(world.skills, seen.vocabulary, notes=True), notes + END), turn.query
        assert accepts(plain(world.skills, seen.vocabulary, notes=False), (turn.code or "noop()") + END), turn.query
        thinks = "# 1. something\n# 2. nothing changes\n" + (turn.code or "noop()") + END
        assert accepts(plain(world.skills, seen.vocabulary, notes=False, thoughts=2), thinks)


@pytest.mark.parametrize(
    "program",
    [
        'put_first_on_second("red block", "red block")',
        'put_first_on_second("white bowl", "red block")',
        'put_first_on_second("pink block", "white bowl")',
        "import os",
        'say(under(under(under("red block"))))',
    ],
)
def test_what_makes_no_sense_cannot_be_written(program: str) -> None:
    world = table("pick_and_place")
    scene = world.observe()
    objects = ("red block", "blue block", "green block", "white bowl", "black bowl")
    assert not accepts(asking(world.skills, scene.vocabulary, objects), program + END)
    assert not accepts(plain(world.skills, scene.vocabulary, notes=False), program + END)


def test_a_program_names_only_what_the_query_names() -> None:
    world = table("pick_and_place")
    vocabulary, objects = world.observe().vocabulary, ("red block", "blue block", "white bowl", "black bowl")
    grammar = asking(world.skills, vocabulary, objects, mentioned("Put the red block in the white bowl", objects))
    assert accepts(grammar, 'put_first_on_second("red block", "white bowl")' + END)
    assert accepts(grammar, 'put_first_on_second("red block", bowls(is_="empty"))' + END)
    assert not accepts(grammar, 'put_first_on_second("blue block", "white bowl")' + END)


@pytest.mark.parametrize(
    ("query", "things"),
    [
        ("Put the red block on the blue block", ["red block", "blue block"]),
        ("put the BLUE block in the red bowl.", ["blue block", "red bowl"]),
        ("The blue and the red block are dirty", ["blue block", "red block"]),
        ("Put the light blue block away", ["light blue block", "blue block"]),
        ("move the cube into the disinfector", ["rubik's cube", "disinfector"]),
        ("put all the blocks in the bowl", ["red bowl"]),
        ("Put the Rubiks cube on the red block.", ["rubik's cube", "red block"]),
        ("Räum auf!", []),
    ],
)
def test_the_things_that_a_query_names(query: str, things: list[str]) -> None:
    assert mentioned(query, OBJECTS) == things


def test_a_robot_with_other_skills_is_offered_those() -> None:
    world = ToyWorld()
    grammar = asking(world.skills, world.observe().vocabulary, world.observe().objects)
    assert accepts(grammar, 'move("ball", "shelf")' + END)
    assert not accepts(grammar, 'put_first_on_second("ball", "shelf")' + END)
