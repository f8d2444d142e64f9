"""The eyes `learned`, with a detector written by hand: how words, scores and boxes become things."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from thinkaloud.errors import BadInput, MissingExtra, SkillError
from thinkaloud.perceive.detector_boxes import DetectingEyes
from thinkaloud.perceive.learned_eyes import Calibration, LearnedDetector, group_cells, split_phrase
from thinkaloud.worlds.vision import Appearance, CannotSee, Intrinsics, View, open_eyes
from thinkaloud_worlds.tabletop import Scene, Tabletop, Thing
from written_detector import WORDS, write_detector

TWO = Scene((Thing("red block", "block", -0.1, -0.5), Thing("blue block", "block", 0.12, -0.4)))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield write_detector(tmp_path_factory.mktemp("eyes") / "written.onnx")


@pytest.fixture(scope="module")
def detector(file: Path) -> LearnedDetector:
    return LearnedDetector(file)


def flat_view(width: int, height: int, spots: list[tuple[int, int]], *, side: int = 8) -> View:
    """A gray table from straight above, with red squares 5 cm high."""
    rgb, depth = np.full((height, width, 3), 120, np.uint8), np.full((height, width), 1.0, np.float32)
    for x, y in spots:
        rgb[y : y + side, x : x + side] = (220, 40, 40)
        depth[y : y + side, x : x + side] = 0.95
    down = np.diag([1.0, -1.0, -1.0])
    return View(rgb, depth, Intrinsics(200, 200, width / 2, height / 2), down, np.array([0.0, 0.0, 1.0]))


def looks(*names: str) -> list[Appearance]:
    return [Appearance(name, (0, 0, 0), 0.08, 0.05) for name in names]


def test_a_table_is_seen_through_it(file: Path) -> None:
    world = Tabletop(TWO)
    world.see_with(open_eyes(f"learned:{file}"))
    world.reset(0)
    assert {*world.observe().objects} == {"red block", "blue block"}
    sight = open_eyes(f"learned:{file}").look(world.view(), world.appearances())
    for name in ("red block", "blue block"):
        _, point = sight.find(name)
        assert point[:2] == pytest.approx(world.position(name)[:2], abs=0.01)


@pytest.mark.parametrize("size", [(160, 120), (320, 240), (120, 160), (256, 256), (97, 61)])
def test_a_picture_of_any_size_is_looked_at(detector: LearnedDetector, size: tuple[int, int]) -> None:
    side = max(size) // 20
    found = detector.find(flat_view(*size, [(size[0] // 2, size[1] // 3)], side=side), ["red thing"])
    assert len(found) == 1
    left, top, right, bottom = found[0].box
    middle = (left + right) / 2, (top + bottom) / 2
    assert middle == pytest.approx((size[0] // 2 + side / 2, size[1] // 3 + side / 2), abs=max(size) / 40)
    assert found[0].mask.shape == (size[1], size[0]) and found[0].mask.any()
    rows, columns = np.nonzero(found[0].mask)
    assert left - side <= columns.min() and columns.max() <= right + side and top - side <= rows.min()


def test_nothing_is_made_up_on_a_bare_table_nor_of_what_is_not_there(detector: LearnedDetector) -> None:
    assert detector.find(flat_view(160, 120, []), ["thing", "red thing"]) == []
    there = flat_view(160, 120, [(70, 50)])
    assert detector.find(there, ["blue thing", "soft drink"]) == [] and detector.find(there, []) == []
    assert detector.find(flat_view(4, 4, []), ["thing"]) == []


def test_forty_things_are_forty_boxes(detector: LearnedDetector) -> None:
    spots = [(x, y) for x in range(6, 156, 19) for y in range(5, 116, 23)]
    assert len(spots) == 40
    found = detector.find(flat_view(160, 120, spots), ["red thing"])
    assert len(found) == 40
    assert len({each.box for each in found}) == 40


def test_two_that_fit_are_two_and_none_is_taken_for_the_one_that_was_meant(detector: LearnedDetector) -> None:
    eyes = DetectingEyes(detector)
    sight = eyes.look(flat_view(160, 120, [(40, 50), (100, 50)]), looks("red block"))
    with pytest.raises(SkillError, match="2 things look like the red block"):
        sight.find("red block")


def test_one_thing_has_one_name(detector: LearnedDetector) -> None:
    sight = DetectingEyes(detector).look(flat_view(160, 120, [(70, 50)]), looks("red thing", "thing", "blue thing"))
    assert len(sight.sightings) == 1


def test_a_dark_picture_is_named(detector: LearnedDetector) -> None:
    view = flat_view(160, 120, [(70, 50)])
    with pytest.raises(CannotSee, match="dark"):
        DetectingEyes(detector).look(replace(view, rgb=np.zeros_like(view.rgb)), looks("red thing"))


def test_without_depth_there_is_still_an_answer(detector: LearnedDetector) -> None:
    view = flat_view(160, 120, [(70, 50)])
    holes = view.depth.copy()
    holes[:, :80] = 0.0
    found = detector.find(replace(view, depth=holes), ["red thing"])
    assert all(np.isfinite(each.score) for each in found)


def test_words_that_were_never_learned_are_not_guessed(detector: LearnedDetector) -> None:
    view = flat_view(160, 120, [(70, 50)])
    assert detector.understands("the crimson block") and not detector.understands("red gizmo")
    assert not detector.understands("the") and not detector.understands("")
    assert detector.find(view, ["red gizmo", "gizmo"]) == []
    assert [each.phrase for each in detector.find(view, ["crimson thing"])] == ["crimson thing"]
    with pytest.raises(BadInput, match=r"know none of the names here \('gizmo' …\)"):
        DetectingEyes(detector).look(view, looks("gizmo"))


def test_a_phrase_is_its_known_words_and_the_others() -> None:
    assert split_phrase("a Soft Drink", WORDS, {}) == (("soft drink",), ())
    assert split_phrase("the soft red block", WORDS, {}) == (("red", "block"), ("soft",))
    assert split_phrase("crimson red", WORDS, {"crimson": "red"}) == (("red",), ())
    assert split_phrase("red block 2", WORDS, {}) == (("red", "block"), ("2",))


def test_a_score_is_a_likelihood_and_what_is_too_unlikely_is_not_reported(tmp_path: Path) -> None:
    curve = Calibration(0.5, -1.0)
    likely = [curve(raw) for raw in (0.0, 0.1, 0.5, 0.9, 1.0)]
    assert likely == sorted(likely) and likely[0] > 0 and likely[-1] < 1
    view = flat_view(160, 120, [(70, 50)])
    careful = LearnedDetector(write_detector(tmp_path / "careful.onnx", calibration=(0.2, -3.0, 0.5)))
    assert careful.find(view, ["red thing"]) == []
    bold = LearnedDetector(write_detector(tmp_path / "bold.onnx", calibration=(0.2, -3.0, 0.1)))
    assert 0 < bold.find(view, ["red thing"])[0].score < 0.5


def test_cells_that_agree_are_one_thing_and_a_single_cell_is_none() -> None:
    score, boxes = np.zeros((6, 6), np.float32), np.zeros((4, 6, 6), np.float32)
    boxes[2:] = 1.0
    score[0, 0] = 0.9
    assert group_cells(score, boxes) == []
    score[2:4, 2:4], boxes[:, 2:4, 2:4] = 0.8, np.array([4, 4, 8, 8])[:, None, None]
    ((box, raw, cells),) = group_cells(score, boxes)
    assert box == (4, 4, 8, 8) and raw == pytest.approx(0.8) and cells.sum() == 4


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="there is no file"):
        open_eyes(f"learned:{tmp_path}/none.onnx")
    (tmp_path / "no.onnx").write_bytes(b"nothing of the kind")
    with pytest.raises(BadInput, match=r"no\.onnx cannot be loaded"):
        open_eyes(f"learned:{tmp_path}/no.onnx")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match=r'pip install "thinkaloud\[vision\]"'):
        open_eyes(f"learned:{tmp_path}/no.onnx")
