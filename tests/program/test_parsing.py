"""Programs as typed trees: parsed once, with errors that name the line, and rendered back."""

from __future__ import annotations

import pytest

from said import garden
from thinkaloud.errors import CodeRefused
from thinkaloud.program import tree
from thinkaloud.program.lexicon import Lexicon, lexicon_of
from thinkaloud.program.parsing import parse_program, read_expression, with_name
from thinkaloud.worlds.full_world import FullWorld


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    whole = FullWorld(garden())
    return lexicon_of(whole, whole.observe(), guidelines=("Tea",))


@pytest.mark.parametrize(
    "program",
    [
        "water([p for p in plants if not wet(p) and height(p) > 3])",
        'prune("fern", cm=2)',
        "say(any(wet(p) for p in plants))",
        "say(min(plants, key=height))",
        "say(sorted(plants, key=lambda p: -height(p), reverse=True)[1:])",
        "say(before(height(plants[0])) - (2 + 3) * 4 / 5)",
        'water(any_of("plant", n=2))',
        'water(the("plant", [p for p in plants if not wet(p)]))',
        'if wet("fern"):\n    water("rose")\nelif wet("rose"):\n    note("Hm.")\nelse:\n    say(done())',
        "for p in plants:\n    if not wet(p):\n        water(p)",
        'young = sorted(plants, key=height)\nwater(young[:len(young) // 2])\nask("Which?", young)',
        'never(water("fern"), above=2, until=wet("rose"))\nallow(water("rose"))\nallow("fern")\nkeep(plants)',
        'prune("fern", amount(2, "inch"))',
        'ask("", ["fern"])\nask("Which?")\nundo()\nstop()\nsay()',
        'undo(2)\nprevious()\nstop("after this")\nunclear()\ncannot("No.")',
        'order("taro", no=["milk"])\nchange(exactly=["3 plate"])',
        'say(1 if wet("fern") and not (wet("rose") or wet("cactus")) else -2)',
        'say([[p, w] for p in plants for w in windows if p not in ["fern"]])',
    ],
)
def test_a_program_is_rendered_as_it_was_written(program: str, lexicon: Lexicon) -> None:
    read = parse_program(program, lexicon)
    assert str(read) == program
    assert parse_program(str(read), lexicon) == read


def test_names_are_told_apart_by_what_the_robot_has(lexicon: Lexicon) -> None:
    (deed,) = parse_program("water([p for p in plants if wet(p)])", lexicon).statements
    wet = tree.Call("wet", "relation", (tree.Variable("p"),))
    dry = tree.Each(tree.Variable("p"), (tree.Loop("p", tree.Things("plants"), (wet,)),))
    assert deed == tree.Do(tree.Call("water", "skill", (dry,)))
    assert read_expression("height(plants)", lexicon) == tree.Call("height", "measure", (tree.Things("plants"),))
    assert read_expression("rusty(", lexicon) is None


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ('water("fern")\nwater(', "Line 2"),
        ('water("fern")\nsay(x.upper())', "Line 2"),
        ("say()\nnote()", "Line 2: note is missing a required argument: text."),
        ('undo(1, 2)\nwater("fern")', "Line 1: undo was given too many arguments; it takes count."),
        ('water("fern")\nnever(plants)', "Line 2: never takes a call of a skill"),
        ("say(" + "not " * 50 + "wet('fern'))", "nested too deeply"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(program: str, why: str, lexicon: Lexicon) -> None:
    with pytest.raises(CodeRefused) as refused:
        parse_program(program, lexicon)
    assert why in str(refused.value)


def test_a_noun_becomes_a_name_in_texts_and_descriptions(lexicon: Lexicon) -> None:
    program = parse_program('water("plant")\nwater(the("plant"))\nnote("a plant")', lexicon)
    assert with_name(program, "plant", "fern").text == 'water("fern")\nwater("fern")\nnote("a plant")'
    assert with_name(program, "tree", "fern") is program
