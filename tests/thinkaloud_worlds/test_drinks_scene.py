"""Scenes of the drinks world: read strictly, and what is wrong is said with its line."""

from __future__ import annotations

import pytest

from thinkaloud.errors import BadScene
from thinkaloud_worlds.drinks import CounterScene, Ingredient, read_counter_scene
from thinkaloud_worlds.drinks.scene import DEFAULT_COUNTER


def test_a_scene_goes_through_json_and_toml() -> None:
    assert CounterScene.from_json(DEFAULT_COUNTER.to_json()) == DEFAULT_COUNTER
    toml = 'vessel = "bowl"\n[[ingredients]]\nname = "rice"\ncontainer = "tub"\n[places]\nwork = "board"\n'
    scene = read_counter_scene(toml)
    assert scene.ingredients == (Ingredient("rice", "tub"),)
    assert scene.ingredients[0].portion == 40.0
    assert (scene.called.stack, scene.called.work, scene.called.waste) == ("bowl stack", "board", "waste bin")


def scene(ingredient: str = '{"name": "milk", "container": "bottle"}', more: str = "") -> str:
    return f'{{\n"ingredients": [\n{ingredient}\n]{more}}}'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "scene:1: is not JSON"),
        ("name = ", "scene:1: is not TOML"),
        ("{}", "ingredients"),
        ('{"ingredients": []}', "room for 1 to 14"),
        (scene('{"name": "milk"}'), "scene:.*container"),
        (scene('{"name": "milk", "container": "bucket"}'), "scene:3: milk: there is no container 'bucket'"),
        (scene('{"name": "milk", "container": "jar", "amount": 900}'), "scene:3: milk: the amount is 900 ml"),
        (scene('{"name": "milk", "container": "jar", "amount": "lots"}'), "scene:3: ingredient 1: .*'amount'"),
        (scene('{"name": "milk", "container": "jar", "colour": "red"}'), "scene:3: .*unknown field `colour`"),
        (scene('{"name": "cup 2", "container": "jar"}'), "scene:3: 'cup 2' is what a cup is called"),
        (scene('{"name": "waste bin", "container": "jar"}'), "Two things are called 'waste bin'"),
        (scene('{"name": "", "container": "jar"}'), "no usable name"),
        (scene(more=',\n"vessel": "Cup!"'), "scene:5: 'Cup!' is not usable"),
        (scene(more=',\n"vessels": 20'), "scene:5: There are 20 vessels"),
        (scene(more=',\n"detection_error": 1.0'), "scene:5: The detection error is 1.0 m"),
        (scene(more=',\n"places": {"work": "here", "finished": "here"}'), "scene:5: Two things are called 'here'"),
        (scene(more=',\n"tables": 3'), "scene:5: .*unknown field `tables`"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, says: str) -> None:
    with pytest.raises(BadScene, match=says):
        read_counter_scene(text)


def test_two_ingredients_of_one_name_are_refused() -> None:
    with pytest.raises(BadScene, match="Two things are called 'milk'"):
        CounterScene((Ingredient("milk", "jar"), Ingredient("milk", "bottle"))).check()
