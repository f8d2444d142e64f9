"""Halls: read from text, drawn by a seed, refused with their line."""

from __future__ import annotations

import asyncio
import math

import pytest

from thinkaloud.errors import BadScene
from thinkaloud.robots import open_world
from thinkaloud_worlds.warehouse import (
    KINDS,
    LANDMARKS,
    HallScene,
    Warehouse,
    draw_hall,
    open_warehouse,
    read_hall_scene,
)
from thinkaloud_worlds.warehouse.floor_geometry import KEEPS, Rect
from thinkaloud_worlds.warehouse.robot_map import Chart
from thinkaloud_worlds.warehouse.routing import breach, length, route

TOML = """
size = [12.0, 8.0]
start = [1.0, 1.0, 90]
swapped = [["dock", "press"]]

[[landmark]]
name = "dock"
x = 2.0
y = 6.5

[[landmark]]
name = "press"
x = 10.0
y = 2.0

[[shelf]]
x = 6.0
y = 4.0
length = 4.0
width = 0.8

[[wall]]
x = 6.0
y = 7.0
length = 0.2
width = 2.0

[[obstacle]]
kind = "pallet"
x = 3.2
y = 1.0

[[obstacle]]
kind = "pallet"
x = 3.2
y = 3.0
turned = true

[[late]]
kind = "robot arm"
name = "the big one"
x = 9.0
y = 4.0
length = 1.0
width = 0.5
near = 2.0
"""


def test_a_scene_is_read_from_text_and_written_again() -> None:
    scene = read_hall_scene(TOML)
    assert scene.places() == {"dock": (2.0, 6.5), "press": (10.0, 2.0)}
    assert scene.believed() == {"dock": (10.0, 2.0), "press": (2.0, 6.5)}
    assert [*scene.unexpected()] == ["pallet", "pallet 2", "the big one"]
    assert scene.obstacles[1].rect == Rect(3.2, 3.0, 0.8, 1.2)
    assert len(scene.known()) == 6
    assert read_hall_scene(scene.to_json()) == scene
    world = open_warehouse(TOML)
    world.reset(4)
    assert isinstance(world, Warehouse) and world.scene == scene
    assert asyncio.run(world.skills["wait"].run({})) == "The robot has waited."


def changed(*changes: tuple[str, str]) -> str:
    text = TOML
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"scene:1: the field `size` is missing; a scene has size, start and landmark"),
        ("size = [", r"scene:1: is not TOML"),
        ('{"size": [1,', r"scene:1: is not JSON"),
        (
            changed(("[12.0, 8.0]", "[120.0, 8.0]")),
            r"scene:2: The size is \[120\.0, 8\.0\] m; a hall must be 4 to 24 m by",
        ),
        (changed(("[12.0, 8.0]", "[nan, 8.0]")), r"scene:2: The size is"),
        (changed(("[1.0, 1.0, 90]", "[13.0, 1.0, 90]")), r"scene:3: The robot cannot start .* outside the hall"),
        (changed(("[1.0, 1.0, 90]", "[1.0, 1.0, inf]")), r"scene:3: The robot cannot start"),
        (changed(("[1.0, 1.0, 90]", "[0.2, 1.0, 90]")), r"scene:3: .* a wall or a shelf is nearer than 0\.46 m"),
        (changed(("[1.0, 1.0, 90]", "[2.4, 1.0, 90]")), r"scene:3: .* the pallet is nearer than 0\.46 m"),
        (changed(("[1.0, 1.0, 90]", '"here"')), r"scene:3: Expected `array`, got `str` for 'start'"),
        (changed(('"press"]', '"oven"]')), r"scene:4: swapped names 'oven', which is not a landmark"),
        (changed(('"press"]', '"dock"]')), r"scene:4: swapped names 'dock' twice"),
        (changed(("y = 6.5", "y = 9.5")), r"scene:6: dock is at \(2, 9\.5\), outside the hall of 12 by 8 m"),
        (changed(("y = 6.5", "y = 7.9")), r"scene:6: dock at \(2, 7\.9\) is nearer than 0\.46 m to a wall or a shelf"),
        (changed(("y = 6.5", 'y = "high"')), r"scene:6: landmark 1: Expected `float`, got `str` for 'y'; an entry of"),
        (changed(('name = "press"', 'name = "Dock"'), ('"press"]', '"Dock"]')), r"scene:11: Two landmarks are called"),
        (changed(('name = "press"', 'name = ""'), ('"press"]', '""]')), r"scene:11: '' is no usable name"),
        (changed(("x = 10.0\ny = 2.0", "x = 2.1\ny = 6.5")), r"scene:11: press and dock are nearer .* than 0\.6 m"),
        (changed(("length = 4.0", "length = 0")), r"scene:16: shelf: a side is 0 m; sides must be 0\.05 to 24 m"),
        (
            changed(("length = 4.0", "depth = 4.0")),
            r"scene:16: shelf 1: it contains unknown field `depth`; an entry of",
        ),
        (
            changed(("x = 3.2\ny = 1.0", "x = 6.0\ny = 4.0")),
            r"scene:28: pallet stands in a wall or a shelf at \(6, 4\)",
        ),
        (changed(("y = 3.0", "y = 1.5")), r"scene:33: pallet 2 and pallet are in the same place"),
        (
            changed(("length = 1.0\n", "")),
            r"scene:39: 'robot arm' needs length and width; kinds with known sizes are: bag",
        ),
        (changed(("near = 2.0", "")), r"scene:39: the big one comes late: give either `after`, in seconds"),
        (changed(("near = 2.0", "near = 2.0\nafter = 1")), r"scene:39: the big one comes late: give either"),
        (changed(("near = 2.0", "after = -1")), r"scene:39: the big one comes at -1"),
        (changed(("near = 2.0", "when = 1")), r"scene:39: late 1: it contains unknown field `when`"),
        (TOML.replace("[[landmark]]", "[[place]]"), r"scene:1: .*landmark.* missing|scene:\d+: it contains unknown"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(BadScene, match=said):
        read_hall_scene(text)


def test_json_says_its_line_too() -> None:
    text = read_hall_scene(TOML).to_json().replace('{"kind"', '\n{"kind"').replace('"y":3.0', '"y":1.5')
    with pytest.raises(BadScene, match=r"hall\.json:3: pallet 2 and pallet are in the same place"):
        read_hall_scene(text, "hall.json")


def test_a_hall_without_landmarks_is_none() -> None:
    with pytest.raises(BadScene, match="somewhere to go"):
        Warehouse(HallScene((8.0, 6.0), (1.0, 1.0, 0.0), ()))
    with pytest.raises(BadScene, match="somewhere to go"):
        open_world("warehouse", scene="size = [8, 6]\nstart = [1, 1, 0]\nlandmark = []")


# Drawn halls ----------------------------------------------------------------------------------------------------------


def known_to_all(scene: HallScene) -> Chart:
    chart = Chart(scene.size, scene.known())
    for each in scene.unexpected().values():
        chart.place(each.rect, 0)
    return chart


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(2))
def test_drawn_halls_can_be_and_every_landmark_can_be_reached(seed: int) -> None:
    scene = draw_hall(seed, late=1, swapped=True)
    scene.check()
    assert 4 <= len(scene.landmarks) <= 8
    assert 2 <= len(scene.obstacles) <= 5 and len(scene.late) == 1 and len(scene.swapped) == 1
    assert {each.name for each in scene.landmarks} <= {*LANDMARKS}
    chart, start = known_to_all(scene), (scene.start[0], scene.start[1])
    assert all(route(chart, start, place) for place in scene.places().values())


