"""The senses `learned`, with a judge written by hand: what it says replaces the truth about steps, and nothing else."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from thinkaloud.errors import BadSettings, SkillError
from thinkaloud.robots import open_world
from thinkaloud.verify.learned_senses import LearnedSenses
from thinkaloud.worlds.disturbance import NO_DISTURBANCE
from thinkaloud.worlds.success_senses import Judgement, SensedSuccess, TablePicture
from thinkaloud_worlds.tabletop import Scene, Tabletop, Thing
from written_judge import write_judge

TWO = Scene(
    (
        Thing("blue bowl", "bowl", 0.14, -0.4, "#2030e0"),
        Thing("red block", "block", -0.1, -0.5, "#f01010"),
    )
)
SENTENCE = "Pick the red block and place it on the blue bowl."


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("onnxruntime", reason="the extra 'vision' is not installed")
    return write_judge(tmp_path_factory.mktemp("senses") / "written.onnx")


def table_picture(*, red_at: int) -> TablePicture:
    rgb, height = np.full((128, 128, 3), 120.0), np.zeros((128, 128))
    rgb[40:56, red_at : red_at + 16] = (240, 10, 10)
    return rgb, height


def run(world: SensedSuccess, target: str) -> None:
    asyncio.run(world.skills["pick_and_place"].run({"object": "red block", "target": target}))


def is_on(world: SensedSuccess, target: str) -> bool:
    return world.holds(world.relations["on"].condition({"object": "red block", "target": target}))


def test_a_step_worked_if_foresight_is_sure_and_hindsight_agrees(file: Path) -> None:
    judge = LearnedSenses(file)
    left, right = table_picture(red_at=10), table_picture(red_at=90)
    worked = judge.judge(left, right, SENTENCE, ["Pick the blue block and place it on the top side."])
    assert worked.worked and worked.foresight > 0.9 and worked.hindsight > 0.5
    assert not judge.judge(right, left, SENTENCE, []).worked  # foresight: it went the other way
    better = "Pick the red bowl and place it on the blue bowl."
    doubted = judge.judge(left, right, SENTENCE, [better])
    assert doubted.foresight > 0.9 and doubted.hindsight < 0.5 and not doubted.worked
    strict = LearnedSenses(write_judge(file.with_name("strict.onnx"), threshold=1.1))
    assert not strict.judge(left, right, SENTENCE, []).worked


def test_hindsight_also_agrees_with_a_sentence_that_fits_nearly_as_well(file: Path) -> None:
    left, right = table_picture(red_at=10), table_picture(red_at=90)
    nearly = LearnedSenses(file).judge(left, right, SENTENCE, [f"{SENTENCE} side"])
    assert nearly.hindsight < 0.5 and nearly.agrees and nearly.worked


def test_words_that_it_never_learned_are_refused_or_left_out_of_the_choice(file: Path) -> None:
    judge = LearnedSenses(file)
    picture = table_picture(red_at=10)
    with pytest.raises(SkillError, match="never learned the word 'gizmo'"):
        judge.judge(picture, picture, "Pick the gizmo.", [])
    assert judge.judge(picture, table_picture(red_at=90), SENTENCE, ["Pick the gizmo."]).hindsight == 1.0


def test_what_it_says_replaces_the_truth_about_a_step(file: Path) -> None:
    world = open_world("tabletop", scene=TWO.to_json(), senses=f"learned:{file}")
    assert isinstance(world, SensedSuccess)
    run(world, "blue bowl")
    assert is_on(world, "blue bowl")  # to the right: it says yes, and it is so
    run(world, "left side")
    assert world.world.holds(world.relations["on"].condition({"object": "red block", "target": "left side"}))
    assert not is_on(world, "left side")  # to the left: it is so, and it says no
    assert is_on(world, "middle") is False  # nobody tried that: the truth
    assert "one in 5" in world.tell_doubt(
        [world.relations["on"].condition({"object": "red block", "target": "left side"})]
    )
    assert getattr(world, "twin", None) is None


class Saying:
    """Senses that say what they are told to."""

    def __init__(self, *, worked: bool) -> None:
        self.error_rates, self.worked = NO_DISTURBANCE, worked
        self.asked: list[tuple[str, int]] = []

    def judge(self, before: TablePicture, after: TablePicture, sentence: str, others: list[str]) -> Judgement:
        self.asked.append((sentence, len(others)))
        return Judgement(float(self.worked), 1.0, foreseen=self.worked, agrees=True)


def test_each_look_is_judged_once_and_the_last_word_survives_a_restart() -> None:
    senses = Saying(worked=False)
    world = SensedSuccess(Tabletop(TWO), senses)  # type: ignore[arg-type]  # a judge that was never wrong counts, too
    run(world, "blue bowl")
    assert not is_on(world, "blue bowl") and not is_on(world, "blue bowl")
    assert len(senses.asked) == 1
    sentence, others = senses.asked[0]
    assert sentence == SENTENCE and others == 9  # the places
    saved = world.snapshot()
    senses.worked = True
    world.observe()
    assert is_on(world, "blue bowl") and len(senses.asked) == 2  # it looked again
    world.restore(saved)
    assert not is_on(world, "blue bowl") and len(senses.asked) == 2
    world.reset(0)
    assert not is_on(world, "blue bowl")


def test_who_cannot_use_them_is_told_so_in_a_line(file: Path) -> None:
    with pytest.raises(BadSettings, match="'kitchen' has no picture to judge steps by; leave --senses out"):
        open_world("kitchen", senses=f"learned:{file}")


class Sees:
    """Senses to which only the latest step looks as if it had worked, as where it covers the others."""

    error_rates = NO_DISTURBANCE

    def __init__(self) -> None:
        self.latest, self.works = "", True

    def judge(self, before: TablePicture, after: TablePicture, sentence: str, others: object) -> Judgement:
        so = self.works and sentence == self.latest
        return Judgement(float(so), float(so), so, so)


def stack(world: SensedSuccess, senses: Sees, thing: str, on: str) -> None:
    step = {"object": thing, "target": on}
    senses.latest = world.skills["pick_and_place"].step(step).words
    asyncio.run(world.skills["pick_and_place"].run(step))
    said = world.holds(world.relations["on"].condition(step))
    assert said is senses.works


@pytest.mark.parametrize("worked", [True, False])
def test_what_a_step_that_worked_covers_is_still_where_it_was_put(worked: bool) -> None:
    blocks = [
        Thing(f"{name} block", "block", x, -0.5, name) for name, x in (("red", -0.15), ("blue", 0.0), ("green", 0.15))
    ]
    senses = Sees()
    world = SensedSuccess(Tabletop(Scene(tuple(blocks))), senses)
    stack(world, senses, "red block", "blue block")
    senses.works = worked
    stack(world, senses, "green block", "red block")
    below = world.relations["on"].condition({"object": "red block", "target": "blue block"})
    assert world.holds(below) is worked  # a step that failed may have pushed it down: then it is looked at again
