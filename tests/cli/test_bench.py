"""`thinkaloud bench`: what it prints, what it keeps, and what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import thinkaloud_bench as benches
from fake_plugins import announce
from thinkaloud.cli import cli
from thinkaloud_bench.contract import Bench, Item, OpenedModel, Played, Row, Task
from thinkaloud_bench.playing import played_as
from thinkaloud_bench.plots import bars
from thinkaloud_bench.rows import by_preset, fractions, success


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ("bench", *arguments))


async def play(item: Item, model: OpenedModel) -> Played:
    return played_as(item, [], success=item.episode == "good", seconds=0.0, model="none")


def rows(bench: Bench, presets: Any, played: Any) -> list[Row]:
    found = by_preset(presets, bench, played).items()
    return [row for preset, tasks in found for row in fractions(bench, preset, tasks, "success", success)]


def read(content: bytes, name: str) -> dict[str, list[str]]:
    return {"only": content.decode().split()}


@pytest.fixture
def lots(at_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    tasks = {"only": Task("only", "The only one")}
    bench = Bench("lots", "", tasks, ("drawn",), play=play, rows=rows, draw=bars, only_own=True, read=read)
    announce(monkeypatch, benches.BENCHES, "lots", bench)
    (at_home / "lots.txt").write_text("good bad good bad")
    return at_home


def test_episodes_of_a_file_are_played_and_kept(lots: Path) -> None:
    result = typed("lots", "--episodes-file", "lots.txt", "--out", "results")
    assert result.exit_code == 0, result.stderr
    assert "The only one" in result.stdout and "50 [15–85]" in result.stdout
    data = json.loads((lots / "results" / "results.json").read_text())
    assert {row["n"] for row in data["rows"]} == {4}
    again = typed("lots", "--episodes-file", "lots.txt", "--out", "results")
    assert "4 episodes were there already" in again.stderr


def test_another_file_in_the_same_folder_is_one_line(lots: Path) -> None:
    typed("lots", "--episodes-file", "lots.txt", "--out", "results")
    Path("lots.txt").write_text("good")
    result = typed("lots", "--episodes-file", "lots.txt", "--out", "results")
    assert (result.exit_code, result.stderr.count("\n"), result.stdout) == (2, 1, "")
    assert "holds other episodes" in result.stderr


def test_a_file_that_is_not_there_is_one_line(lots: Path) -> None:
    result = typed("lots", "--episodes-file", "none.txt", "--out", "results")
    assert (result.exit_code, result.stderr.count("\n"), result.stdout) == (2, 1, "")
    assert "--episodes-file none.txt cannot be read: No such file or directory" in result.stderr
    assert not Path("results").exists()


def test_a_folder_is_no_file(lots: Path) -> None:
    assert "--episodes-file . cannot be read" in typed("lots", "--episodes-file", ".").stderr


def test_the_help_names_every_benchmark_with_an_example() -> None:
    said = typed("--help").stdout
    for name in benches.BENCHES:
        assert f"  {name} " in said and f"thinkaloud bench {name} " in said


def test_the_help_loads_no_benchmark() -> None:
    script = (
        "import sys; from click.testing import CliRunner; from thinkaloud.cli import cli; "
        "assert CliRunner().invoke(cli, ['bench', '--help']).exit_code == 0; "
        "assert not [name for name in sys.modules if name.startswith('thinkaloud_bench')]"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_benchmark_is_loaded_when_it_is_asked_for() -> None:
    script = (
        "import sys, thinkaloud_bench; assert 'itp' in thinkaloud_bench.BENCHES; "
        "assert 'thinkaloud_bench.itp' not in sys.modules; thinkaloud_bench.BENCHES['itp']; "
        "assert 'thinkaloud_bench.itp' in sys.modules and 'thinkaloud_bench.multitalk' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("missing", ["thinkaloud_bench", "mujoco"])
def test_what_is_not_installed_is_said_in_one_line(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(name: str) -> Any:
        raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)

    monkeypatch.setattr("thinkaloud_bench.BENCHES.find", without)
    result = typed("multitalk")
    assert (result.exit_code, result.stderr.count("\n"), result.stdout) == (2, 1, "")
    assert f"missing: {missing}) needs the extra 'bench': pip install" in result.stderr
