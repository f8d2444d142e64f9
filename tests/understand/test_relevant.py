"""In a home with hundreds of things, what a request needs is shown to the model; and that in few words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from thinkaloud.program.lexicon import THINGS, lexicon_of
from thinkaloud.robots import open_world
from thinkaloud.understand.prompting.prompt import render_prompt
from thinkaloud.understand.relevant import find_relevant
from thinkaloud.worlds import World
from thinkaloud.worlds.full_world import FullWorld

REQUESTS = {
    "Put the apple in the fridge.": ("apple", "fridge"),
    "Could you turn off every lamp in the house?": ("table lamp 2", "floor lamp", "wall lamp 4"),
    "Get me something to read.": ("book", "novel", "newspaper"),
    "Close all the curtains in the bedroom.": ("curtain", "curtain 10", "bedroom"),
    "Charge my phone.": ("cell phone", "phone"),
    "Put the folder into the filing cabinet.": ("folder", "filing cabinet"),
}
UNNAMED = {
    "Bring a cold beer to the couch.": "sofa",
    "I am thirsty.": "glass",
    "Throw it in the trash.": "garbage can",
    "Print the letter.": "printer",
    "Play some music.": "guitar",
    "Do the laundry.": "washing machine",
}


@pytest.fixture(scope="module")
def home() -> Iterator[World]:
    world = open_world("household")
    world.reset(1)
    yield FullWorld(world)


@pytest.mark.parametrize("said", REQUESTS)
def test_what_is_named_is_shown_first(said: str, home: World) -> None:
    found = find_relevant(home, home.observe(), [said])
    assert found is not None and {*REQUESTS[said]} <= {*found}
    assert len(found) <= 50


@pytest.mark.parametrize("said", UNNAMED)
def test_what_is_not_named_can_be_thought_of(said: str, home: World) -> None:
    scene = home.observe()
    lexicon = lexicon_of(home, scene, about=find_relevant(home, scene, [said]))
    assert UNNAMED[said] in lexicon.kinds[THINGS]
    prompt = render_prompt(lexicon, [], said, explained=False)
    assert f'"{UNNAMED[said]}"' in prompt
    assert len(prompt) < 9500  # letters: about 2,600 tokens


def test_a_list_says_that_there_is_more_of_it(home: World) -> None:
    scene = home.observe()
    lexicon = lexicon_of(home, scene, about=["light 2"])
    assert "lights" in lexicon.partial
    assert 'lights = ["light 2", ...]' in render_prompt(lexicon, [], "Lights!", explained=False)


def test_few_things_are_all_shown() -> None:
    world = open_world("dishwasher")
    world.reset(0)
    assert find_relevant(world, world.observe(), ["Wash up."]) is None
