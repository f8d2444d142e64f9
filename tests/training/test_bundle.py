"""What another machine gets: the code, in parts that fit together again, and nothing of this machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from training import bundle


@pytest.mark.parametrize("small", [False, True])
def test_the_parts_become_a_tree_that_runs_where_nothing_is_installed(
    tmp_path: Path, small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bundle, "_PRESET", 0)  # six times as fast, and a sixth larger
    count = bundle.make_bundle(tmp_path / "bundle", "3.12", "none", 1, small=small)
    parts = sorted((tmp_path / "bundle").glob("part-*"))
    assert len(parts) == count > 1
    assert not small or sum(each.stat().st_size for each in parts) < 8_000_000  # and the code alone has over 20 MB
    assert {each.stat().st_size for each in parts[:-1]} == {1_000_000}
    subprocess.run(["bash", tmp_path / "bundle" / "begin.sh", tmp_path / "there"], check=True, capture_output=True)
    asked = (
        "import thinkaloud, training, thinkaloud_worlds; from importlib.metadata import entry_points;"
        "print(thinkaloud.__file__, training.__file__, 'tabletop' in entry_points(group='thinkaloud.worlds').names)"
    )
    command = f'source {tmp_path}/there/env.sh && exec {sys.executable} -c "{asked}"'
    said = subprocess.run(["bash", "-c", command], check=True, capture_output=True, text=True).stdout
    assert said.split() == [
        str(tmp_path / "there" / "tree" / "src" / "thinkaloud" / "__init__.py"),
        str(tmp_path / "there" / "tree" / "training" / "__init__.py"),
        "True",
    ]


def test_another_bundle_leaves_no_part_of_the_last_one(tmp_path: Path) -> None:
    (tmp_path / "part-999").write_bytes(b"old")
    bundle.make_bundle(tmp_path, "3.12", "none", 500)
    assert [each.name for each in sorted(tmp_path.glob("part-*"))] == ["part-000"]


def test_weights_travel_only_if_they_are_asked_for() -> None:
    assert not any(each.suffix == ".gguf" for each in bundle.tracked())
    assert bundle.weights_of("none") == []
    assert {each.name for each in bundle.weights_of("embedded")} >= {"judge.gguf", "meanings.gguf", "papers.gguf"}


def test_what_is_needed_is_followed_to_the_end_without_what_the_other_machine_has() -> None:
    found = bundle.required(["thinkaloud[bench]"])
    assert {"mujoco", "msgspec", "pillow", "networkx"} <= {*found}
    assert not {"numpy", "torch", "thinkaloud", "nicegui"} & {*found}


def test_training_vision_needs_no_window_and_all_that_its_check_asks_for() -> None:
    found = bundle.required(bundle.VISION, bundle.NOT_FOR_VISION)
    assert {"mujoco-core", "msgspec", "pillow", "onnx", "onnxruntime", "protobuf"} <= {*found}
    assert not {"mujoco-studio", "pyopengl", "opencv-python-headless", "numpy", "torch"} & {*found}


@pytest.mark.parametrize("size", [0, 1, 10, 25, 30])
def test_parts_hold_what_was_written(tmp_path: Path, size: int) -> None:
    parts = bundle._Parts(tmp_path, 10)
    content = bytes(range(size))
    for at in range(0, size, 7):
        parts.write(content[at : at + 7])
    parts.close()
    files = sorted(tmp_path.glob("part-*"))
    assert b"".join(each.read_bytes() for each in files) == content
    assert len(files) == parts.count == -(-size // 10)
