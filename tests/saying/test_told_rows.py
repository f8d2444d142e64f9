"""Each of several names in a row has the article that one of them would have."""

from __future__ import annotations

import pytest

from said import garden, meaning_of
from thinkaloud.program.lexicon import lexicon_of
from thinkaloud.program.parsing import parse_program
from thinkaloud.saying.answering import Phrases
from thinkaloud.saying.retelling import Retelling
from thinkaloud.worlds.full_world import FullWorld


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ('if wet("fern"):\n    water(["fern", "rose"])', "the fern and the rose"),
        ('once(clock("18:30"), water(["fern", "rose", "cactus"]))', "the fern, the rose and the cactus"),
        ('never(prune("rose"))', "by any number of centimetres"),
        ("say(abilities())", "I can water a plant; "),
    ],
)
def test_what_is_told_has_articles_and_numbers(program: str, told: str) -> None:
    meaning = meaning_of(program)
    world = FullWorld(garden())
    lexicon = lexicon_of(world, world.observe())
    again = Retelling(Phrases(lexicon, world.relations)).tell(parse_program(program, lexicon)) or ""
    assert told in f"{meaning.words} {again}"