def test_seeds_draw_different_halls_and_each_its_own() -> None:
    draw_hall.cache_clear()
    first = draw_hall(5)
    draw_hall.cache_clear()
    assert draw_hall(5) == first
    assert len({draw_hall(seed).to_json() for seed in (0, 1, 5)}) == 3


def test_what_is_to_be_shut_in_is_the_last_landmark_and_the_others_are_not() -> None:
    scene = draw_hall(3, shut=True)
    chart, start = known_to_all(scene), (scene.start[0], scene.start[1])
    *others, last = scene.places().values()
    assert all(route(chart, start, place) for place in others)
    assert route(chart, start, last) is None
    assert route(Chart(scene.size, scene.known()), start, last), "it is not on the map"


def test_there_are_names_and_kinds_enough() -> None:
    assert len({*LANDMARKS}) == len(LANDMARKS) >= 40
    assert len(KINDS) >= 10


# Paths ----------------------------------------------------------------------------------------------------------------


def test_a_path_keeps_its_distance_and_is_hardly_longer_than_it_has_to_be() -> None:
    chart = Chart((10.0, 6.0), [Rect(5.0, 0.0, 10.0, 0.0), Rect(5.0, 6.0, 10.0, 0.0), Rect(5.0, 2.0, 1.0, 4.0)])
    path = route(chart, (2.0, 2.0), (8.0, 2.0))
    assert path is not None and path[0] == (2.0, 2.0) and path[-1] == (8.0, 2.0)
    shortest = 2 * math.dist((2.0, 2.0), (4.5, 4.0 + KEEPS)) + 1.0  # hardly: the corners are round
    assert 0.95 * shortest < length(path) < 1.12 * shortest
    assert all(chart.room_at(*point) >= KEEPS for point in path)
    straight = route(chart, (1.0, 5.2), (9.0, 5.2))
    assert straight == ((1.0, 5.2), (9.0, 5.2))


def test_where_there_is_no_path_the_way_through_least_is_told() -> None:
    chart = Chart((10.0, 6.0), [Rect(5.0, 1.0, 0.2, 2.0), Rect(5.0, 5.0, 0.2, 2.0)])
    assert route(chart, (2.0, 3.0), (8.0, 3.0)) is not None
    chart.place(Rect(5.0, 3.0, 0.2, 1.9), 4)
    assert route(chart, (2.0, 3.0), (8.0, 3.0)) is None
    through = breach(chart, (2.0, 3.0), (8.0, 3.0))
    assert through is not None
    assert 4 in {chart.owner_at(*point) for point in through if chart.room_at(*point) < KEEPS}
    assert breach(Chart((10.0, 6.0), [Rect(5.0, 3.0, 0.2, 6.0)]), (2.0, 3.0), (8.0, 3.0)) is None
