"""Training all of vision with one command: what is drawn when, how the time is shared out, and what ends in the log."""

from __future__ import annotations

import argparse
import json
import sys
import tarfile
import time
from pathlib import Path

import numpy as np
import pytest

from training.vision import __main__ as vision
from training.vision import drawing, measure, plan
from training.vision.children import Child, Log
from training.vision.plan import (
    KINDS,
    PARTS,
    WAVES,
    Stage,
    begins_with,
    chosen_waves,
    in_order,
    kept_for_the_end,
    minutes_of,
    per_file,
    scaled,
    space_needed,
)

STAGES = {stage.name: stage for wave in WAVES for stage in wave}


def test_the_time_is_shared_out_and_a_late_stage_takes_from_all_that_follow() -> None:
    kept = kept_for_the_end(22)
    spent = 0.0
    for wave in range(len(WAVES)):
        spent += minutes_of(WAVES[wave:], 22 - spent, kept)
    assert spent == pytest.approx(22 - kept) and 0 < kept <= 2.5
    on_time, late = minutes_of(WAVES[1:], 15.0, kept), minutes_of(WAVES[1:], 12.0, kept)
    assert late < on_time and minutes_of(WAVES[2:], 8.0, kept) == pytest.approx(8.0 - kept)
    assert minutes_of(WAVES[2:], 1.0, 2.5) == 0.0


def test_parts_that_are_left_out_are_neither_drawn_nor_trained_and_take_no_time(tmp_path: Path) -> None:
    parts = ("eyes", "kitchen_senses")
    waves = chosen_waves(parts)
    assert [[stage.name for stage in wave] for wave in waves] == [["eyes"], ["kitchen_senses"]]
    assert minutes_of(waves, 20, 2) == pytest.approx(12.0)
    assert {name for name, _, _, _ in drawing.missing(tmp_path, 0.001, parts)} == {*parts}
    assert space_needed(1.0, parts) < space_needed(1.0)
    assert {kind.name for kind in KINDS} == {stage.name for wave in WAVES for stage in wave} == {*PARTS}


def test_parts_that_there_are_not_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("eyes,nose", ""):
        with pytest.raises(SystemExit):
            drawing.main(["somewhere", "--parts", wrong])
        assert f"not {wrong!r}" in capsys.readouterr().err


@pytest.mark.parametrize("scale", [0.0001, 0.002, 0.1, 1.0, 2.0])
def test_everything_is_drawn_once_and_each_kind_has_a_half_early(tmp_path: Path, scale: float) -> None:
    wanted = drawing.missing(tmp_path, scale)
    for kind in KINDS:
        count = scaled(kind.count, scale)
        seeds = [seed for name, _, first, size in wanted if name == kind.name for seed in range(first, first + size)]
        assert sorted(seeds) == list(range(1_000_000, 1_000_000 + count))
        assert all(size <= per_file(count) for name, _, _, size in wanted if name == kind.name)
    order = [kind.name for kind, _, _ in in_order(scale)]
    assert order == [*PARTS, *PARTS]
    assert len({path for _, path, _, _ in wanted}) == len(wanted)


def test_what_is_drawn_already_is_kept_and_one_seed_that_fails_does_not_end_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / KINDS[0].folder / "001000000.npz"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"kept")
    (tmp_path / KINDS[1].folder).mkdir(parents=True)
    asked = [each for each in drawing.missing(tmp_path, 0.0001) if each[0] in ("eyes", "hands")]
    asked = [asked[0], ("none", tmp_path / "x.npz", 1, 1), asked[-1]]
    monkeypatch.setattr(drawing, "missing", lambda out, scale, parts: asked)
    drawing.main([str(tmp_path), "--jobs", "1", "--scale", "0.0001"])
    said = capsys.readouterr().out
    assert kept.read_bytes() == b"kept" and asked[0][1] != kept
    assert "x.npz was not drawn" in said and f"{asked[-1][1].name}: 3 of 3" in said
    assert len(np.load(asked[-1][1])["rgb"]) == asked[-1][3]


