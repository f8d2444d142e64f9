"""`--eyes camera`: a run through a camera from beginning to end, and a camera that goes dark; `--hands`, `--senses`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from cli.conftest import REQUEST, obedient
from thinkaloud.cli.chat import chat
from thinkaloud.cli.run import run, run_request
from thinkaloud.errors import BadInput
from thinkaloud.records import Begin
from thinkaloud.remember.journal import Journal
from thinkaloud.settings import load
from thinkaloud.staging.opening import open_world_of
from thinkaloud.staging.options import RunOptions
from thinkaloud.worlds import learned_files
from thinkaloud.worlds.success_senses import SensedSuccess
from thinkaloud.worlds.vision import CannotSee
from thinkaloud_worlds.camera_pictures import Photograph
from thinkaloud_worlds.tabletop import table_eyes as seen
from thinkaloud_worlds.tabletop.physics import Physics
from written_detector import write_detector
from written_judge import write_judge
from written_policy import write_policy

QUICK = RunOptions(preset="inner_monologue", scene=Path("scene.toml"), no_film=True, eyes="camera")


def test_a_request_is_met_by_what_the_camera_sees_and_the_session_remembers_the_eyes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_request(REQUEST, QUICK, model=obedient()) == 0
    out = capsys.readouterr().out
    assert "Scene          red block, green block, blue bowl" in out
    assert "Put down what was taken for the red block." in out
    with Journal(load().journal) as journal:
        begin = journal.open(journal.sessions()[0].id).events()[0][2]
    assert isinstance(begin, Begin) and begin.options["eyes"] == "camera" and "hands" not in begin.options


def test_hands_and_senses_are_remembered_and_opened_again_with_the_session(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("onnxruntime", reason="the extra 'vision' is not installed")
    hands = f"learned:{write_policy(tmp_path / 'policy.onnx', least=1.1)}"
    senses = f"learned:{write_judge(tmp_path / 'judge.onnx', threshold=0.9)}"
    wanted = replace(QUICK, eyes="", hands=hands, senses=senses)
    run_request(REQUEST, wanted, model=obedient())
    assert "I can't tell where in the picture that is" in capsys.readouterr().out
    with Journal(load().journal) as journal:
        begin = journal.open(journal.sessions()[0].id).events()[0][2]
    assert isinstance(begin, Begin) and (begin.options["hands"], begin.options["senses"]) == (hands, senses)
    assert isinstance(open_world_of(begin), SensedSuccess)


def test_run_and_chat_open_the_shipped_parts_and_the_session_remembers_only_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("onnxruntime", reason="the extra 'vision' is not installed")
    monkeypatch.setattr(learned_files, "SHIPPED", tmp_path)
    write_detector(tmp_path / "eyes.onnx")
    write_policy(tmp_path / "hands.onnx", least=1.1)
    write_judge(tmp_path / "senses.onnx", threshold=0.9)
    wanted = replace(QUICK, eyes="learned", hands="learned", senses="learned", scene=Path("scene.toml"))
    run_request(REQUEST, wanted, model=obedient())
    out = capsys.readouterr().out
    (scene, *_) = re.findall(r"Scene +(.*)", out)
    assert "green block" not in scene  # the written detector knows no green
    with Journal(load().journal) as journal:
        begin = journal.open(journal.sessions()[0].id).events()[0][2]
    assert isinstance(begin, Begin)
    assert [begin.options[part] for part in ("eyes", "hands", "senses")] == ["learned"] * 3
    assert isinstance(open_world_of(begin), SensedSuccess)
    said = CliRunner().invoke(chat, ["--eyes", "learned", "--world", "by_hand"])
    assert isinstance(said.exception, BadInput) and "has no camera" in str(said.exception)


def dark(after: int) -> Callable[[Physics], Photograph]:
    """A camera whose pictures are black after so many."""
    taken, photograph = [0], seen.photograph_table

    def take(physics: Physics) -> Photograph:
        photo = photograph(physics)
        taken[0] += 1
        if taken[0] <= after:
            return photo
        return replace(photo, view=replace(photo.view, rgb=np.zeros_like(photo.view.rgb)))

    return take


def test_a_camera_that_sees_nothing_is_named_before_anything_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seen, "photograph_table", dark(0))
    with pytest.raises(CannotSee, match="its picture is dark"):
        run_request(REQUEST, QUICK, model=obedient())


def test_a_camera_that_goes_dark_ends_the_run_and_the_robot_holds_still(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(seen, "photograph_table", dark(2))
    assert run_request(REQUEST, replace(QUICK, no_journal=True), model=obedient()) == 1
    out = capsys.readouterr().out
    assert "The camera sees nothing, its picture is dark" in out
    assert out.count("Robot action") <= 1


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--eyes", "nose"], "There is no eye 'nose'"),
        (["--world", "by_hand", "--eyes", "camera"], "has no camera to see through"),
        (["--eyes", "camera:weights"], "have no weights to load"),
        (["--hands", "left"], "There is no hand 'left'"),
        (["--world", "by_hand", "--hands", "learned:a.onnx"], "has no picture of a table to pick and place in"),
        (["--hands", "learned:a.onnx"], "there is no file a.onnx; `make hands` trains some"),
        (["--senses", "sixth"], "There is no sense 'sixth'"),
        (["--senses", "learned"], "No trained senses are shipped: train with `make senses`"),
    ],
)
def test_eyes_hands_and_senses_that_cannot_be_are_named_in_a_line(
    options: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learned_files, "SHIPPED", tmp_path / "no weights")
    result = CliRunner().invoke(run, [*options, "--no-film", REQUEST])
    assert isinstance(result.exception, BadInput) and why in str(result.exception)
    assert not result.output
