"""What was said in our own worlds, other colours, and what helps where a deed goes wrong."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sampling import how_many
from thinkaloud.errors import BadScene
from training.demonstrators import robots as demonstrator
from training.demonstrators.robots import (
    IN_WORLDS,
    is_kept_back,
    is_learnt_from,
    samples_of,
    sessions,
    sessions_as_they_are,
    sessions_in_worlds,
    sessions_of_half,
)
from training.robots import Conversation, Robot, Said, all_robots, read_corpus_file
from training.robots.check import check_file
from training.robots.multiplying import recolour
from training.robots.reading import all_places
from training.samples import Sample
from training.words import PLAIN_COLOURS

TABLE = """\
world tabletop seed 3
told The middle is wet.

> how many blocks
say(len(blocks))
>> the first one to the middle
pick_and_place(blocks[0], "middle")
"""
PUMP = """\
# A pump.
kind pump = left pump, right pump
skill start(pump): Start {pump}.
skill prime(pump): Fill {pump} with water.
is wet(pump): {pump} is wet
now wet(right pump)

"""
START = """\
> start the left one
start("left pump")
! It runs dry.
prime("left pump")
! The fuse is gone.
give_up()
"""


def read(folder: Path, text: str) -> Robot:
    path = folder / "pumps.txt"
    path.write_text(text, encoding="utf-8")
    return read_corpus_file(path)


# Files ----------------------------------------------------------------------------------------------------------------


def test_a_world_is_opened_with_its_seed(tmp_path: Path) -> None:
    robot = read(tmp_path, TABLE)
    assert robot.place == ("tabletop", 3) and robot.told == ("The middle is wet.",)
    first, same, other = (each.open().observe() for each in (robot, robot, replace(robot, place=("tabletop", 4))))
    assert first == same and first.objects != other.objects
    assert read(tmp_path, TABLE.replace(" seed 3", "")).place == ("tabletop", 0)


def test_a_world_may_begin_with_a_scene_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "scenes").mkdir()
    scene = '[[objects]]\nname = "oak tile"\nkind = "block"\nx = 0.1\ny = -0.5\ncolour = "red"\n'
    (tmp_path / "scenes" / "tile.toml").write_text(scene, encoding="utf-8")
    robot = read(tmp_path, TABLE.replace("told", "scene tile.toml\ntold"))
    assert robot.place == ("tabletop", 3) and robot.scene == scene
    assert robot.open().observe().objects[0] == "oak tile"
    (sample,) = samples_of(replace(robot, conversations=robot.conversations[:1]))
    assert 'objects = ["oak tile"]' in sample.text
    (other,) = samples_of(replace(robot, scene=""))
    assert "oak tile" not in other.text
    with pytest.raises(BadScene, match=r"pumps\.txt:2: there is no scene 'sofa\.toml'"):
        read(tmp_path, TABLE.replace("told", "scene sofa.toml\ntold"))


def test_no_two_places_are_the_same_scene_and_none_is_of_the_tests() -> None:
    """Benchmarks draw seeds below 1000 in the kitchen and at the real table, whose own toys are held out."""
    places = [(*place.place, place.scene) for place in all_places() if place.place is not None]
    assert len({*places}) == len(places)
    assert all(seed >= 1000 for name, seed, _ in places if name in ("kitchen", "real_table"))
    assert all(scene for name, _, scene in places if name == "real_table")


def test_every_place_of_the_corpus_is_a_world_that_is_spoken_in() -> None:
    places = all_places()
    assert len(places) > 50 and all(place.place is not None and len([*place.said]) >= 25 for place in places)
    assert not any(robot.place for robot in all_robots())


def test_what_helps_is_read_behind_the_program(tmp_path: Path) -> None:
    (turn,) = read(tmp_path, PUMP + START).said
    assert turn.program == 'start("left pump")'
    assert turn.remedies == (("It runs dry.", 'prime("left pump")'), ("The fuse is gone.", "give_up()"))
    assert turn.line == 8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("world tabletop seed three\n", r"pumps\.txt:1: a world is named as in `world tabletop seed 3`, not 'tabletop"),
        (PUMP + '> go\nstart("left pump")\n! It is dry.\n', r"pumps\.txt:8: .*the call that helps has to follow"),
        (PUMP + "> go\nundo()\n! Dry.\n! Hot.\ngive_up()\n", r"pumps\.txt:8: .*the call that helps has to follow"),
        (PUMP + "> go\n! It is dry.\ngive_up()\n", r"pumps\.txt:8: a program has to follow"),
        (PUMP + START + ">> and\n! Dry.\ngive_up()\n", r"pumps\.txt:14: a program has to follow"),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadScene, match=message):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        (START, ""),
        ('> dry?\nsay(wet("left pump"))\n! No.\ngive_up()\n', "pumps.txt:8: ! is for deeds"),
        ('> go\nstart("left pump")\n! Dry.\nprime(pumps)\n', "pumps.txt:8: ! is for deeds, and one call helps"),
        ('> go\nstart("left pump")\n! Dry.\nsay(pumps)\n', "pumps.txt:8: ! is for deeds, and one call helps"),
        ('> go\nstart("left pump")\n! Dry.\npaint("left pump")\n', "pumps.txt:8: ! is for deeds, and one call helps"),
    ],
)
def test_what_helps_is_checked(said: str, wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pumps.txt").write_text(PUMP + said, encoding="utf-8")
    *found, few = check_file(tmp_path / "pumps.txt", quiet=False)[1]
    assert "at least 25 are wanted" in few
    assert (len(found) == 1 and wrong in found[0]) if wrong else not found
    if not wrong:
        out = capsys.readouterr().out
        assert "! It runs dry. -> " in out and "! The fuse is gone. -> give_up()" in out


# Colours --------------------------------------------------------------------------------------------------------------


def test_a_colour_is_another_everywhere_at_once() -> None:
    robot = '# robot\nblocks = ["red block", "dark blue block"]\nbowls = ["blue bowl"]\n\n# "Red on blue, reddish."\n'
    samples = [Sample("x", ((robot, 'put("red block", "blue bowl")\n\n'),)), Sample("y", (("Dark blue?", " red"),))]
    seen = Counter[str]()
    for seed in range(30):
        first, second = recolour(samples, np.random.default_rng(seed))
        assert (first.family, second.family) == ("x", "y")
        blocks = re.search(r'\["(\w[\w-]*) block", "(\w[\w-]*) block"\]\nbowls = \["(\w[\w-]*) bowl"', first.text)
        assert blocks is not None
        red, dark, blue = blocks.groups()
        assert len({red, dark, blue}) == 3 and {red, dark, blue} <= {*PLAIN_COLOURS}
        assert f'"{red.capitalize()} on {blue}, reddish."' in first.text
        assert first.parts[0][1] == f'put("{red} block", "{blue} bowl")\n\n'
        assert second.parts == ((f"{dark.capitalize()}?", f" {red}"),)
        seen[red] += 1
    assert len(seen) > 15


def test_where_no_colour_is_nothing_changes() -> None:
    samples = [Sample("x", (("The scarred block is bored.", "greet()\n\n"),))]
    assert list(recolour(samples, np.random.default_rng(1))) == samples


# Samples --------------------------------------------------------------------------------------------------------------


def test_what_helps_becomes_the_next_step_of_a_sample(tmp_path: Path) -> None:
    robot = read(tmp_path, PUMP + START)
    (plain,) = samples_of(robot)
    prompt = plain.parts[0][0]
    asked = prompt + 'start("left pump")\n# failed: "Start left pump. {}"\n# next:'
    wanted = {
        (asked.format("It runs dry."), ' prime("left pump")\n\n'),
        (asked.format("The fuse is gone."), " give_up()\n\n"),
    }
    seen = Counter(next(samples_of(robot, np.random.default_rng(seed))).parts[-1] for seed in range(60))
    assert wanted <= {*seen}
    assert 25 < sum(seen[each] for each in wanted) < 58
    assert all(each in wanted or "# next:" not in each[0] for each in seen)


def test_what_helps_is_asked_only_for_what_was_said_last(tmp_path: Path) -> None:
    robot = read(tmp_path, PUMP + START + '>> is it wet\nsay(wet("left pump"))\n')
    for seed in range(20):
        for sample in samples_of(robot, np.random.default_rng(seed)):
            assert "# next:" not in sample.text and "# failed:" not in sample.text


def test_sessions_in_worlds_are_of_worlds() -> None:
    rng, samples = np.random.default_rng(5), list[Sample]()
    while len(samples) < how_many(4, of=8):
        samples += sessions_in_worlds(rng)
    assert {sample.family for sample in samples} == {IN_WORLDS}
    assert all(sample.text.startswith("# robot\n") for sample in samples)
    assert len({sample.text for sample in samples}) == len(samples)


@pytest.mark.parametrize(("language", "changed"), [("en", True), ("de", False)])
def test_only_what_was_said_in_english_gets_other_colours(
    language: str, changed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = read(tmp_path, TABLE)
    said = Said("x", "say(len(blocks))", language)
    monkeypatch.setattr(demonstrator, "all_places", lambda: (replace(place, name="table"),))
    monkeypatch.setattr(demonstrator, "draw_said", lambda robot, rng: [Conversation((said,))])
    monkeypatch.setattr(demonstrator, "_OPINION", 0.0)
    (found,) = sessions_in_worlds(np.random.default_rng(1))
    (plain,) = samples_of(replace(place, conversations=(Conversation((said,)),)), None, IN_WORLDS)
    assert (found != plain) == changed and len(found.parts) == 1


def remembered(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """Which robots are drawn from now on, and whether they get other words."""
    drawn: list[tuple[str, bool]] = []

    def guise(robot: Robot, rng: np.random.Generator, *, renamed: bool = True) -> Robot:
        drawn.append((robot.name, renamed))
        return robot

    def talks(robot: Robot, rng: np.random.Generator) -> list[Conversation]:
        drawn.append((robot.name, False))
        return [Conversation((Said("Hallo.", "stop()", "de"),))]

    monkeypatch.setattr(demonstrator, "draw_guise", guise)
    monkeypatch.setattr(demonstrator, "draw_said", talks)
    monkeypatch.setattr(demonstrator, "samples_of", lambda robot, rng, family="": iter(()))
    return drawn


def test_places_that_are_kept_back_are_never_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, rng = remembered(monkeypatch), np.random.default_rng(2)
    for _ in range(1200):
        assert not list(sessions_in_worlds(rng))
    kept = {place.name for place in all_places() if is_kept_back(place)}
    assert kept and not kept & {name for name, _ in drawn}
    assert {name for name, _ in drawn} == {place.name for place in all_places() if is_learnt_from(place)}


def test_ablations_leave_out_other_words_or_half_of_the_robots(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, rng = remembered(monkeypatch), np.random.default_rng(3)
    learnt = [robot.name for robot in all_robots() if is_learnt_from(robot)]
    ways = ((sessions, True, learnt), (sessions_as_they_are, False, learnt), (sessions_of_half, True, learnt[::2]))
    for draw, renamed, robots in ways:
        drawn.clear()
        for _ in range(150):
            assert not list(draw(rng))
        assert {changed for _, changed in drawn} == {renamed}
        names = {name for name, _ in drawn}
        assert names <= {*robots} and len(names) > 75
    assert {"ablation.plain": sessions_as_they_are, "ablation.half": sessions_of_half}.items() <= {
        each.name: each.samples for each in demonstrator.DEMONSTRATORS
    }.items()
