"""The short programs of trained models: what may be written, and which names."""

from __future__ import annotations

import pytest

from thinkaloud.methods.statler.short_grammar import short_program_grammar
from thinkaloud.models.gbnf import accepts
from thinkaloud.names import things_told_apart
from thinkaloud.plan.programs.grammar import PROGRAM_END
from thinkaloud.worlds.lessons import lesson_of
from thinkaloud.worlds.tabletop.domains import DomainWorld

THINGS = ("red block", "turquoise block", "sky blue block", "white bowl", "red bowl", "disinfector")


@pytest.fixture(scope="module")
def world() -> DomainWorld:
    return DomainWorld("disinfection")


def grammar(world: DomainWorld, query: str) -> str:
    return short_program_grammar(
        world.skills, {"object": THINGS[:3], "target": THINGS}, lesson_of(world), THINGS, query
    )


@pytest.mark.parametrize(
    "program",
    [
        'put("red block", "white bowl")',
        'put(blocks("dirty", inside("white bowl")), "table")',
        'put(["red block", "white bowl"], bowls("empty"))',
        'say(len(inside("white bowl")) - len(inside("red block")))',
        'say(under("red block") == "table")',
        'say("I do not know.")',
        'if is_("red block", "dirty"): put("red block", "white bowl")\nelse: put("red block", "table")',
        'weighs("red block", 1/2, "white bowl")',
        'weighs("red block", ">", "white bowl")',
        'match("white bowl", container("red block"), 2)',
        'placed("red block", "table", "dirty")\nmark(blocks("unknown"), "clean")',
        'put(but("red block", loose("hidden")), other(there()))',
        "undo()",
    ],
)
def test_programs_that_may_be_written(world: DomainWorld, program: str) -> None:
    assert accepts(grammar(world, "the red block and the white bowl"), program + PROGRAM_END)


@pytest.mark.parametrize(
    "program",
    [
        'put("turquoise block", "white bowl")',
        'put("red block")',
        'say(print("red block"))',
        'say("There is no green block here.")',
        'mark("red block", "nice")',
    ],
)
def test_programs_that_may_not(world: DomainWorld, program: str) -> None:
    assert not accepts(grammar(world, "the red block and the white bowl"), program + PROGRAM_END)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("put the red block in the white bowl", ["red block", "white bowl"]),
        ("put the turqoise one in the white bowl", ["white bowl", "turquoise block"]),
        ("clean the sky blue and the red block", ["sky blue block", "red block"]),
        ("put it there", []),
    ],
)
def test_names_are_found_also_where_they_are_misspelt(query: str, names: list[str]) -> None:
    assert things_told_apart(query, THINGS, misspelt=True) == names
