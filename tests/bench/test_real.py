"""The table seen from the wrist, what eyes find in pictures, and any benchmark through a camera."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from thinkaloud.errors import BadInput, BadSettings, UnknownName
from thinkaloud.models import Scripted
from thinkaloud.settings import Settings
from thinkaloud.worlds.vision import Appearance, Sight, Sighting, View
from thinkaloud_bench import BENCHES, Item, Played, run_bench
from thinkaloud_bench.contract import CEILING
from thinkaloud_bench.detectors import _SCENES, count_found
from thinkaloud_bench.inner_monologue_real import Sorted, Stacked
from thinkaloud_bench.playing import Plays
from thinkaloud_bench.running import items_of
from thinkaloud_bench.staged_pictures import picture_dishes, picture_kitchen
from thinkaloud_bench.visible_things import find_visible
from thinkaloud_worlds.real_table import RealTable

REAL, EYES = BENCHES["inner-monologue-real"], BENCHES["detectors"]


def no_model() -> Scripted:
    raise AssertionError("nobody asks a model here")


def test_the_expert_stacks_by_what_it_sees_and_needs_no_model() -> None:
    played: Played = asyncio.run(REAL.play(Item(CEILING, "stacking", 0, 7), no_model))
    assert played.success and 1 <= played.steps <= 15 and played.calls == 0


def test_a_planner_that_is_told_of_success_tries_again_and_one_that_is_not_does_not() -> None:
    table = RealTable(task="stacking")
    table.reset(7)
    high, third = table.physics.names[1:]
    move, stop = f' robot.pick_place("{third}", "{high}")', " robot.stop()"
    tries = asyncio.run(REAL.play(Item("inner_monologue:feedback=success", "stacking", 0, 7), lambda: Scripted(_until)))
    assert tries.success
    once = asyncio.run(
        REAL.play(Item("inner_monologue:feedback=object", "stacking", 0, 7), lambda: Scripted([move, stop]))
    )
    assert once.steps == 1 and tries.steps >= once.steps


def _until(prompt: str) -> str:
    """Puts the second thing that is seen on the first, until that has worked; if need be, the other way round."""
    last = prompt[prompt.rindex("Task:") :]
    one, other = last.split('["')[1].split('"]')[0].split('", "')[:2]
    table = RealTable(task="stacking")
    table.reset(7)
    object, target = (one, other) if table.physics.names[1] == other else (other, one)
    return " robot.stop()" if "action: True" in last else f' robot.pick_place("{object}", "{target}")'


def test_three_blocks_are_a_tower_only_if_they_really_are_one() -> None:
    table = RealTable(task="stacking", steady=True)
    table.reset(1)
    goal, (low, high, third) = Stacked(table), table.physics.names
    assert not goal.met() and (third, high) in goal.moves()
    x, y, z = table.physics.position(high)
    table.physics.put(third, (x, y, z + 0.021))
    assert goal.met()
    table.physics.put(high, (x, y - 0.15, 0.0))
    assert not goal.met() and low in {name for move in goal.moves() for name in move}


def test_fruits_and_bottles_are_sorted_on_the_plates_that_the_request_names() -> None:
    table = RealTable(task="sorting", steady=True)
    table.reset(1)
    goal, full = Sorted(table), table.scene.objects[-1].on
    empty = [name for name in table.bowls if name != full]
    assert not goal.met() and len(goal.moves()) == 6
    for way in (empty, empty[::-1], [full, empty[0]]):
        for at, name in enumerate(
            ("apple", "strawberry", "plum", "ketchup bottle", "mustard bottle", "soft drink bottle")
        ):
            x, y, _ = table.physics.position(way[at // 3])
            table.physics.put(name, (x + 0.05 * (at % 3 - 1), y, 0.006))
        assert goal.met() == (way == empty)
    assert isinstance(REAL.play, Plays)
    request = REAL.play.set_up(Item("ceiling", "sorting", 0, 1)).request
    assert [request.index(plate) for plate in empty] == sorted(request.index(plate) for plate in empty)
    assert full not in request


def test_the_paper_stands_beside_in_all_four_columns() -> None:
    assert len(REAL.paper["success"]) == 4 and REAL.paper["success"]["open_loop"] == {"stacking": 0.2, "sorting": 0.2}
    assert {*REAL.paper["success"]} <= {*REAL.presets}


# Detectors ------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("task", sorted(EYES.tasks))
def test_a_picture_is_judged_by_what_can_truly_be_seen(task: str) -> None:
    played: Played = asyncio.run(EYES.play(Item("camera", task, 0, 4), no_model))
    scores = played.scores
    assert 0 <= scores["right"] <= min(scores["said"], scores["visible"]) and scores["agreed"] <= scores["asked"]
    least = {"poor": 1, "kitchen": 0}
    assert scores["right"] >= least.get(task, scores["visible"] - 1)


def test_the_hidden_block_is_not_counted_as_visible() -> None:
    photo, catalogue, physics = _SCENES["stacking"](4)
    assert find_visible(photo, catalogue, physics) == {*physics.names[1:]}


def test_what_is_found_twice_or_wrongly_or_not_at_all_is_counted() -> None:
    looks = [Appearance(name, (0, 0, 0), 0.1, 0.1) for name in ("a", "b", "c", "d")]
    box = (0, 0, 1, 1)
    sight = Sight(tuple(Sighting(name, box, None) for name in ("a", "a", "b")))
    found = count_found(sight, {"a", "c"}, looks)
    assert found == {"right": 1, "said": 3, "visible": 2, "agreed": 2, "asked": 5}


def test_in_the_kitchen_a_find_counts_only_where_the_thing_is() -> None:
    picture = picture_kitchen(4)
    true = [Sighting(name, box, None) for name, box, share in picture.shown if share >= 0.25]
    best = picture.count(Sight(tuple(true)))
    assert best["right"] == best["said"] == best["visible"] == len(true) > 3
    assert best["agreed"] == best["asked"] and best["right_covered"] == best["covered"]
    none = picture.count(Sight())
    assert none["said"] == none["right"] == 0 and none["agreed"] == best["asked"] - len(true)
    beside = picture.count(Sight((Sighting(true[0].name, (0, 0, 2, 2), None),)))
    assert (beside["right"], beside["said"]) == (0, 1)
    shown = {name for name, _, _ in picture.shown}
    absent = next(look.name for look in picture.catalogue if look.name not in shown)
    assert picture.count(Sight((Sighting(absent, true[0].box, None),)))["right"] == 0


def test_kitchen_pictures_show_clear_and_covered_things_and_what_is_hardly_visible_is_not_counted() -> None:
    pictures = [picture_kitchen(seed) for seed in range(9)]
    scores = [picture.count(Sight()) for picture in pictures]
    assert sum(each["covered"] for each in scores) >= 3 < sum(each["clear"] for each in scores)
    assert all(len(each.catalogue) == 15 and each.visible() for each in pictures)
    hidden = [(each, name, box) for each in pictures for name, box, _ in each.shown if name not in each.visible()]
    picture, name, box = hidden[0]
    assert picture.count(Sight((Sighting(name, box, None),)))["said"] == 0


def test_at_the_dishwasher_every_thing_of_a_kind_counts_and_is_found_once() -> None:
    pictures = [picture_dishes(seed) for seed in range(10)]
    assert {name for each in pictures for name in each.visible()} == {"plate", "bowl", "cup", "fork", "knife", "spoon"}
    picture = max(pictures, key=lambda each: len(each.shown))
    true = [Sighting(name, box, None) for name, box, share in picture.shown if share >= 0.25]
    best = picture.count(Sight(tuple(true)))
    assert best["right"] == best["said"] == best["visible"] == len(true) > len(picture.visible())
    twice = picture.count(Sight((true[0], true[0])))
    assert (twice["right"], twice["said"]) == (1, 2)
    wrong = next(name for name, _, _ in picture.shown if name != true[0].name)
    assert picture.count(Sight((Sighting(wrong, true[0].box, None),)))["right"] == 0


def test_columns_are_eyes_and_others_are_named() -> None:
    assert items_of(EYES, ["camera"], ["stacking"], 1, 0)
    with pytest.raises(UnknownName, match="There is no eye 'inner_monologue'"):
        items_of(EYES, ["inner_monologue"], None, 1, 0)


# Any benchmark through a camera ---------------------------------------------------------------------------------------


def run(name: str, eyes: str, tmp_path: Path, **more: object) -> object:
    given = {"presets": [CEILING], "model": "scripted", "episodes": 1, "seed": 0, "jobs": 1, "episodes_file": None}
    silent = {"settings": Settings(tmp_path), "progress": lambda *_: None, "out": tmp_path / "out"}
    return run_bench(name, eyes=eyes, **{**given, **silent, **more})  # type: ignore[arg-type]


def test_the_robots_of_a_benchmark_can_see_through_a_camera(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[View] = []

    class Noticing:
        def look(self, view: View, catalogue: object) -> Sight:
            looked.append(view)
            return Sight()

    monkeypatch.setattr("thinkaloud_bench.lost_where.open_eyes", lambda text: Noticing())
    run("inner-monologue-tabletop", "camera", tmp_path, tasks=["bowl"])
    assert looked
    with pytest.raises(BadInput, match="eyes"):  # what was played with other eyes is another run
        run("inner-monologue-tabletop", "", tmp_path, tasks=["bowl"])


def test_where_no_robot_has_a_camera_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="has no robot with a camera"):
        run("shell-game", "camera", tmp_path, presets=["plain"])
    with pytest.raises(UnknownName, match="no eye 'nose'"):
        run("inner-monologue-tabletop", "nose", tmp_path)
    with pytest.raises(BadSettings, match="no camera to see through"):
        run("itp", "camera", tmp_path, tasks=None)
