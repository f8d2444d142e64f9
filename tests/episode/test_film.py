"""Films: bounded, and without a trace in the world."""

from pathlib import Path

from PIL import Image

from thinkaloud.episode.film import MOST_FRAMES, Film
from thinkaloud.monologue import Event
from thinkaloud.records import Request, Verdict
from thinkaloud.skills import Skill
from thinkaloud_worlds.tabletop import Tabletop


def test_a_film_never_has_too_many_frames_however_much_happens() -> None:
    world = Tabletop()
    film = Film(world)
    skill: Skill = world.skills["pick_and_place"]
    step = skill.step({"object": world.blocks[0], "target": "middle"})
    for index in range(3 * MOST_FRAMES):
        film.hear(Event(index, 0.0, Verdict(step, True, "action")))
        world.physics.tick()
        film.tick()
    assert MOST_FRAMES // 3 < len(film) <= MOST_FRAMES


def test_saving_leaves_the_world_as_it_was(tmp_path: Path) -> None:
    world = Tabletop()
    film = Film(world, every=0.05)
    film.hear(Event(0, 0.0, Request("Look \udcff at this: " + "word " * 60)))
    for _ in range(20):
        world.physics.tick()
        film.tick()
    before = world.snapshot()
    saved = film.save(tmp_path / "deep" / "film.gif")
    assert world.snapshot() == before
    with Image.open(saved.film) as opened:
        assert 2 < saved.frames <= MOST_FRAMES and getattr(opened, "n_frames", 1) > 1