def test_the_files_need_about_the_space_that_is_asked_for() -> None:
    for kind in KINDS:
        drawn = sum(np.asarray(part).nbytes for part in kind.drawer()(1_000_001).values())
        assert drawn == pytest.approx(kind.bytes, rel=0.05)
    assert 9e9 < space_needed(1.0) < 14e9


def test_a_stage_begins_with_what_was_trained_before_it_if_that_is_there(tmp_path: Path) -> None:
    assert list(begins_with(STAGES["hands"], tmp_path)) == []
    (tmp_path / "eyes.pt").touch()
    (tmp_path / "hands.pt").touch()
    assert list(begins_with(STAGES["hands"], tmp_path)) == ["--eyes", str(tmp_path / "eyes.pt")]
    assert list(begins_with(STAGES["kitchen_senses"], tmp_path)) == ["--eyes", str(tmp_path / "eyes.pt")]
    for name in ("senses", "tasks"):
        assert list(begins_with(STAGES[name], tmp_path)) == ["--hands", str(tmp_path / "hands.pt")]


def test_children_tell_what_they_do_in_one_file_and_a_failing_one_says_why(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.txt")
    loud = Child("loud", ["-c", "print('one'); print('two')"], log)
    quiet = Child("quiet", ["-c", "print('nothing new')\nprint('nothing new')"], log, tell=100)
    failing = Child("failing", ["-c", "print('a'); raise SystemExit('because')"], log, tell=100)
    assert [child.wait(time.monotonic() + 30) for child in (loud, quiet, failing)] == [0, 0, 1]
    told = (tmp_path / "log.txt").read_text()
    assert "loud     one" in told and "failing  because" in told and "nothing new" not in told


def test_a_child_that_takes_too_long_is_asked_to_end_and_may_still_write_what_it_has(tmp_path: Path) -> None:
    script = (
        "import signal, sys, time, pathlib\n"
        "def end(*_): pathlib.Path(sys.argv[1]).write_text('saved'); sys.exit(0)\n"
        "signal.signal(signal.SIGTERM, end); print('begun', flush=True)\n"
        "while True: time.sleep(0.05)"
    )
    log = Log(tmp_path / "log.txt")
    log("test", "begins")
    child = Child("slow", ["-c", script, str(tmp_path / "file")], log)
    while "begun" not in (tmp_path / "log.txt").read_text():
        time.sleep(0.02)
    assert child.wait(time.monotonic()) == 0 and (tmp_path / "file").read_text() == "saved"


def test_the_table_has_what_was_measured_last_and_says_what_was_not(tmp_path: Path) -> None:
    for number, value in (("1", 0.5), ("2", 0.75)):
        folder = tmp_path / "measured" / "hands" / number
        folder.mkdir(parents=True)
        row = {
            "preset": "learned",
            "task": "seen",
            "metric": "success",
            "value": value,
            "low": 0.5,
            "high": 0.9,
            "n": 40,
        }
        (folder / "results.json").write_text(json.dumps({"rows": [row, {**row, "metric": "seconds"}]}))
    lines = measure.table(tmp_path).splitlines()
    assert "| hands | single-steps | seen | success | 0.750 | 0.50–0.90 | 40 |" in lines
    assert sum("| hands |" in line for line in lines) == 1
    assert "| eyes | random-tables | | not measured | | | |" in lines


_TRAIN = """
import pathlib, sys
checkpoint = pathlib.Path(sys.argv[2])
print(checkpoint.stem, "begins with", sys.argv[sys.argv.index("--width") + 2 :])
tries = checkpoint.with_suffix(".tries")
tries.write_text(tries.read_text() + "I" if tries.exists() else "I")
if "fails" in checkpoint.stem or "twice" in checkpoint.stem and tries.read_text() == "I":
    sys.exit("no luck")
checkpoint.write_text("trained")
"""
_EXPORT = "import pathlib, sys; pathlib.Path(sys.argv[2]).write_text(pathlib.Path(sys.argv[1]).read_text())"


def test_a_stage_that_fails_is_tried_again_and_then_left_behind_and_what_was_done_is_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, script in (("train", _TRAIN), ("export", _EXPORT), ("drawing", "import time; time.sleep(60)")):
        (tmp_path / "written").mkdir(exist_ok=True)
        (tmp_path / "written" / f"{name}.py").write_text(script)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{Path.cwd()}")
    begins = (("--eyes", "first"), ("--hands", "fails"))
    after = Stage("twice", "written", "data", 1, 0.2, begins, options=("--other",))
    waves = ((Stage("first", "written", "data", 1, 0.2),), (Stage("fails", "written", "data", 1, 0.2), after))
    monkeypatch.setattr(plan, "WAVES", waves)
    monkeypatch.setattr(vision, "_FEWEST", 0.5)
    monkeypatch.setattr(vision.Course, "_measure_exported", lambda course: course.following.clear())
    monkeypatch.setattr(vision.Course, "_pack", lambda course: None)
    given = argparse.Namespace(
        out=tmp_path,
        minutes=0.1,
        jobs=1,
        scale=1.0,
        width=1.0,
        batch=0,
        threads=1,
        parts=("eyes", "first", "fails", "twice"),
    )
    course = vision.Course(given)
    (tmp_path / "export").mkdir()
    course.run()
    told = (tmp_path / "log.txt").read_text()
    assert course.failed == ["fails"] and "no luck" in told and "once more, from its last checkpoint" in told
    assert (tmp_path / "twice.pt").read_text() == "trained"
    assert f"twice begins with ['--eyes', '{tmp_path / 'first.pt'}', '--other']" in told
    assert {each.stem for each in tmp_path.glob("*.done")} == {"first", "twice"}
    assert "nothing was trained, so nothing is exported" in told and "| eyes | random-tables |" in told
    vision.Course(given).run()
    assert (tmp_path / "first.tries").read_text() == "I" and (tmp_path / "twice.tries").read_text() == "II"


@pytest.mark.filterwarnings("ignore")
def test_what_is_packed_is_small_and_can_be_begun_with(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is only there where training is")
    from training.hands.beginning import begin_with
    from training.hands.network import Policy
    from training.vision import packing

    trained, words = Policy(3), ["pick", "place", "it"]
    state = trained.state_dict()
    kept = {"words": words, "width": 1.0, "step": 7, "seconds": 1.0, "best": state, "network": Policy(3).state_dict()}
    torch.save({**kept, "optimiser": {"many": torch.zeros(10**6)}}, tmp_path / "hands.pt")
    (tmp_path / "export").mkdir()
    packing.main([str(tmp_path)])
    with tarfile.open(tmp_path / "export" / "checkpoints.tar.gz") as archive:
        archive.extract("hands.pt", tmp_path / "unpacked", filter="data")
    assert (tmp_path / "unpacked" / "hands.pt").stat().st_size < 2_500_000
    other = Policy(3)
    begin_with(other, words, hands=tmp_path / "unpacked" / "hands.pt")
    assert all(torch.equal(part, state[name]) for name, part in other.state_dict().items())


@pytest.mark.filterwarnings("ignore")
def test_too_little_room_and_a_machine_that_lacks_something_are_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from training.vision import check

    monkeypatch.setattr(sys, "argv", ["vision", "--out", str(tmp_path), "--scale", "1e9"])
    with pytest.raises(SystemExit, match=r"has room for .* GB, and the drawn files need"):
        vision.main()
    monkeypatch.setattr(check, "_NEEDED", ("numpy", "no_such_module"))
    with pytest.raises(SystemExit, match="This machine lacks no_such_module"):
        check.main()
