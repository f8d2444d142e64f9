"""Episodes of the seed: the same each time, different from each other, and well posed by the world's own geometry."""

from __future__ import annotations

import json
import re
from functools import cache
from math import hypot

import msgspec
import pytest

from thinkaloud_bench import BENCHES
from thinkaloud_bench.multitalk import GENERATED_TASKS, PAPER_TASKS
from thinkaloud_bench.multitalk.episodes import At, AtRest, InRegion, Lined, Swapped, TalkEpisode, things_of_goal
from thinkaloud_bench.multitalk.generating import MAKERS, draw_request, phrasings
from thinkaloud_bench.multitalk.generating.table import number_things
from thinkaloud_bench.multitalk.reach import course
from thinkaloud_worlds.franka import CATALOGUE, Franka, reaches, read_franka_scene
from thinkaloud_worlds.franka.layout import TABLE_X, TABLE_Y, outside

SEEDS = range(1, 17)


@cache
def episodes(task: str) -> list[TalkEpisode]:
    return [draw_request(task, seed, seed) for seed in SEEDS]


def kinds(episode: TalkEpisode) -> dict[str, str]:
    return {each["name"]: each["kind"] for each in episode.scene["object"]}


def places(episode: TalkEpisode) -> dict[str, tuple[float, float]]:
    return {each["name"]: (each["x"], each["y"]) for each in episode.scene["object"]}


