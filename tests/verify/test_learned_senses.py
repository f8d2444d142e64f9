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
from thinkaloud_worlds.kitchen import ITEMS, Kitchen, KitchenScene, PlacedItem
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
    with pytest.raises(BadSettings, match="'drinks' has no picture to judge steps by; leave --senses out"):
        open_world("drinks", senses=f"learned:{file}")


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


# Where a robot stands -------------------------------------------------------------------------------------------------

COKE = KitchenScene((PlacedItem("coke", "counter"),), "counter")


def holds(world: SensedSuccess, relation: str, **arguments: str) -> bool:
    return world.holds(world.relations[relation].condition(arguments))


def do(world: SensedSuccess, skill: str, **arguments: str) -> None:
    asyncio.run(world.skills[skill].run(arguments))


def test_in_a_kitchen_what_is_done_in_place_is_judged_by_the_cameras_pictures() -> None:
    senses = Saying(worked=False)
    world = SensedSuccess(Kitchen(COKE), senses)  # type: ignore[arg-type]
    do(world, "pick_up", item="coke")
    assert world.world.holds(world.relations["holding"].condition({"item": "coke"}))
    assert not holds(world, "holding", item="coke") and not holds(world, "holding", item="coke")
    ((sentence, others),) = senses.asked
    assert sentence == "Pick up the coke." and others == len(ITEMS) - 1


def test_in_a_kitchen_what_was_said_last_stands_when_the_robot_has_gone_elsewhere() -> None:
    senses = Saying(worked=True)
    world = SensedSuccess(Kitchen(COKE), senses)  # type: ignore[arg-type]
    do(world, "pick_up", item="coke")
    assert holds(world, "holding", item="coke")
    senses.worked = False
    do(world, "go_to", location="table")
    assert holds(world, "at", location="table")  # driving is judged by no picture
    assert holds(world, "holding", item="coke") and len(senses.asked) == 1
    do(world, "put_down", item="coke")
    assert holds(world, "holding", item="coke")  # it says that this did not work
    assert [sentence for sentence, _ in senses.asked] == ["Pick up the coke.", "Put down the coke."]


def test_in_a_kitchen_each_form_of_a_skill_is_judged() -> None:
    for form in (Kitchen(), Kitchen().extended()):
        assert {*form.in_place} & {*form.skills} >= {"pick_up"}
        moving = {"find", "go_to", "bring", "bring_it_to_you"}
        assert not {*form.in_place} & moving and {*form.skills} <= {*form.in_place} | moving


def test_the_pictures_of_a_kitchen_are_looked_at_in_the_size_that_a_file_tells(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    onnx = pytest.importorskip("onnx", reason="the extra 'training' is not installed")
    model = onnx.load(str(file))
    entry = model.metadata_props.add()
    entry.key, entry.value = "size", "[60, 80]"
    onnx.save(model, str(file.with_name("small.onnx")))
    judge, given = LearnedSenses(file.with_name("small.onnx")), dict[str, np.ndarray]()

    def run(**inputs: np.ndarray) -> list[np.ndarray]:
        given.update(inputs)
        return [np.zeros(1), np.zeros(1)]

    monkeypatch.setattr(judge._file, "run", run)
    judge.judge((np.zeros((240, 320, 3)), np.zeros((240, 320))), table_picture(red_at=90), SENTENCE, [])
    assert given["before"].shape == given["after"].shape == (1, 5, 60, 80)
