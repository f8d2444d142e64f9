"""The plugin in `examples/plugin`, installed as anybody would install it, and used from a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import thinkaloud
from commands_in_turn import Ran, run_in_turn

EXAMPLE = Path(__file__).parent.parent / "examples" / "plugin"
SOURCES = Path(thinkaloud.__file__).parent.parent
REQUEST = "Water the tomato and the basil, and open the window."
BROKEN = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "thinkaloud-weeds"
version = "1"

[project.entry-points."thinkaloud.worlds"]
weeds = "thinkaloud_weeds:open_weeds"
tabletop = "thinkaloud_weeds:open_weeds"

[project.entry-points."thinkaloud.presets"]
weeding = "thinkaloud_weeds:WEEDING"

[project.entry-points."thinkaloud.models"]
weeder = "thinkaloud_weeds:open_weeder"
"""


def install(package: Path, target: Path) -> None:
    """Into a folder of its own: without a network, and without touching what is installed here."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-deps", "--no-index", "--no-build-isolation"]
    done = subprocess.run([*pip, *offline, "--target", str(target), str(package)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, and another package that falls over when it is loaded."""
    folder = tmp_path_factory.mktemp("plugins")
    shutil.copytree(EXAMPLE, folder / "greenhouse")
    (folder / "weeds").mkdir()
    (folder / "weeds" / "pyproject.toml").write_text(BROKEN)
    (folder / "weeds" / "thinkaloud_weeds.py").write_text('raise RuntimeError("nobody\\ntends to this")\n')
    for name in ("greenhouse", "weeds"):
        install(folder / name, folder / f"{name}-installed")
    return folder


def thinks(plugins: Sequence[Path], *commands: Sequence[str], home: Path, expected: int = 0) -> list[Ran]:
    """Commands of ours in a process that finds these plugins."""
    paths = os.pathsep.join(map(str, (*plugins, SOURCES)))
    environment = os.environ | {"PYTHONPATH": paths, "THINKALOUD_HOME": str(home), "XDG_CONFIG_HOME": str(home)}
    done = run_in_turn(commands, cwd=home, env=environment)
    assert [each.returncode for each in done] == [expected] * len(commands), done
    return done


def test_a_request_is_carried_out_with_what_the_plugin_brings(installed: Path, tmp_path: Path) -> None:
    arguments = ("run", "--world", "greenhouse", "--model", "gardener", "--no-film", "--no-journal", REQUEST)
    (done,) = thinks([installed / "greenhouse-installed"], arguments, home=tmp_path)
    assert done.stdout.startswith("greenhouse, seed 0 · gardening ")  # the preset that the world itself names
    assert "Robot action   Water the tomato. (correcting)" in done.stdout
    last = done.stdout.rstrip().splitlines()[-1]
    assert last.startswith("Done: ") and " (checked). " in last


def test_a_preset_of_a_plugin_works_in_a_world_of_ours(installed: Path, tmp_path: Path) -> None:
    arguments = ("run", "--preset", "gardening:feedback=none", "--model", "openai:nobody", REQUEST)
    (done,) = thinks([installed / "greenhouse-installed"], arguments, home=tmp_path, expected=2)
    assert "gardening: feedback can be object+scene, object+success, object, success, not 'none'." in done.stderr


def test_what_a_plugin_brings_is_listed_and_a_broken_one_is_named_in_one_line_and_stops_nothing(
    installed: Path, tmp_path: Path
) -> None:
    plugins, complaints = [installed / "weeds-installed", installed / "greenhouse-installed"], list[str]()
    listed = thinks(plugins, ["worlds"], ["presets"], ["models"], home=tmp_path)
    for done, ours, theirs, kind, name in zip(
        listed,
        ("tabletop", "inner_monologue", "embedded"),
        ("greenhouse", "gardening", "gardener"),
        ("world", "preset", "model"),
        ("weeds", "weeding", "weeder"),
        strict=True,
    ):
        assert ours in done.stdout and theirs in done.stdout and name not in done.stdout
        line = f"The {kind} {name!r} of thinkaloud-weeds cannot be used: RuntimeError: nobody tends to this"
        assert done.stderr.splitlines().count(line) == 1
        complaints += done.stderr.splitlines()
    taken = "The world 'tabletop' of thinkaloud-weeds is ignored: thinkaloud has one with that name."
    assert complaints.count(taken) == 1


def test_a_broken_plugin_that_is_asked_for_is_bad_input(installed: Path, tmp_path: Path) -> None:
    plugins = [installed / "weeds-installed"]
    asked = (("--world", "world", "weeds"), ("--preset", "preset", "weeding"))
    commands = [("run", flag, name, "--no-film", REQUEST) for flag, _, name in asked]
    refused = thinks(plugins, *commands, home=tmp_path, expected=2)
    for done, (_, kind, name) in zip(refused, asked, strict=True):
        assert done.stderr.count("\n") == 1
        assert f"The {kind} {name!r} of thinkaloud-weeds cannot be used: RuntimeError" in done.stderr