def test_every_task_has_a_maker() -> None:
    assert (
        [*MAKERS] == [*PAPER_TASKS, *GENERATED_TASKS] == [name for name in BENCHES["multitalk"].tasks if name != "file"]
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("task", MAKERS)
def test_the_same_seed_gives_the_same_episode_and_another_another(task: str) -> None:
    assert draw_request(task, 5, 3) == draw_request(task, 5, 3)
    assert len({json.dumps(each.scene) for each in episodes(task)}) == len(SEEDS)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("task", MAKERS)
def test_an_episode_is_plain_data_and_speaks_of_what_is_there(task: str) -> None:
    for episode in [draw_request(task, 3, 0), *episodes(task)]:
        assert msgspec.json.decode(msgspec.json.encode(episode), type=TalkEpisode) == episode
        read_franka_scene(json.dumps(episode.scene))
        assert {name for goal in episode.goal for name in things_of_goal(goal)} <= {*episode.names}
        assert {*episode.needed} <= {*episode.preferences}
        assert episode.feasible is bool(episode.goal) is not bool(episode.why)


@pytest.mark.parametrize("task", [task for task in MAKERS if task != "infeasible"])
def test_what_is_wanted_can_be_reached_and_is_not_so_yet(task: str) -> None:
    for episode in episodes(task):
        start, kind = places(episode), kinds(episode)
        for goal in episode.goal:
            match goal:
                case At(objects, x, y):
                    assert outside(x, y) is None and reaches(x, y, CATALOGUE[kind[objects[0]]].size[2])
                    assert hypot(x - start[objects[0]][0], y - start[objects[0]][1]) > 0.05
                    assert all(CATALOGUE[kind[name]].graspable for name in objects)
                case Swapped(one, other):
                    assert CATALOGUE[kind[one]].graspable and CATALOGUE[kind[other]].graspable
                case Lined(objects):
                    assert {*objects} == {*episode.names}
                case InRegion(objects, low, high):
                    x, y = start[objects[0]]
                    assert not (low[0] <= x <= high[0] and low[1] <= y <= high[1])


@pytest.mark.parametrize("task", [task for task in MAKERS if task != "blocked"])
def test_a_target_is_free(task: str) -> None:
    for episode in episodes(task):
        for goal in episode.goal:
            if isinstance(goal, At):
                rest = [at for name, at in places(episode).items() if name not in goal.objects]
                assert min((hypot(goal.x - x, goal.y - y) for x, y in rest), default=1.0) >= 0.16


def test_nothing_has_to_be_asked_where_all_is_clear() -> None:
    for episode in episodes("clear"):
        assert episode.needed == ()
        of_kind = [*kinds(episode).values()]
        for goal in episode.goal:
            for name in things_of_goal(goal):
                twice = of_kind.count(kinds(episode)[name]) > 1
                assert not twice or name in episode.request or phrasings.begin_sentence(name) in episode.request


def test_several_things_would_do_where_the_object_has_to_be_asked_for() -> None:
    found = 0
    for episode in (each for task in ("ambiguous", "soup_can", "something_to_eat") for each in episodes(task)):
        if "object" not in episode.needed:
            continue
        found += 1
        spoken = episode.request.lower()
        tags = [tag for tag, ways in phrasings.PURPOSES.items() if any(way.lower() in spoken for way in ways)]
        of_kind = [kind for kind in kinds(episode).values() if kind in spoken]
        for_it = [kind for kind in kinds(episode).values() if tags and tags[0] in CATALOGUE[kind].tags]
        assert len(of_kind) > 1 or len(for_it) > 1, episode.request
    assert found > 12


def test_a_place_that_has_to_be_asked_for_is_not_said() -> None:
    asked = [each for task in MAKERS for each in episodes(task) if "place" in each.needed]
    assert len(asked) > 25
    assert not [each.request for each in asked if any(letter.isdigit() for letter in each.request.replace(" 1", ""))]


def test_what_is_tall_stands_on_the_way_or_the_target_is_taken() -> None:
    ways = set[str]()
    for episode in episodes("blocked"):
        at, kind, goal = places(episode), kinds(episode), episode.goal[0]
        if isinstance(episode.goal[1], AtRest) and episode.goal[1].free:
            assert isinstance(goal, At)
            x, y = at[episode.goal[1].free[0]]
            assert hypot(goal.x - x, goal.y - y) < 0.02
            ways.add("taken")
            continue
        start = at[goal.first if isinstance(goal, Swapped) else things_of_goal(goal)[0]]
        end = at[goal.second] if isinstance(goal, Swapped) else (goal.x, goal.y)  # type: ignore[union-attr]
        high = [at[name] for name in at if CATALOGUE[kind[name]].tall]
        assert min(hypot(px - x, py - y) for px, py in course(start, end) for x, y in high) < 0.02
        ways.add("walled")
    assert ways == {"taken", "walled"}


def test_what_is_hidden_is_found_by_looking_again() -> None:
    late = behind = 0
    for episode in episodes("hidden")[:12]:
        if episode.scene.get("late"):
            late += 1
            assert episode.scene["late"][0] in things_of_goal(episode.goal[0])
            continue
        world = Franka(read_franka_scene(json.dumps(episode.scene)))
        thing = things_of_goal(episode.goal[0])[0]
        assert thing not in world.observe().objects
        assert thing in world.rescan().objects
        behind += 1
    assert late and behind


def test_what_cannot_be_done_really_cannot() -> None:
    reasons = set[str]()
    for episode in episodes("infeasible"):
        numbers = [float(number) for number in re.findall(r"-?\d+\.\d\d", episode.request)]
        spoken = [name for name in episode.names if name in episode.request.lower()]
        if "outside" in episode.why:
            assert outside(numbers[0], numbers[1]) is not None
        elif "arm" in episode.why:
            assert hypot(numbers[0], numbers[1]) < 0.11
        elif "too wide" in episode.why:
            assert not CATALOGUE[kinds(episode)[spoken[-1]]].graspable
        elif "there is no" in episode.why:
            assert not spoken
        else:
            assert "two places" in episode.why
        reasons.add(episode.why.split()[0] + episode.why.split()[-1])
    assert len(reasons) >= 5


def test_there_are_many_ways_to_say_a_thing() -> None:
    kinds_of_wish = [ways for name, ways in phrasings.WAYS.items() if not name.startswith("answer")]
    assert len(kinds_of_wish) >= 14
    assert all(len({*ways}) == len(ways) >= 8 for ways in kinds_of_wish)
    for task in GENERATED_TASKS:
        assert len({each.request for each in episodes(task)}) > 12


def test_the_supplements_own_scenes_come_first() -> None:
    pairs = draw_request("interchange_pairs", 0, 0)
    assert places(pairs) == {
        "mustard bottle 1": (0.32, -0.33),
        "mustard bottle 2": (0.35, 0.35),
        "soup can 1": (0.38, -0.51),
        "soup can 2": (0.40, 0.51),
    }
    eat = draw_request("something_to_eat", 0, 0)
    assert places(eat)["soup can"] == (0.3, 0.4)
    assert eat.goal[0] == At(("soup can",), 0.4, 0.45)
    assert draw_request("not_there_at_first", 0, 0).scene["late"] == ["soup can"]
    assert draw_request("straight_line", 0, 0).needed == ("direction", "order")


def test_things_of_one_kind_are_numbered() -> None:
    assert number_things(["cup", "mug", "cup"]) == ["cup 1", "mug", "cup 2"]


def test_the_table_is_the_worlds() -> None:
    assert (TABLE_X, TABLE_Y) == ((-0.15, 0.45), (-0.62, 0.62))
