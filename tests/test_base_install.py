"""What `pip install thinkaloud` alone gives: a mind for one's own robot, and clear words about the rest."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commands_in_turn import Ran, run_in_turn

ROOT = Path(__file__).parents[1]
EXTRAS = ("mujoco", "networkx", "numpy", "PIL", "matplotlib", "xllamacpp")
WITHOUT = f"""
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {EXTRAS!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
"""
SIM = "needs the extra 'sim': pip install \"thinkaloud[sim]\""


def around(home: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "THINKALOUD_HOME": str(home)}


def without_extras(tmp_path: Path, code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code], cwd=tmp_path, env=around(tmp_path), capture_output=True, text=True
    )


WORLDS = ("worlds",)
FRANKA = (("run", "--world", "franka", "Tidy up."), ("skills", "franka"))
BENCH = ("bench", "speed")
MODELS = ("embedded", "embedded-base", "embedded-large", "gguf:model.gguf")


def wiping(model: str) -> tuple[str, ...]:
    return ("run", "--world", "by_hand", "--preset", "thinkaloud", "--model", model, "Wipe the table.")


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], Ran]:
    """What comes of each command without extras."""
    home, commands = tmp_path_factory.mktemp("base"), (WORLDS, *FRANKA, *map(wiping, MODELS), BENCH)
    return dict(zip(commands, run_in_turn(commands, WITHOUT, cwd=home, env=around(home)), strict=True))


def test_the_readmes_own_robot_runs(tmp_path: Path) -> None:
    readme = (ROOT / "README.md").read_text()
    (robot,) = (code for code in re.findall(r"```python\n(.*?)```", readme, re.DOTALL) if "class Barista" in code)
    done = without_extras(tmp_path, robot)
    assert done.returncode == 0, done.stderr


def test_every_preset_can_be_chosen(tmp_path: Path) -> None:
    done = without_extras(tmp_path, "from thinkaloud.presets import PRESETS\nprint(*map(PRESETS.find, PRESETS))")
    assert done.returncode == 0, done.stderr


def test_the_worlds_that_are_there_are_listed_and_the_others_say_how_to_get_them(
    typed: dict[tuple[str, ...], Ran],
) -> None:
    done = typed[WORLDS]
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["world", "by_hand"]
    (line,) = done.stderr.splitlines()
    assert line.startswith("Each of ") and " tabletop, " in line and line.endswith(SIM)


@pytest.mark.parametrize("words", FRANKA)
def test_a_world_that_is_not_installed_is_one_clear_line(
    typed: dict[tuple[str, ...], Ran], words: tuple[str, ...]
) -> None:
    done = typed[words]
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.endswith(f"The world 'franka' {SIM}")


@pytest.mark.parametrize("model", MODELS)
def test_a_model_on_this_machine_says_what_it_needs(typed: dict[tuple[str, ...], Ran], model: str) -> None:
    done = typed[wiping(model)]
    assert done.returncode == 2
    extra = "needs the extra 'local': pip install \"thinkaloud[local]\""
    assert done.stderr.splitlines()[-1].endswith(f"The model {model!r} {extra}")


def test_a_benchmark_says_what_it_needs(typed: dict[tuple[str, ...], Ran]) -> None:
    done = typed[BENCH]
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith("needs the extra 'bench': pip install \"thinkaloud[bench]\"")


def test_a_film_is_made_only_where_pictures_can_be(tmp_path: Path) -> None:
    code = "from thinkaloud.staging.opening import RunOptions, _film\nfrom thinkaloud.worlds.by_hand import ByHand\n"
    films = "print(_film(RunOptions(), ByHand()))\n_film(RunOptions(film='film.gif'), ByHand())"
    done = without_extras(tmp_path, code + films)
    assert done.stdout == "None\n"
    assert done.stderr.splitlines()[-1].endswith(f"A film {SIM}")
