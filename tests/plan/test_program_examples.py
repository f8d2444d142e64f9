"""What a world brings along for models that write programs, and what is shown where it brings nothing."""

from __future__ import annotations

from thinkaloud.plan.programs.example_choice import example_programs_of, lesson_of
from thinkaloud.plan.programs.grammar import plan_program_grammar
from thinkaloud.plan.programs.prompt import render_functions
from thinkaloud.worlds.contract import Briefing
from thinkaloud.worlds.program_examples import Lesson, LessonTurn
from thinkaloud_worlds.dishwasher import Dishwasher
from thinkaloud_worlds.tabletop.statler_rules import DOMAINS
from thinkaloud_worlds.tabletop.statler_worlds import DomainWorld
from toyworld import ToyWorld

TIDYING = Lesson(
    ("ball", "shelf"),
    (LessonTurn("Tidy up.", (("ball", "shelf"),), changes="ball is on shelf"),),
    skill="move",
    function="bring",
)


class Tidy(ToyWorld):
    """A world with a lesson of its own, in which a skill has another name."""

    briefing = Briefing(lesson=TIDYING, programs="# request: Tidy up.\n")


def test_a_world_says_what_its_programs_call_a_skill() -> None:
    world = Tidy()
    assert lesson_of(world) is TIDYING
    assert "bring(first, second)" in render_functions(world, ())
    assert '"bring("' in plan_program_grammar(world, world.observe())
    assert TIDYING.render_code(TIDYING.turns[0]) == 'bring("ball", "shelf")'
    assert example_programs_of(world) == "# request: Tidy up.\n"


def test_a_world_without_a_lesson_keeps_the_names_of_its_skills_and_is_shown_a_table() -> None:
    world = ToyWorld()
    assert "pink block" in lesson_of(world).objects
    assert " move(" in render_functions(world, ())
    assert example_programs_of(world).startswith("# request: Pure milk, please.")


def test_every_domain_has_a_lesson_about_itself() -> None:
    lessons = {domain: lesson_of(DomainWorld(domain)) for domain in DOMAINS}
    assert len({*lessons.values()}) == len(DOMAINS)
    assert [domain for domain, lesson in lessons.items() if lesson.weighed] == ["weight"]
    assert all(
        turn.query and (turn.moves or turn.say or turn.changes) for lesson in lessons.values() for turn in lesson.turns
    )


def test_dishes_are_shown_where_dishes_are_washed() -> None:
    assert "start_dishwasher()" in example_programs_of(Dishwasher())
