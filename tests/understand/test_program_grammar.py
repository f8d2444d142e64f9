"""The grammar of programs: what the language can say is in it, and so is every way out."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from development_robots import DEVELOPMENT, lexicon_in
from thinkaloud.models.gbnf import accepts
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.skills.signatures import Signature
from thinkaloud.understand.prompting.examples import Example, load_examples
from thinkaloud.understand.prompting.grammar import program_grammar

WAYS_OUT = [
    *('say("yes")', 'ask("Which?", ["a", "b"])', 'note("It is heavy.")', 'cannot("There is no tea.")'),
    *("unclear()", 'keep("orchid")', 'allow("orchid")', "undo()", "stop()", 'stop("after this")', "previous()"),
    *("say(done())", "say(todo())", "say(why())"),
]


@pytest.mark.parametrize("path", DEVELOPMENT, ids=lambda path: path.stem)
def test_what_people_meant_can_be_written(path: Path) -> None:
    grammar = program_grammar(lexicon_in(path))
    requests = tomllib.loads(path.read_text())["request"]
    programs = [program for each in requests for program in each.get("programs", [each.get("program")])]
    assert len(programs) >= 15
    assert [program for program in programs if not accepts(grammar, f"{program}\n\n")] == []


@pytest.mark.parametrize("example", load_examples(), ids=lambda example: example.name)
def test_every_example_can_be_written(example: Example) -> None:
    grammar = program_grammar(example.lexicon)
    assert [said for said, program in example.turns if not accepts(grammar, f"{program}\n\n")] == []


@pytest.mark.parametrize("program", WAYS_OUT)
def test_no_robot_is_without_a_way_out(program: str) -> None:
    assert accepts(program_grammar(Lexicon()), f"{program}\n\n")
    assert accepts(program_grammar(lexicon_in(DEVELOPMENT[0])), f"{program}\n\n")


@pytest.mark.parametrize("program", ["say(secrets)", "import os", 'play("waltz"', "x.y()", "__import__()", ""])
def test_what_is_no_program_is_not_in_it(program: str) -> None:
    assert not accepts(program_grammar(lexicon_in(DEVELOPMENT[0])), f"{program}\n\n")


@pytest.mark.parametrize("program", ['sweep("floor")', 'play("polka \\"7\\"")', "if playing(songs[0]):\n    hum()"])
def test_what_the_robot_does_not_have_can_be_named(program: str) -> None:
    """Held to the skills that there are, a model would have to do something else."""
    assert accepts(program_grammar(lexicon_in(DEVELOPMENT[0])), f"{program}\n\n")


@pytest.mark.parametrize(
    "program", ['say(frozen("waltz"))', "play([s for s in songs if frozen(s)])", "play(lullabies_2())"]
)
def test_what_the_robot_cannot_tell_is_no_part_of_a_program(program: str) -> None:
    """It is said with `cannot`; such a name was always a slip."""
    assert not accepts(program_grammar(lexicon_in(DEVELOPMENT[0])), f"{program}\n\n")


def test_a_name_of_ours_that_the_robot_has_is_written_with_an_underscore() -> None:
    stop = Signature("stop", "Stop the belt.", (), "Stop.")
    grammar = program_grammar(Lexicon(skills={"stop": stop}))
    assert accepts(grammar, 'stop_("after this")\n\n') and accepts(grammar, "stop()\n\n")


def test_loops_conditions_and_what_is_nested() -> None:
    grammar = program_grammar(lexicon_in(DEVELOPMENT[0]))
    program = """\
slow = [s for s in songs if tempo(s) < 100]
for song in sorted(songs, key=tempo, reverse=True)[:2]:
    if song in slow or not playing(song):
        play(song)
    else:
        dim()
if len(songs) > 2 and (tempo("waltz") - 1) * 2 == 178:
    say(max(songs, key=lambda s: tempo(s)))
elif any(playing(s) for s in songs):
    say(before([s for s in songs if playing(s)]))
else:
    unclear()

"""
    assert not accepts(grammar, program)  # a variable is a letter, or what the robot's own words give
    assert accepts(grammar, program.replace("slow", "s2"))
