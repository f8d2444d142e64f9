"""The hands `learned`, with a policy written by hand: sentences in, points out, and an arm that goes there."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import numpy as np
import pytest

from thinkaloud.errors import BadInput, BadSettings, MissingExtra, SkillError
from thinkaloud.execute.learned_hands import LearnedHands, surest_spot
from thinkaloud.robots import give_hands, open_world
from thinkaloud.worlds.disturbance import Disturbance
from thinkaloud.worlds.hands import open_hands
from thinkaloud_worlds.real_table import RealTable
from thinkaloud_worlds.tabletop import Scene, Tabletop, Thing
from thinkaloud_worlds.tabletop.pointed_pixels import point_in_view
from thinkaloud_worlds.tabletop.sensor_noise import Disturbed
from written_policy import write_policy

TWO = Scene(
    (
        Thing("blue bowl", "bowl", 0.12, -0.4, "#2030e0"),
        Thing("red block", "block", -0.1, -0.5, "#f01010"),
    )
)
STEP = {"object": "red block", "target": "blue bowl"}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("onnxruntime", reason="the extra 'vision' is not installed")
    return write_policy(tmp_path_factory.mktemp("hands") / "written.onnx")


def run(world: Tabletop | Disturbed) -> str:
    return str(asyncio.run(world.skills["pick_and_place"].run(STEP)))


def test_the_arm_picks_and_places_where_they_point(file: Path) -> None:
    table = Tabletop(TWO)
    give_hands(table, f"learned:{file}")
    run(table)
    assert table.on("red block", "blue bowl")


def test_they_are_asked_with_the_noise_of_the_senses_around_them(file: Path) -> None:
    world = open_world("tabletop", scene=TWO.to_json(), disturbance="pixel=30", hands=f"learned:{file}")
    assert isinstance(world, Disturbed)
    said = run(world)  # 30 pixels are 9 cm
    assert not world.on("red block", "blue bowl")
    noisy = Disturbed(Tabletop(TWO), Disturbance(pixel=30))
    give_hands(noisy, f"learned:{file}")  # the same, however they are put together
    assert run(noisy) == said


def test_a_twin_has_the_same_hands(file: Path) -> None:
    class Counting(LearnedHands):
        looks = 0

        def point(self, *given):  # type: ignore[no-untyped-def]
            Counting.looks += 1
            return super().point(*given)

    table = Tabletop(TWO)
    table.pick_with(Counting(file))
    run(table.twin())
    assert Counting.looks == 2 and not table.on("red block", "blue bowl")
    run(Tabletop(TWO).twin())
    assert Counting.looks == 2


def test_a_word_they_never_learned_moves_nothing(file: Path) -> None:
    table = Tabletop(Scene((TWO.objects[0], Thing("red gizmo", "block", -0.1, -0.5, "#f01010"))))
    table.pick_with(open_hands(f"learned:{file}"))
    before = table.snapshot()
    with pytest.raises(SkillError, match="never learned the word 'gizmo'"):
        asyncio.run(table.skills["pick_and_place"].run({"object": "red gizmo", "target": "blue bowl"}))
    assert table.snapshot() == before


def test_what_they_are_not_sure_of_moves_nothing(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime", reason="the extra 'vision' is not installed")
    table = Tabletop(TWO)
    table.pick_with(LearnedHands(write_policy(tmp_path / "doubting.onnx", least=1.1)))
    with pytest.raises(SkillError, match="can't tell where in the picture that is"):
        run(table)


@pytest.mark.parametrize("size", [64, 128, 192, 300])
def test_pictures_of_any_size_are_pointed_at(file: Path, size: int) -> None:
    rgb, height = np.full((size, size, 3), 120.0), np.zeros((size, size))
    rgb[size // 4 : size // 4 + size // 8, size // 2 : size // 2 + size // 8] = (240, 10, 10)
    spot = LearnedHands(file).point(rgb, height, "Pick the red cube.").pick
    assert spot.at == pytest.approx((0.3125, 0.5625), abs=0.05) and 0 < spot.sure <= 1


def test_black_and_unknown_pictures_point_somewhere_without_an_error(file: Path) -> None:
    dark = np.zeros((128, 128, 3)), np.full((128, 128), np.nan)
    pointing = LearnedHands(file).point(*dark, "Pick the red block.")
    assert all(0 <= each <= 1 for each in (*pointing.pick.at, *pointing.place.at)) and pointing.pick.sure < 0.1


def test_a_spot_is_the_middle_of_what_is_likely() -> None:
    scores = np.full((64, 64), -9.0, np.float32)
    scores[10, 20:24] = 5.0
    spot = surest_spot(scores)
    assert spot.at == pytest.approx((10.5 / 64, 21.5 / 64), abs=0.02) and spot.sure > 0.7


def test_the_real_table_is_pointed_at_through_its_camera(file: Path) -> None:
    table = RealTable(TWO, steady=True)
    table.pick_with(open_hands(f"learned:{file}"))
    pick, place = point_in_view(LearnedHands(file), table.view(), "red block", "blue bowl")
    assert pick[:2] == pytest.approx((-0.1, -0.5), abs=0.012) and pick[2] == pytest.approx(0.04, abs=0.01)
    assert place[:2] == pytest.approx((0.12, -0.4), abs=0.03)
    asyncio.run(table.skills["pick_place"].run(STEP))
    x, y, _ = table.physics.position("red block")
    assert (x, y) == pytest.approx((0.12, -0.4), abs=0.05)


def test_who_cannot_use_them_is_told_so_in_a_line(file: Path, tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="'kitchen' has no picture of a table to pick and place in; leave --hands"):
        open_world("kitchen", hands=f"learned:{file}")
    with pytest.raises(BadInput, match="there is no file"):
        open_hands("learned:nowhere.onnx")
    (tmp_path / "text.onnx").write_text("no weights")
    with pytest.raises(BadInput, match=r"cannot be loaded .*training\.hands\.export"):
        open_hands(f"learned:{tmp_path / 'text.onnx'}")
    with pytest.raises(BadInput, match="There is no hand 'left'"):
        open_hands("left")


def test_without_the_extra_it_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match="vision"):
        open_hands(f"learned:{file}")
