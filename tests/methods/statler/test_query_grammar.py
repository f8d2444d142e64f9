"""The grammar of programs that ask the state: every program of the lessons is in it, and what makes no sense is not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from program_conversation import table
from thinkaloud.methods.statler.forms import StateForm
from thinkaloud.methods.statler.query_grammar import query_grammar
from thinkaloud.models.gbnf import accepts
from thinkaloud.monologue import Monologue
from thinkaloud.names import things_told_apart
from thinkaloud.plan.programs.grammar import PROGRAM_END, plain_bodies, program_grammar
from thinkaloud.worlds import World
from thinkaloud.worlds.lessons import lesson_of
from thinkaloud.worlds.tabletop.rules import DOMAINS
from toyworld import ToyWorld

OBJECTS = ("red block", "blue block", "light blue block", "rubik's cube", "red bowl", "disinfector")


def asking(world: World, objects: Sequence[str], mentioned: Sequence[str] = ()) -> str:
    return query_grammar(world.skills, world.observe().vocabulary, lesson_of(world), objects, mentioned)


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_program_of_a_lesson_can_be_written(domain: str) -> None:
    lesson = lesson_of(table(domain))
    world = table(domain, *lesson.objects)
    noted = StateForm(world, trained=False).grammar(world.observe(), Monologue(world.clock))
    for turn in lesson.turns:
        named, code = things_told_apart(turn.query, lesson.objects), lesson.render_code(turn)
        assert accepts(asking(world, lesson.objects, named), turn.program + PROGRAM_END), turn.query
        notes = "\n".join(filter(None, [code, f'update_wm("{turn.update}")' if turn.update else ""]))
        assert accepts(noted, notes + PROGRAM_END), turn.query
        assert accepts(program_grammar(plain_bodies(world, world.observe())), (code or "noop()") + PROGRAM_END), (
            turn.query
        )


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
    objects = ("red block", "blue block", "green block", "white bowl", "black bowl")
    assert not accepts(asking(world, objects), program + PROGRAM_END)
    assert not accepts(program_grammar(plain_bodies(world, world.observe())), program + PROGRAM_END)


def test_a_program_names_only_what_the_query_names() -> None:
    world = table("pick_and_place")
    objects = ("red block", "blue block", "white bowl", "black bowl")
    grammar = asking(world, objects, things_told_apart("Put the red block in the white bowl", objects))
    assert accepts(grammar, 'put_first_on_second("red block", "white bowl")' + PROGRAM_END)
    assert accepts(grammar, 'put_first_on_second("red block", bowls(is_="empty"))' + PROGRAM_END)
    assert not accepts(grammar, 'put_first_on_second("blue block", "white bowl")' + PROGRAM_END)


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
    assert things_told_apart(query, OBJECTS) == things


def test_a_robot_with_other_skills_is_offered_those() -> None:
    world = ToyWorld()
    grammar = asking(world, world.observe().objects)
    assert accepts(grammar, 'move("ball", "shelf")' + PROGRAM_END)
    assert not accepts(grammar, 'put_first_on_second("ball", "shelf")' + PROGRAM_END)
